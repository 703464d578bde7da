extension SQLText {
    /// The last part of a statement, for the row with an id.
    package init<Item: Entity>(whereIs id: Item.ID, of type: Item.Type) throws(RepositoryError) {
        self.init("")
        let key = try Item.schema.key
        append(whereIs: key)
        for value in try key.values(of: id) { append(value: value) }
    }

    fileprivate mutating func append<Root: Entity>(whereIs key: EntityKey<Root>) {
        append(" WHERE ")
        append(quoted: key.test)
    }
}

extension Dialect {
    /// Stores an item, or updates the one that has the same values in a unique set of columns.
    ///
    /// Its row is the item as it is then.
    package func upsert<Root: Entity>(
        _ item: Root, on unique: [AnyColumn<Root>], updating columns: [AnyColumn<Root>]
    ) throws(RepositoryError) -> SQLText {
        try Root.schema.checkStored()
        var sql = insert(into: Root.self)
        let ungivenKey = Root.schema.ungivenKey(of: item)
        let values = try Root.schema.values(of: item)
        for (index, value) in values.prefix(Root.schema.writtenCount).enumerated() {
            sql.append(value: index == ungivenKey ? .null : value)
        }
        sql.append(" ON CONFLICT (")
        sql.append(names: unique.map(\.name))
        sql.append(") DO UPDATE SET ")
        // With nothing to update, an assignment that changes nothing has the row returned.
        let assigned = (columns.isEmpty ? unique : columns).map(\.name)
        sql.append(assigned.map { excluded($0, of: Root.self, isSingle: true) }, separator: ", ")
        append(returning: Root.schema.columns, to: &sql)
        return sql
    }

    /// The statements that every entity has; their values are bound row by row.
    ///
    /// With `rows`, which is a query, many items are stored by one.
    package func fixed<Root: Entity>(
        _ kind: FixedStatement, of entity: Root.Type, rows: SQLText? = nil
    ) throws(RepositoryError) -> SQLText {
        let key = try Root.schema.key
        if kind != .read { try Root.schema.checkStored() }
        switch kind {
        case .read:
            var sql = SQLText("SELECT ")
            sql.append(quoted: Root.schema.nameList)
            sql.append(" FROM ")
            sql.append(table: Root.entityName)
            sql.append(whereIs: key)
            return sql
        case .insert:
            var sql = insert(into: Root.self, rows)
            if rows == nil { append(returningKeyOf: entity, to: &sql) }
            return sql
        case .upsert, .exactUpsert:
            var sql = insert(into: Root.self, rows)
            sql.append(" ON CONFLICT (")
            sql.append(names: key.names)
            sql.append(") DO ")
            let others = try Root.schema.changeableNames(preservingTimes: kind == .exactUpsert)
            guard !others.isEmpty else {
                sql.append("NOTHING")
                return sql
            }
            sql.append("UPDATE SET ")
            sql.append(others.map { excluded($0, of: entity, isSingle: rows == nil) }, separator: ", ")
            append(returningKeyOf: entity, to: &sql)
            return sql
        case .update, .exactUpdate:
            var sql = SQLText(update(of: Root.entityName))
            sql.append(changing: Root.entityName)
            sql.append(" SET ")
            let columns = Root.schema.writtenNames.enumerated()
            let kept = Root.schema.keptColumns.filter { $0.value == .created && kind == .update }.map(\.name)
            let keys = columns.filter { key.names.contains($0.element) }
            let others = columns.filter { !key.names.contains($0.element) }
            // An item that is only its key is set to itself.
            let assigned = others.isEmpty ? keys : others
            // A time of creation stays, and still has its parameter: all values of an item are bound.
            sql.append(
                assigned.map { column in
                    numberedAssignment(
                        column.offset, column.element, of: Root.entityName, isKept: kept.contains(column.element))
                }, separator: ", ")
            sql.append(" WHERE ")
            sql.append(keys.map { numberedTest($0.offset, $0.element) }, separator: " AND ")
            return sql
        case .delete:
            var sql = SQLText("DELETE FROM ")
            sql.append(changing: Root.entityName)
            sql.append(whereIs: key)
            return sql
        }
    }

    private func insert<Root: Entity>(into entity: Root.Type, _ rows: SQLText? = nil) -> SQLText {
        var sql = SQLText(insertion(into: Root.entityName))
        sql.append(changing: Root.entityName)
        sql.append(" (")
        sql.append(quoted: Root.schema.writtenNameList)
        sql.append(") ")
        if let rows {
            sql.append(rows)
            return sql
        }
        sql.append("VALUES (")
        for (index, name) in Root.schema.writtenNames.enumerated() {
            if index > 0 { sql.append(", ") }
            guard index == Root.schema.generatedIndex else {
                append(SQLText("?"), storedIn: name, of: Root.entityName, to: &sql)
                continue
            }
            append(generatedKey: name, of: Root.entityName, number: index + 1, to: &sql)
        }
        sql.append(")")
        return sql
    }

