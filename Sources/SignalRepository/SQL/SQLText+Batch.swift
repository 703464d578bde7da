extension SQLText {
    /// Makes a statement that changes rows return their values of some columns.
    mutating func append<Root: Entity>(returning columns: [AnyColumn<Root>]) {
        append(" RETURNING ")
        for (place, column) in columns.enumerated() {
            if place > 0 { append(", ") }
            // A whole number in a REAL column is stored as an integer, and RETURNING gives it as one.
            append(column.storageClass == .real ? "CAST(" : "")
            append(name: column.name)
            append(column.storageClass == .real ? " AS REAL)" : "")
        }
    }

    /// Sets properties to new values in some rows, of which a statement's last part tells.
    static func update<Root: Entity>(
        _ type: Root.Type, set assignments: [Assignment<Root>], in rows: SQLText
    ) throws(RepositoryError) -> SQLText {
        guard !assignments.isEmpty else {
            throw .misuse(detail: "an update of \(Root.entityName) sets no property")
        }
        var sql = SQLText("UPDATE ")
        sql.append(name: Root.entityName)
        sql.append(" SET ")
        var names: Set<String> = []
        for (index, assignment) in assignments.enumerated() {
            let column = try Root.schema.column(for: assignment.column)
            // SQLite would silently use the last of them.
            guard names.insert(column.name).inserted else {
                throw .misuse(detail: "an update sets \(Root.entityName).\(column.name) twice")
            }
            if index > 0 { sql.append(", ") }
            sql.append(name: column.name)
            sql.append(" = ")
            switch assignment.value {
            case .given(let value): sql.bind(try column.stored(value))
            case .computed(let term):
                guard column.form == .exact else {
                    throw .misuse(
                        detail: "\(Root.entityName).\(column.name) is not stored as its own type: set it to a value")
                }
                let name = "\(Root.entityName).\(column.name)"
                try sql.append(term: try term.get().assigned(to: name, scale: column.scale ?? 0))
            }
        }
        sql.append(rows)
        return sql
    }

    /// Deletes some rows, of which a statement's last part tells.
    static func delete<Root: Entity>(_ type: Root.Type, in rows: SQLText) -> SQLText {
        var sql = SQLText("DELETE FROM ")
        sql.append(name: Root.entityName)
        sql.append(rows)
        return sql
    }
}
