extension SQLText {
    package init<Item: Entity>(whereIs id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        let key = try Item.schema.key
        self = " WHERE \(quoted: key.test)"
        append(values: try key.values(of: id))
    }
}

extension Dialect {
    /// Inserts an item, or updates the item with the same values in a unique set of columns.
    ///
    /// The statement returns the item as it is then stored.
    package func upsert<Root: Entity>(
        _ item: Root, on unique: [AnyColumn<Root>], updating columns: [AnyColumn<Root>]
    ) throws(RepositoryError) -> SQLText {
        try Root.schema.checkStored()
        var sql = insert(into: Root.self)
        let missingKeyIndex = Root.schema.missingKeyIndex(of: item)
        let values = try Root.schema.values(of: item).prefix(Root.schema.writtenCount)
        sql.append(values: values.enumerated().map { $0.offset == missingKeyIndex ? .null : $0.element })
        // If there is nothing to update, an assignment without effect makes the statement return the row.
        let assigned = (columns.isEmpty ? unique : columns).map(\.name)
        let assignments = assigned.map { excluded($0, of: Root.self, isSingle: true) }
        sql += " ON CONFLICT (\(names: unique.map(\.name))) DO UPDATE SET \(assignments)"
        return "\(sql)\(returning(Root.schema.columns))"
    }

    /// Returns one of the statements that every entity has, such as its INSERT.
    ///
    /// The values are bound row by row. If `rows` is a query, the statement instead stores all rows of this query.
    package func fixed<Root: Entity>(
        _ kind: FixedStatement, of entity: Root.Type, rows: SQLText? = nil
    ) throws(RepositoryError) -> SQLText {
        let (key, table) = (try Root.schema.key, Root.entityName)
        if kind != .read { try Root.schema.checkStored() }
        switch kind {
        case .read: return "SELECT \(quoted: Root.schema.nameList) FROM \(table: table) WHERE \(quoted: key.test)"
        case .insert: return "\(insert(into: entity, rows))\(rows == nil ? returningKey(of: entity) : "")"
        case .upsert, .exactUpsert:
            let others = try Root.schema.changeableNames(preservingTimes: kind == .exactUpsert)
            let sql: SQLText = "\(insert(into: entity, rows)) ON CONFLICT (\(names: key.names)) DO "
            guard !others.isEmpty else { return "\(sql)NOTHING" }
            let assignments = others.map { excluded($0, of: entity, isSingle: rows == nil) }
            return "\(sql)UPDATE SET \(assignments)\(returningKey(of: entity))"
        case .update, .exactUpdate:
            let columns = Root.schema.writtenNames.enumerated()
            let created = Root.schema.managedColumns.filter { $0.value == .created && kind == .update }.map(\.name)
            let keys = columns.filter { key.names.contains($0.element) }
            let others = columns.filter { !key.names.contains($0.element) }
            // If all columns belong to the key, they are set to the values that they have.
            let assigned = others.isEmpty ? keys : others
            // A creation time is preserved, but still has its parameter, because all values of an item are bound.
            let assignments = assigned.map { index, column in
                assignment(index, column, of: table, onlyIfNull: created.contains(column))
            }
            let tests: [SQLText] = keys.map { "\(name: $0.element) = \(parameter: $0.offset + 1)" }
            return "\(update(of: table)) SET \(assignments) WHERE \(tests, separator: " AND ")"
        case .delete: return "DELETE FROM \(changing: table) WHERE \(quoted: key.test)"
        }
    }

    private func insert<Root: Entity>(into entity: Root.Type, _ rows: SQLText? = nil) -> SQLText {
        let (schema, table) = (Root.schema, Root.entityName)
        let sql: SQLText = "\(insertion(into: table)) (\(quoted: schema.writtenNameList)) "
        if let rows { return "\(sql)\(rows)" }
        let values = schema.writtenNames.enumerated().map { index, column in
            index == schema.generatedIndex
                ? generatedKey(column, of: table, number: index + 1) : stored("?", in: column, of: table)
        }
        return "\(sql)VALUES (\(values))"
    }

    private func returningKey<Root: Entity>(of entity: Root.Type) -> SQLText {
        guard let index = Root.schema.generatedIndex else { return "" }
        return returning(key: Root.schema.names[index])
    }

