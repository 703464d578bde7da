extension SQLText {
    /// The columns of an entity, in the order in which a row is read and written; last the rowid, if it is asked for.
    static func select<Root: Entity>(
        _ query: FetchQuery<Root>, withRowID: Bool = false
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT ")
        sql.append(names: Root.schema.names)
        if withRowID { sql.append(", _rowid_") }
        sql.append(" FROM ")
        sql.append(name: Root.entityName)
        try sql.append(where: query.condition)
        sql.append(" ORDER BY ")
        let keys = query.sortKeys
        for ordering in keys {
            sql.append(name: try Root.schema.column(for: ordering.column).name)
            sql.append(ordering.direction == .descending ? " DESC, " : ", ")
        }
        if keys.isEmpty {
            // Reading a table in its own order costs nothing; ordering a large table by its ids costs several times
            // what reading it does.
            sql.append("_rowid_")
        } else {
            sql.append(name: try Root.schema.key.name)
        }
        if query.isReversed { sql.append(" DESC") }
        sql.append(limit: query.limit, offset: query.offset)
        return sql
    }

    /// The number of entities that a query matches.
    static func count<Root: Entity>(_ query: FetchQuery<Root>) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT count(*) FROM (SELECT 1 FROM ")
        sql.append(name: Root.entityName)
        try sql.append(where: query.condition)
        sql.append(limit: query.limit, offset: query.offset)
        sql.append(")")
        return sql
    }

    private mutating func append(limit: Int?, offset: Int?) {
        guard limit != nil || offset != nil else { return }
        append(" LIMIT ")
        bind(.integer(Int64(limit ?? -1)))
        guard let offset else { return }
        append(" OFFSET ")
        bind(.integer(Int64(offset)))
    }

    /// Stores an item, or updates the one that has the same values in a unique set of columns.
    ///
    /// Its row is the item as it is then.
    static func upsert<Root: Entity>(
        _ item: Root, on unique: [AnyColumn<Root>], updating columns: [AnyColumn<Root>]
    ) throws(RepositoryError) -> SQLText {
        var sql = insert(into: Root.entityName, Root.schema.names)
        for value in try Root.schema.values(of: item) { sql.append(value: value) }
        sql.append(" ON CONFLICT (")
        sql.append(names: unique.map(\.name))
        sql.append(") DO UPDATE SET ")
        // With nothing to update, an assignment that changes nothing has the row returned.
        sql.append((columns.isEmpty ? unique : columns).map { excluded($0.name) }, separator: ", ")
        sql.append(" RETURNING ")
        sql.append(names: Root.schema.names)
        return sql
    }

    /// The statements that every entity has; their values are bound row by row.
    static func fixed<Root: Entity>(_ kind: FixedStatement, of entity: Root.Type) throws(RepositoryError) -> SQLText {
        let id = try Root.schema.key.name
        switch kind {
        case .read:
            var sql = SQLText("SELECT ")
            sql.append(names: Root.schema.names)
            sql.append(" FROM ")
            sql.append(name: Root.entityName)
            sql.append(whereIs: id)
            return sql
        case .insert:
            return insert(into: Root.entityName, Root.schema.names)
        case .upsert:
            var sql = insert(into: Root.entityName, Root.schema.names)
            sql.append(" ON CONFLICT (")
            sql.append(name: id)
            sql.append(") DO ")
            let others = Root.schema.names.filter { $0 != id }
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
            let columns = Root.schema.names.enumerated().filter { $0.element != id || Root.schema.names.count == 1 }
            sql.append(columns.map { numberedAssignment($0.offset, $0.element) }, separator: ", ")
            sql.append(" WHERE ")
            sql.append(numberedAssignment(Root.schema.names.firstIndex(of: id) ?? 0, id))
            return sql
        case .delete:
            var sql = SQLText("DELETE FROM ")
            sql.append(name: Root.entityName)
            sql.append(whereIs: id)
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

    private static func numberedAssignment(_ index: Int, _ column: String) -> SQLText {
        var sql = SQLText("")
        sql.append(name: column)
        sql.append(" = ")
        sql.append(parameter: index + 1)
        return sql
    }

    private mutating func append(whereIs column: String) {
        append(" WHERE ")
        append(name: column)
        append(" = ?")
    }

    /// Writes ` WHERE …` for the row in which a column has a value.
    mutating func append(whereIs column: String, _ value: SQLValue) {
        append(whereIs: column)
        append(value: value)
    }
}

/// The statements that need nothing but the entity's declaration.
enum FixedStatement: Int, Sendable, CaseIterable {
    case read, insert, upsert, update, delete
}

extension Schema {
    /// The names of the columns, in the order in which a row is read and written.
    var names: [String] { columns.map(\.name) }
}
