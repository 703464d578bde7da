extension SQLText {
    /// Gives properties new values in every item that passes a condition, or in all of them.
    static func update<Root: Entity>(
        _ type: Root.Type, set assignments: [Assignment<Root>], where condition: Condition<Root>?
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
            // SQLite would take the last of them, without a word.
            guard names.insert(column.name).inserted else {
                throw .misuse(detail: "an update sets \(Root.entityName).\(column.name) twice")
            }
            if index > 0 { sql.append(", ") }
            sql.append(name: column.name)
            sql.append(" = ")
            sql.bind(try column.assigned(assignment.value))
        }
        try sql.append(where: condition)
        return sql
    }

    /// Deletes every item that passes a condition, or all of them.
    static func delete<Root: Entity>(
        _ type: Root.Type, where condition: Condition<Root>?
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("DELETE FROM ")
        sql.append(name: Root.entityName)
        try sql.append(where: condition)
        return sql
    }
}

extension AnyColumn {
    /// A value of an assignment as this column would store it.
    fileprivate func assigned(_ value: any Sendable) throws(RepositoryError) -> SQLValue {
        if let stored = try convert(value) { return stored }
        throw .misuse(detail: "the column \(Root.entityName).\(name) does not hold values of \(type(of: value))")
    }
}
