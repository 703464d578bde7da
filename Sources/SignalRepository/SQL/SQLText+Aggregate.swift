/// What accompanies a sum when SQLite's own is not enough; two columns instead of one.
enum WideSum: Sendable {
    /// The sums of the high and the low halves of integers.
    case halves
    /// The sum of floating-point numbers, and how many of them are infinite.
    case infinities
}

extension SQLText {
    /// The terms over a column, for everything or for each group.
    static func aggregate<Item: Entity>(
        _ terms: [AggregateTerm], of column: String?, entity: Item.Type, where condition: Condition<Item>?,
        groupedBy key: String?, _ wide: WideSum?
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT ")
        if let key {
            sql.append(name: key)
            sql.append(", ")
        }
        sql.append(terms.map { term($0, of: column ?? "", wide) }, separator: ", ")
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

    /// The first values of a column in their order, of all rows that pass or of those of one group.
    static func extremes(
        of column: String, in table: String, where test: StoredTest?, group: (column: String, key: SQLValue)?,
        isLeast: Bool, limit: Int
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT ")
        sql.append(name: column)
        sql.append(" FROM ")
        sql.append(name: table)
        sql.append(" WHERE ")
        sql.append(name: column)
        sql.append(" IS NOT NULL")
        if let test {
            sql.append(" AND ")
            try sql.append(test: test)
        }
        if let group {
            sql.append(" AND ")
            sql.append(name: group.column)
            sql.append(" IS ")
            sql.bind(group.key)
        }
        sql.append(" ORDER BY ")
        sql.append(name: column)
        if !isLeast { sql.append(" DESC") }
        sql.append(" LIMIT ")
        sql.bind(.integer(Int64(limit)))
        return sql
    }

    private static func term(_ term: AggregateTerm, of column: String, _ wide: WideSum?) -> SQLText {
        guard let wide, term == .sum else {
            return switch term {
            case .rows: SQLText("count(*)")
            case .count: call("count(", column, ")")
            case .sum: call("sum(", column, ")")
            case .minimum: call("min(", column, ")")
            case .maximum: call("max(", column, ")")
            }
        }
        var sql: SQLText
        switch wide {
        case .halves:
            // The high and the low half of each value, whose sums cannot overflow with fewer than 2^31 rows.
            sql = call("sum(", column, " >> 32), ")
            sql.append(call("sum(", column, " & 4294967295)"))
        case .infinities:
            sql = call("sum(", column, "), ")
            sql.append(call("count(*) FILTER (WHERE ", column, " IN (9e999, -9e999))"))
        }
        return sql
    }

    private static func call(_ before: StaticString, _ column: String, _ after: StaticString) -> SQLText {
        var sql = SQLText(before)
        sql.append(name: column)
        sql.append(after)
        return sql
    }
}
