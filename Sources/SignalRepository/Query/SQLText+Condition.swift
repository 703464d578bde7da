extension SQLText {
    /// Writes ` WHERE …`, or nothing when there is no condition.
    mutating func append<Root: Entity>(where condition: Condition<Root>?) throws(RepositoryError) {
        guard let condition else { return }
        append(" WHERE ")
        append(try SQLText.test(condition.node, of: Root.self))
    }

    /// Writes one test.
    ///
    /// Tests follow Swift's two values, not SQL's three: `IS` and `IS NOT` where NULL may stand on either side, and
    /// `IS NOT TRUE` for the opposite. AND and OR of tests that may be NULL are true exactly when they are in Swift.
    private static func test<Root: Entity>(
        _ node: Condition<Root>.Node, of entity: Root.Type
    ) throws(RepositoryError) -> SQLText {
        switch node {
        case .comparison(let path, let comparison, let value):
            return try self.comparison(Root.schema.column(for: path), comparison, value)
        case .range(let path, let lower, let upper):
            let column = try Root.schema.column(for: path)
            var sql = SQLText("")
            sql.append(name: column.name)
            sql.append(" BETWEEN ")
            sql.bind(try column.stored(lower))
            sql.append(" AND ")
            sql.bind(try column.stored(upper))
            return sql
        case .membership(let path, let values):
            return try membership(Root.schema.column(for: path), values)
        case .pattern(let path, let pattern):
            var sql = SQLText("")
            sql.append(name: try Root.schema.column(for: path).name)
            sql.append(" LIKE ")
            sql.bind(.text(pattern))
            sql.append(" ESCAPE '\\'")
            return sql
        case .raw(let literal, let values):
            return try raw(literal, values, of: Root.entityName)
        case .all(let nodes):
            return try joined(nodes, " AND ", of: entity)
        case .any(let nodes):
            return try joined(nodes, " OR ", of: entity)
        case .not(let node):
            var sql = SQLText("(")
            sql.append(try test(node, of: entity))
            sql.append(") IS NOT TRUE")
            return sql
        }
    }

    private static func joined<Root: Entity>(
        _ nodes: [Condition<Root>.Node], _ separator: StaticString, of entity: Root.Type
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("(")
        for (index, node) in nodes.enumerated() {
            if index > 0 { sql.append(separator) }
            sql.append(try test(node, of: entity))
        }
        sql.append(")")
        return sql
    }

    private static func comparison<Root: Entity>(
        _ column: AnyColumn<Root>, _ comparison: Comparison, _ value: any ColumnValue
    ) throws(RepositoryError) -> SQLText {
        let stored = try column.stored(value)
        let mayBeNull = column.isOptional || stored == .null
        var sql = SQLText("")
        sql.append(name: column.name)
        switch comparison {
        case .equal: sql.append(mayBeNull ? " IS " : " = ")
        case .notEqual: sql.append(mayBeNull ? " IS NOT " : " <> ")
        case .less: sql.append(" < ")
        case .lessOrEqual: sql.append(" <= ")
        case .greater: sql.append(" > ")
        case .greaterOrEqual: sql.append(" >= ")
        }
        sql.bind(stored)
        return sql
    }

    /// Writes a raw fragment in brackets, on a line of its own so that a comment in it ends there.
    private static func raw(
        _ literal: StaticString, _ values: [any ColumnValue], of entity: String
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("(")
        sql.append(literal)
        sql.append("\n)")
        for value in values {
            sql.append(value: try stored(value, in: literal, of: entity))
        }
        return sql
    }
}

extension AnyColumn {
    /// A value of a condition as this column would store it.
    func stored(_ value: any ColumnValue) throws(RepositoryError) -> SQLValue {
        if let stored = try convert(value) { return stored }
        throw .misuse(detail: "the column \(Root.entityName).\(name) does not hold values of \(type(of: value))")
    }
}
