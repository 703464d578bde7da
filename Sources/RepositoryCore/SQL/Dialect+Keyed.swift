// The statements of live queries that are re-read by key.
extension Dialect {
    /// Selects the items of a query in its order, each with its position.
    func select<Root: Fetchable>(
        placed query: FetchQuery<Root>, _ key: [StoredColumn]
    ) throws(RepositoryError) -> SQLText {
        try select(query, adding: try place(of: try SelectStatement(query), key))
    }

    /// Selects the items of a query whose first table has one of the keys, in any order, each with its position.
    func select<Root: Fetchable>(
        placed query: FetchQuery<Root>, _ key: [StoredColumn], among keys: [[SQLValue]]
    ) throws(RepositoryError) -> SQLText {
        var statement = try SelectStatement(query)
        statement.narrow(to: key.count == 1 ? .membership(key[0], keys.map { $0[0] }) : .rows(key, keys))
        return try items(of: statement, adding: try place(of: statement, key))
    }

    /// The position of a row in the order of a query: its sort keys, the tie-breakers, and the key of the first table.
    private func place(
        of statement: SelectStatement, _ key: [StoredColumn]
    ) throws(RepositoryError) -> [StoredTerm] {
        statement.order.map(\.term) + (try rowOrder(of: statement)) + key.map { .column($0) }
    }

    /// Selects the keys of the first table's rows that depend on a linked table's rows with one of the given values.
    ///
    /// Rows that fail the tests on the first table and on the tables in between are left out. If such a row has changed
    /// itself, its own change leads to its items.
    ///
    /// - Parameters:
    ///   - index: The index of the table that has the values.
    ///   - limit: The maximum number of keys.
    func keys(
        of links: TableLinks, dependingOn index: Int, _ values: [SQLValue], limit: Int
    ) throws(RepositoryError) -> SQLText {
        guard let last = links.places[index].link else {
            throw .misuse(detail: "the first table of a query has no link to another table")
        }
        // The tables between the two, beginning next to the first one.
        var path: [Int] = []
        var parent = last.parent
        while let link = links.places[parent].link {
            path.insert(parent, at: 0)
            parent = link.parent
        }
        func name(_ place: Int) -> String { "t\(place)" }
        let key = links.key.map { StoredColumn($0, of: name(0)) }
        var sql: SQLText = "SELECT DISTINCT \(key) FROM \(table: links.places[0].table) AS \(name: name(0))"
        for place in path {
            guard let link = links.places[place].link else { continue }
            let (column, other) = (
                StoredColumn(link.column, of: name(place)), StoredColumn(link.other, of: name(link.parent))
            )
            let isLinked = try condition(link.findsNull ? .same : .plain(.equal), .column(column), .column(other))
            sql += " JOIN \(table: links.places[place].table) AS \(name: name(place)) ON \(isLinked)"
        }
        let asked = StoredColumn(last.other, of: name(last.parent))
        let demanded = ([0] + path).flatMap { place in links.places[place].tests.map { $0.labelled(name(place)) } }
        let isAsked = StoredTest.membership(asked, values)
        sql += try rows(where: demanded.isEmpty ? isAsked : .all(demanded + [isAsked]))
        return "\(sql)\(self.limit(limit, offset: nil))"
    }
}
