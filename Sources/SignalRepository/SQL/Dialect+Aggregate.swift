/// What accompanies a sum when an engine's own is not enough; two columns instead of one.
package enum WideSum: Sendable {
    /// The sums of the high and the low halves of integers.
    case halves
    /// The sum of floating-point numbers, and how many of them are infinite.
    case infinities
}

extension Dialect {
    /// The terms over a column, for everything or for each group.
    package func aggregate<Item: Entity>(
        _ terms: [AggregateTerm], of column: String?, entity: Item.Type, where condition: Condition<Item>?,
        groupedBy key: String?, _ wide: WideSum?
    ) throws(RepositoryError) -> SQLText {
        let results = try terms.map { term throws(RepositoryError) in
            try result(term, of: column ?? "", entity: entity, wide)
        }
        let rows: SQLText = try " FROM \(table: Item.entityName)\(rows(where: condition))"
        guard let key else { return "SELECT \(results)\(rows)" }
        let direction = direction(of: .column(StoredColumn(key, of: nil, isOptional: true)), isDescending: false)
        return "SELECT \(name: key), \(results)\(rows) GROUP BY \(name: key) ORDER BY \(name: key)\(direction)"
    }

    /// The first values of a column in their order, of all rows that pass or of those of one group.
    package func extremes(
        of column: String, in table: String, where test: StoredTest?, group: (column: String, key: SQLValue)?,
        isLeast: Bool, limit: Int
    ) throws(RepositoryError) -> SQLText {
        let column = StoredColumn(column, of: nil)
        var sql: SQLText = "SELECT \(column) FROM \(table: table) WHERE \(column) IS NOT NULL"
        if let test { sql += try " AND \(condition(test))" }
        if let group { sql += " AND \(condition(StoredColumn(group.column, of: nil), isSame: true, as: group.key))" }
        let direction = direction(of: .column(column), isDescending: !isLeast)
        return "\(sql) ORDER BY \(column)\(direction) LIMIT \(bind: .integer(Int64(limit)))"
    }

    private func result<Item: Entity>(
        _ term: AggregateTerm, of column: String, entity: Item.Type, _ wide: WideSum?
    ) throws(RepositoryError) -> SQLText {
        // The stored class decides how the least is found, and what can be added up.
        var known: StoredColumn {
            Item.schema.columns.first { $0.name == column }.map { StoredColumn($0) } ?? StoredColumn(column, of: nil)
        }
        if let wide, term == .sum { return sum(wide, of: known) }
        return switch term {
        case .rows: "count(*)"
        case .count: try result(.count, of: [.column(StoredColumn(column, of: nil))], where: nil)
        case .sum: try result(.sum, of: [.column(known)], where: nil)
        case .minimum: try result(.minimum, of: [.column(known)], where: nil)
        case .maximum: try result(.maximum, of: [.column(known)], where: nil)
        }
    }
}
