// Statements of live queries that re-read only the items that depend on changed rows, by the keys of these rows.
extension Dialect {
    /// Selects the rows of a statement in its order, each followed by the values that determine its position.
    func select(positioned statement: SelectStatement, _ key: [StoredColumn]) throws(RepositoryError) -> SQLText {
        try select(statement, adding: try position(of: statement, key))
    }

    /// Selects the items whose row in the first table has one of the keys, in any order, each followed by the values
    /// that determine its position.
    func select(
        positioned statement: SelectStatement, _ key: [StoredColumn], among keys: [[SQLValue]]
    ) throws(RepositoryError) -> SQLText {
        var statement = statement
        statement.test = statement.test?.replacing { part in
            guard case .test(.matches(let table, var pattern)) = part else { return nil }
            // Looking up the words of few rows costs less than finding all rows with these words.
            pattern.isByRow = true
            return .test(.matches(table: table, pattern))
        }
        statement.narrow(to: key.count == 1 ? .membership(key[0], keys.map { $0[0] }) : .rows(key, keys))
        return try items(of: statement, adding: try position(of: statement, key))
    }

    /// Returns the terms that determine the position of a row in a query: its sort keys, the tie-breakers, and the key
    /// of the first table.
    private func position(
        of statement: SelectStatement, _ key: [StoredColumn]
    ) throws(RepositoryError) -> [StoredTerm] {
        let tieBreakers = try statement.isInRowOrder ? rowOrder(of: statement) : []
        return statement.order.map(\.term) + tieBreakers + key.map { .column($0) }
    }

    /// Selects the keys of the first table's rows that are linked to another table by one of the given values.
    ///
    /// The statement omits rows of the first table, and of the tables in between, that fail the query's tests. If the
    /// commit changed such a row as well, that change leads to the items that depend on it.
    ///
    /// - Parameters:
    ///   - index: The index of the other table.
    ///   - limit: The maximum number of keys.
    func keys(
        of links: TableLinks, dependingOn index: Int, _ values: [SQLValue], limit: Int
    ) throws(RepositoryError) -> SQLText {
        guard let last = links.occurrences[index].link else {
            throw .misuse(detail: "the first table of a query has no link to another table")
        }
        // The tables between the first table and the other one, beginning next to the first.
        var path: [Int] = []
        var parent = last.parent
        while let link = links.occurrences[parent].link {
            path.insert(parent, at: 0)
            parent = link.parent
        }
        func name(_ index: Int) -> String { "t\(index)" }
        let key = links.key.map { StoredColumn($0, of: name(0)) }
        var sql: SQLText = "SELECT DISTINCT \(key) FROM \(table: links.occurrences[0].table) AS \(name: name(0))"
        for index in path {
            guard let link = links.occurrences[index].link else { continue }
            let (column, other) = (
                StoredColumn(link.column, of: name(index)), StoredColumn(link.other, of: name(link.parent))
            )
            let isLinked = try condition(link.findsNull ? .same : .plain(.equal), .column(column), .column(other))
            sql += " JOIN \(table: links.occurrences[index].table) AS \(name: name(index)) ON \(isLinked)"
        }
        let linked = StoredColumn(last.other, of: name(last.parent))
        let demanded = ([0] + path).flatMap { index in links.occurrences[index].tests.map { $0.labelled(name(index)) } }
        let isLinkedToValues = StoredTest.membership(linked, values)
        sql += try rows(where: demanded.isEmpty ? isLinkedToValues : .all(demanded + [isLinkedToValues]))
        return "\(sql)\(self.limit(limit, offset: nil))"
    }
}
