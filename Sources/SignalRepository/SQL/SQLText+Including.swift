/// Statements that read what belongs to many items at once.
extension SQLText {
    /// The items of a query that have one of some values in a column; a limit and an offset are those of each value.
    static func select<Root: Entity>(
        _ query: FetchQuery<Root>, ofEach column: StoredColumn, in values: [SQLValue]
    ) throws(RepositoryError) -> SQLText {
        let limit = query.limit
        let offset = query.offset ?? 0
        var whole = query.where(Condition { () throws(RepositoryError) in .membership(column, values) })
        (whole.limit, whole.offset) = (nil, nil)
        guard limit != nil || offset > 0 else { return try select(whole) }
        let columns = Root.schema.nameList
        var sql = SQLText("SELECT ")
        sql.append(quoted: columns)
        sql.append(" FROM (SELECT ")
        sql.append(quoted: columns)
        sql.append(", row_number() OVER (PARTITION BY ")
        sql.append(column: column)
        let statement = try SelectStatement(whole)
        try sql.append(orderOf: statement)
        sql.append(") AS signal_repository_place")
        try sql.append(from: statement)
        try sql.append(where: [statement.test].compactMap(\.self))
        sql.append(") WHERE signal_repository_place > ")
        sql.bind(.integer(Int64(offset)))
        if let limit {
            sql.append(" AND signal_repository_place <= ")
            sql.bind(.integer(Int64(offset.addingReportingOverflow(limit).overflow ? .max : offset + limit)))
        }
        sql.append(" ORDER BY signal_repository_place")
        return sql
    }

    /// The different pairs of a column that has one of some values, and another value.
    static func pairs<Root: Entity>(
        _ column: StoredColumn, _ value: StoredTerm, of query: FetchQuery<Root>, in values: [SQLValue]
    ) throws(RepositoryError) -> SQLText {
        guard query.limit == nil, query.offset == nil else {
            throw .misuse(
                detail: "a limit or an offset of \(Root.entityName) would be one of all that is counted or joined")
        }
        let statement = try SelectStatement(
            query.where(Condition { () throws(RepositoryError) in .membership(column, values) }))
        var sql = SQLText("SELECT ")
        sql.append(column: column)
        sql.append(", ")
        try sql.append(term: value)
        try sql.append(from: statement)
        try sql.append(where: [statement.test].compactMap(\.self))
        sql.append(" GROUP BY ")
        sql.append(column: column)
        // What is computed of a group is no part of what tells it from others.
        if case .column(let other) = value {
            sql.append(", ")
            sql.append(column: other)
        }
        return sql
    }
}
