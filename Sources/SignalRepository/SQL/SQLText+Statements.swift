extension SQLText {
    /// Asks how a statement would be executed.
    static func plan(of statement: SQLText) -> SQLText {
        var sql = SQLText("EXPLAIN QUERY PLAN ")
        sql.append(statement)
        return sql
    }

    /// Stores an item, or updates the one that has the same values in a unique set of columns.
    ///
    /// Its row is the item as it is then.
    static func upsert<Root: Entity>(
        _ item: Root, on unique: [AnyColumn<Root>], updating columns: [AnyColumn<Root>]
    ) throws(RepositoryError) -> SQLText {
        var sql = insert(into: Root.entityName, Root.schema.names)
        let ungivenKey = Root.schema.ungivenKey(of: item)
        for (place, value) in try Root.schema.values(of: item).enumerated() {
            sql.append(value: place == ungivenKey ? .null : value)
        }
        sql.append(" ON CONFLICT (")
        sql.append(names: unique.map(\.name))
        sql.append(") DO UPDATE SET ")
        // With nothing to update, an assignment that changes nothing has the row returned.
        sql.append((columns.isEmpty ? unique : columns).map { excluded($0.name) }, separator: ", ")
        sql.append(returning: Root.schema.columns)
        return sql
    }

    /// The statements that every entity has; their values are bound row by row.
    static func fixed<Root: Entity>(_ kind: FixedStatement, of entity: Root.Type) throws(RepositoryError) -> SQLText {
        let key = try Root.schema.key.names
        switch kind {
        case .read:
            var sql = SQLText("SELECT ")
            sql.append(names: Root.schema.names)
            sql.append(" FROM ")
            sql.append(name: Root.entityName)
            sql.append(whereAre: key)
            return sql
        case .insert:
            return insert(into: Root.entityName, Root.schema.names)
        case .upsert:
            var sql = insert(into: Root.entityName, Root.schema.names)
            sql.append(" ON CONFLICT (")
            sql.append(names: key)
            sql.append(") DO ")
            let others = try Root.schema.changeableNames
            guard !others.isEmpty else {
                sql.append("NOTHING")
                return sql
            }
            sql.append("UPDATE SET ")
            sql.append(others.map(excluded), separator: ", ")
            return sql
        case .update:
            var sql = SQLText("UPDATE ")
            sql.append(name: Root.entityName)
            sql.append(" SET ")
            let columns = Root.schema.names.enumerated()
            let kept = Root.schema.keptColumns.filter { $0.value == .created }.map(\.name)
            let keys = columns.filter { key.contains($0.element) }
            let others = columns.filter { !key.contains($0.element) }
            // An item that is only its key is set to itself.
            let assigned = others.isEmpty ? keys : others
            // A time of creation stays, and still has its parameter: all values of an item are bound.
            sql.append(
                assigned.map { numberedAssignment($0.offset, $0.element, isKept: kept.contains($0.element)) },
                separator: ", ")
            sql.append(" WHERE ")
            sql.append(keys.map { numberedAssignment($0.offset, $0.element) }, separator: " AND ")
            return sql
        case .delete:
            var sql = SQLText("DELETE FROM ")
            sql.append(name: Root.entityName)
            sql.append(whereAre: key)
            return sql
        }
    }

    private static func insert(into table: String, _ columns: [String]) -> SQLText {
        var sql = SQLText("INSERT INTO ")
        sql.append(name: table)
        sql.append(" (")
        sql.append(names: columns)
        sql.append(") VALUES (")
        sql.append(parameters: columns.count)
        sql.append(")")
        return sql
    }

    private static func excluded(_ column: String) -> SQLText {
        var sql = SQLText("")
        sql.append(name: column)
        sql.append(" = excluded.")
        sql.append(name: column)
        return sql
    }

    private static func numberedAssignment(_ index: Int, _ column: String, isKept: Bool = false) -> SQLText {
        var sql = SQLText("")
        sql.append(name: column)
        sql.append(" = ")
        if isKept {
            sql.append("coalesce(")
            sql.append(name: column)
            sql.append(", ")
        }
        sql.append(parameter: index + 1)
        if isKept { sql.append(")") }
        return sql
    }

    private mutating func append(whereAre columns: [String]) {
        append(" WHERE ")
        for (place, column) in columns.enumerated() {
            if place > 0 { append(" AND ") }
            append(name: column)
            append(" = ?")
        }
    }

    /// The last part of a statement, for the row with an id.
    init<Item: Entity>(whereIs id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        self.init("")
        let key = try Item.schema.key
        append(whereAre: key.names)
        for value in try key.values(of: id) { append(value: value) }
    }
}

/// The statements that need nothing but the entity's declaration.
enum FixedStatement: Int, Sendable, CaseIterable {
    case read, insert, upsert, update, delete
}
