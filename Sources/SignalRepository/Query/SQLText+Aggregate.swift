extension SQLText {
    /// The terms over a column, of everything or of each group.
    static func aggregate<Item: Entity>(
        _ terms: [AggregateTerm], of column: String?, entity: Item.Type, where condition: Condition<Item>?,
        groupedBy key: String?, isWide: Bool
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT ")
        if let key {
            sql.append(name: key)
            sql.append(", ")
        }
        sql.append(terms.map { term($0, of: column ?? "", isWide: isWide) }, separator: ", ")
        sql.append(" FROM ")
        sql.append(name: Item.entityName)
        try sql.append(where: condition)
        if let key {
            sql.append(" GROUP BY ")
            sql.append(name: key)
            sql.append(" ORDER BY ")
            sql.append(name: key)
        }
        return sql
    }

    /// Whether a statement failed because a sum left SQLite's integers on the way.
    static func isIntegerOverflow(_ error: RepositoryError) -> Bool {
        guard case .misuse(let detail) = error else { return false }
        return detail.contains("integer overflow")
    }

    private static func term(_ term: AggregateTerm, of column: String, isWide: Bool) -> SQLText {
        guard isWide, term == .sum else {
            return term.after.map { call(term.before, column, $0) } ?? SQLText(term.before)
        }
        // The high and the low half of each value, which cannot overflow before there are 2^31 rows.
        var sql = call("sum(", column, " >> 32), ")
        sql.append(call("sum(", column, " & 4294967295)"))
        return sql
    }

    private static func call(_ before: StaticString, _ column: String, _ after: StaticString) -> SQLText {
        var sql = SQLText(before)
        sql.append(name: column)
        sql.append(after)
        return sql
    }
}