    /// Assigns the value that an upsert could not insert.
    ///
    /// For a single row, if the table cannot use `excluded`, the statement repeats the parameter of the value.
    private func excluded<Root: Entity>(_ column: String, of entity: Root.Type, isSingle: Bool) -> SQLText {
        if isSingle, !canUseExcluded(in: Root.entityName), let index = Root.schema.writtenNames.firstIndex(of: column) {
            return assignment(index, column, of: Root.entityName, onlyIfNull: false)
        }
        return "\(name: column) = excluded.\(name: column)"
    }

    /// Assigns a parameter; with `onlyIfNull`, only if the column is NULL.
    private func assignment(_ index: Int, _ column: String, of table: String, onlyIfNull: Bool) -> SQLText {
        let value = stored("\(parameter: index + 1)", in: column, of: table)
        return onlyIfNull
            ? "\(name: column) = coalesce(\(name: column), \(value))" : "\(name: column) = \(value)"
    }
}

/// A statement that depends only on the entity's declaration.
package enum FixedStatement: Int, Sendable, CaseIterable {
    case read, insert, upsert, update, delete
    /// The variants of `upsert` and `update` that store the item's own creation time.
    case exactUpsert, exactUpdate

    package var isUpsert: Bool { self == .upsert || self == .exactUpsert }

    /// The variant that stores the item's own creation time; a statement without such a variant is returned unchanged.
    package var exact: FixedStatement {
        switch self {
        case .upsert: .exactUpsert
        case .update: .exactUpdate
        default: self
        }
    }
}

extension Dialect {
    /// Sets properties in some rows.
    ///
    /// `rows` is the end of the statement that selects the rows, such as ` WHERE …`.
    package func update<Root: Entity>(
        _ type: Root.Type, set assignments: [Assignment<Root>], in rows: SQLText, preservingTimes: Bool = false
    ) throws(RepositoryError) -> SQLText {
        guard !assignments.isEmpty else {
            throw .misuse(detail: "an update of \(Root.entityName) sets no property")
        }
        let (schema, table) = (Root.schema, Root.entityName)
        try schema.checkStored()
        var (names, assigned): ([String], [SQLText]) = ([], [])
        for assignment in assignments {
            let column = try schema.column(for: assignment.column)
            try column.checkChangeable(preservingTimes: preservingTimes)
            // SQLite would silently use the last assignment.
            guard !names.contains(column.name) else {
                throw .misuse(detail: "an update sets \(table).\(column.name) twice")
            }
            names.append(column.name)
            let value: SQLText
            switch assignment.value {
            case .given(let given): value = try "\(bind: column.stored(given))"
            case .computed(let computed):
                guard column.encoding == .exact else {
                    throw .misuse(
                        detail: "\(table).\(column.name) is not stored as its own type and can only be set to a value")
                }
                value = try term(computed.get().assigned(to: "\(table).\(column.name)", scale: column.scale ?? 0))
            }
            assigned.append("\(name: column.name) = \(stored(value, in: column.name, of: table))")
        }
        return "\(update(of: table)) SET \(assigned)\(rows)"
    }

    /// Returns ` RETURNING …`, with some columns of the rows that a statement changes.
    package func returning<Root: Row>(_ columns: [AnyColumn<Root>]) -> SQLText {
        columns.isEmpty ? "" : " RETURNING \(names: columns.map(\.name))"
    }

    /// Selects the keys of some rows.
    ///
    /// `rows` is the end of the statement that selects the rows, such as ` WHERE …`.
    package func keys<Root: Entity>(of type: Root.Type, in rows: SQLText) throws(RepositoryError) -> SQLText {
        "SELECT \(names: try Root.schema.key.names) FROM \(table: Root.entityName)\(rows)"
    }

    /// Deletes some rows.
    ///
    /// `rows` is the end of the statement that selects the rows, such as ` WHERE …`.
    package func delete<Root: Entity>(_ type: Root.Type, in rows: SQLText) throws(RepositoryError) -> SQLText {
        try Root.schema.checkStored()
        return "DELETE FROM \(changing: Root.entityName)\(rows)"
    }
}
