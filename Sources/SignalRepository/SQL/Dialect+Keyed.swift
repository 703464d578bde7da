// The statements of live queries that are brought up to date by reading what belongs to the rows that changed.
extension Dialect {
    /// The items of a query, in its order, each with its place.
    func select<Root: Fetchable>(
        placed query: FetchQuery<Root>, _ key: [StoredColumn]
    ) throws(RepositoryError) -> SQLText {
        try select(query, adding: try place(of: try SelectStatement(query), key))
    }

    /// Those items of a query, in any order, whose first table has one of some keys; each with its place.
    func select<Root: Fetchable>(
        placed query: FetchQuery<Root>, _ key: [StoredColumn], among keys: [[SQLValue]]
    ) throws(RepositoryError) -> SQLText {
        var statement = try SelectStatement(query)
        statement.narrow(to: key.count == 1 ? .membership(key[0], keys.map { $0[0] }) : .rows(key, keys))
        return try items(of: statement, adding: try place(of: statement, key))
    }

    /// The place of a row in the order of a query: its sort keys, what tells apart rows that are equal in these, and
    /// last the key of the first table.
    private func place(
        of statement: SelectStatement, _ key: [StoredColumn]
    ) throws(RepositoryError) -> [StoredTerm] {
        statement.order.map(\.term) + (try rowOrder(of: statement)) + key.map { .column($0) }
    }

    /// The keys of the first of some tables, for rows to which a table is linked that has one of some values.
    ///
    /// Rows that the query cannot use, by its demands on the tables in between, are left out. Where such a row has
    /// changed itself, its own change leads to its items.
    ///
    /// - Parameters:
    ///   - index: that of the table that has the values.
    ///   - limit: how many keys there are at most.
    func keys(
        of links: TableLinks, dependingOn index: Int, _ values: [SQLValue], limit: Int
    ) throws(RepositoryError) -> SQLText {
        guard let last = links.places[index].link else {
            throw .misuse(detail: "the first table of a query is linked to no other")
        }
        // The tables between the two, from the first one on.
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
