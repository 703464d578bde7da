extension SQLText {
    /// Makes a statement that changes rows return their values of some columns.
    mutating func append(returning columns: String) {
        append(" RETURNING ")
        append(quoted: columns)
    }

    /// Sets properties to new values in some rows, of which a statement's last part tells.
    static func update<Root: Entity>(
        _ type: Root.Type, set assignments: [Assignment<Root>], in rows: SQLText
    ) throws(RepositoryError) -> SQLText {
        guard !assignments.isEmpty else {
            throw .misuse(detail: "an update of \(Root.entityName) sets no property")
        }
        let (schema, table) = (Root.schema, Root.entityName)
        var sql = SQLText("UPDATE ")
        sql.append(name: table)
        sql.append(" SET ")
        var names: [String] = []
        for assignment in assignments {
            let column = try schema.column(for: assignment.column)
            // SQLite would silently use the last of them.
            guard !names.contains(column.name) else {
                throw .misuse(detail: "an update sets \(table).\(column.name) twice")
            }
            if !names.isEmpty { sql.append(", ") }
            names.append(column.name)
            sql.append(name: column.name)
            sql.append(" = ")
            switch assignment.value {
            case .given(let value): sql.bind(try column.stored(value))
            case .computed(let term):
                guard column.form == .exact else {
                    throw .misuse(
                        detail: "\(table).\(column.name) is not stored as its own type: set it to a value")
                }
                try sql.append(
                    term: try term.get().assigned(to: "\(table).\(column.name)", scale: column.scale ?? 0))
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