    private func append<Root: Entity>(returningKeyOf entity: Root.Type, to sql: inout SQLText) {
        guard let index = Root.schema.generatedIndex else { return }
        append(returningKey: Root.schema.names[index], to: &sql)
    }

    /// The assignment of a value that could not be inserted; of a single row it is a parameter.
    private func excluded<Root: Entity>(_ column: String, of entity: Root.Type, isSingle: Bool) -> SQLText {
        if isSingle, !canUseExcluded(in: Root.entityName), let index = Root.schema.writtenNames.firstIndex(of: column) {
            return numberedAssignment(index, column, of: Root.entityName, isKept: false)
        }
        var sql = SQLText("")
        sql.append(name: column)
        sql.append(" = excluded.")
        sql.append(name: column)
        return sql
    }

    private func numberedAssignment(_ index: Int, _ column: String, of table: String, isKept: Bool) -> SQLText {
        var sql = SQLText("")
        sql.append(name: column)
        sql.append(" = ")
        if isKept {
            sql.append("coalesce(")
            sql.append(name: column)
            sql.append(", ")
        }
        var parameter = SQLText("")
        parameter.append(parameter: index + 1)
        append(parameter, storedIn: column, of: table, to: &sql)
        if isKept { sql.append(")") }
        return sql
    }

    private func numberedTest(_ index: Int, _ column: String) -> SQLText {
        var sql = SQLText("")
        sql.append(name: column)
        sql.append(" = ")
        sql.append(parameter: index + 1)
        return sql
    }
}

/// The statements that need nothing but the entity's declaration.
package enum FixedStatement: Int, Sendable, CaseIterable {
    case read, insert, upsert, update, delete
    /// The same, with the item's own time of creation.
    case exactUpsert, exactUpdate

    /// Whether it updates an item that is there already.
    package var isUpsert: Bool { self == .upsert || self == .exactUpsert }

    /// The statement that does the same with an item's own times.
    package var exact: FixedStatement {
        switch self {
        case .upsert: .exactUpsert
        case .update: .exactUpdate
        default: self
        }
    }
}

extension Dialect {
    /// Sets properties to new values in some rows, of which a statement's last part tells.
    package func update<Root: Entity>(
        _ type: Root.Type, set assignments: [Assignment<Root>], in rows: SQLText, preservingTimes: Bool = false
    ) throws(RepositoryError) -> SQLText {
        guard !assignments.isEmpty else {
            throw .misuse(detail: "an update of \(Root.entityName) sets no property")
        }
        let (schema, table) = (Root.schema, Root.entityName)
        try schema.checkStored()
        var sql = SQLText(update(of: table))
        sql.append(changing: table)
        sql.append(" SET ")
        var names: [String] = []
        for assignment in assignments {
            let column = try schema.column(for: assignment.column)
            try column.checkChangeable(preservingTimes: preservingTimes)
            // SQLite would silently use the last of them.
            guard !names.contains(column.name) else {
                throw .misuse(detail: "an update sets \(table).\(column.name) twice")
            }
            if !names.isEmpty { sql.append(", ") }
            names.append(column.name)
            sql.append(name: column.name)
            sql.append(" = ")
            var stored = SQLText("")
            switch assignment.value {
            case .given(let value): stored.bind(try column.stored(value))
            case .computed(let term):
                guard column.form == .exact else {
                    throw .misuse(
                        detail: "\(table).\(column.name) is not stored as its own type: set it to a value")
                }
                let value = try term.get().assigned(to: "\(table).\(column.name)", scale: column.scale ?? 0)
                try append(value, to: &stored)
            }
            append(stored, storedIn: column.name, of: table, to: &sql)
        }
        sql.append(rows)
        return sql
    }

    /// Makes a statement that changes rows return their values of some columns.
    ///
    /// SQLite stores a whole number in a REAL column as an integer, and returns it as one.
    package func append<Root: Row>(returning columns: [AnyColumn<Root>], to sql: inout SQLText) {
        for (index, column) in columns.enumerated() {
            sql.append(index == 0 ? " RETURNING " : ", ")
            guard column.storageClass == .real else {
                sql.append(name: column.name)
                continue
            }
            sql.append("CAST(")
            sql.append(name: column.name)
            sql.append(" AS ")
            sql.append(real)
            sql.append(")")
        }
    }

    /// Reads the keys of some rows, of which a statement's last part tells.
    package func keys<Root: Entity>(of type: Root.Type, in rows: SQLText) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT ")
        sql.append(names: try Root.schema.key.names)
        sql.append(" FROM ")
        sql.append(table: Root.entityName)
        sql.append(rows)
        return sql
    }

    /// Deletes some rows, of which a statement's last part tells.
    package func delete<Root: Entity>(
        _ type: Root.Type, in rows: SQLText
    ) throws(RepositoryError) -> SQLText {
        try Root.schema.checkStored()
        var sql = SQLText("DELETE FROM ")
        sql.append(changing: Root.entityName)
        sql.append(rows)
        return sql
    }
}
