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
        var sql = SQLText("SELECT ")
        if let key {
            sql.append(name: key)
            sql.append(", ")
        }
        for (index, term) in terms.enumerated() {
            if index > 0 { sql.append(", ") }
            try append(term, of: column ?? "", entity: entity, wide, to: &sql)
        }
        sql.append(" FROM ")
        sql.append(table: Item.entityName)
        try append(where: condition, to: &sql)
        if let key {
            sql.append(" GROUP BY ")
            sql.append(name: key)
            sql.append(" ORDER BY ")
            sql.append(name: key)
            append(isDescending: false, of: .column(StoredColumn(key, of: nil, isOptional: true)), to: &sql)
        }
        return sql
    }

    /// The first values of a column in their order, of all rows that pass or of those of one group.
    package func extremes(
        of column: String, in table: String, where test: StoredTest?, group: (column: String, key: SQLValue)?,
        isLeast: Bool, limit: Int
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT ")
        sql.append(name: column)
        sql.append(" FROM ")
        sql.append(table: table)
        sql.append(" WHERE ")
        sql.append(name: column)
        sql.append(" IS NOT NULL")
        if let test {
            sql.append(" AND ")
            try append(test, to: &sql)
        }
        if let group {
            sql.append(" AND ")
            append(StoredColumn(group.column, of: nil), isSame: true, as: group.key, to: &sql)
        }
        sql.append(" ORDER BY ")
        sql.append(name: column)
        append(isDescending: !isLeast, of: .column(StoredColumn(column, of: nil)), to: &sql)
        sql.append(" LIMIT ")
        sql.bind(.integer(Int64(limit)))
        return sql
    }

    private func append<Item: Entity>(
        _ term: AggregateTerm, of column: String, entity: Item.Type, _ wide: WideSum?, to sql: inout SQLText
    ) throws(RepositoryError) {
        // The stored class decides how the least is found, and what can be added up.
        var known: StoredColumn {
            Item.schema.columns.first { $0.name == column }.map { StoredColumn($0) } ?? StoredColumn(column, of: nil)
        }
        if let wide, term == .sum { return append(wide, of: known, to: &sql) }
        switch term {
        case .rows: sql.append("count(*)")
        case .count: try append(.count, of: [.column(StoredColumn(column, of: nil))], where: nil, to: &sql)
        case .sum: try append(.sum, of: [.column(known)], where: nil, to: &sql)
        case .minimum: try append(.minimum, of: [.column(known)], where: nil, to: &sql)
        case .maximum: try append(.maximum, of: [.column(known)], where: nil, to: &sql)
        }
    }
}
