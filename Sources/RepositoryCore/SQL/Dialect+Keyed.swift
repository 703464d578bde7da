// Statements for live queries that re-read only the items that depend on changed rows, by the keys of the items.
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
        let test: StoredTest = key.count == 1 ? .membership(key[0], keys.map { $0[0] }) : .rows(key, keys)
        return try select(positioned: statement, key, narrowedTo: test)
    }

    /// Selects the items whose row in the first table has the key that is bound when the statement is executed, each
    /// followed by the values that determine its position.
    func selectOne(positioned statement: SelectStatement, _ key: [StoredColumn]) throws(RepositoryError) -> SQLText {
        let tests = key.enumerated().map { StoredTest.terms(.plain(.equal), .column($1), .key($0)) }
        return try select(positioned: statement, key, narrowedTo: .all(tests))
    }

    private func select(
        positioned statement: SelectStatement, _ key: [StoredColumn], narrowedTo test: StoredTest
    ) throws(RepositoryError) -> SQLText {
        var statement = statement
        statement.test = statement.test?.replacing { part in
            guard case .test(.matches(let table, var pattern)) = part else { return nil }
            // Looking up the words of a few rows costs less than finding all rows with these words.
            pattern.isByRow = true
            return .test(.matches(table: table, pattern))
        }
        statement.narrow(to: test)
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

    /// Selects the rows of a table that pass a test, each followed by the row's number if the table has a row order.
    func rows(of table: TableLayout, as label: String?, where test: StoredTest) throws(RepositoryError) -> SQLText {
        var terms = table.columns.map { StoredTerm.column(StoredColumn($0.name, of: label)) }
        if table.hasRowOrder { terms.append(.rowNumber(table: label)) }
        return try "SELECT \(terms.map(term)) FROM \(named(table.name, label)) WHERE \(condition(test))"
    }

    /// Selects the least value that a term has in the rows of a table that pass a test.
    func least(
        _ term: StoredTerm, of table: String, as label: String?, where test: StoredTest
    ) throws(RepositoryError) -> SQLText {
        let least = StoredTerm.operation(.minimum, [term])
        return try "SELECT \(self.term(least)) FROM \(named(table, label)) WHERE \(condition(test))"
    }

    private func named(_ table: String, _ label: String?) -> SQLText {
        label.map { "\(table: table) AS \(name: $0)" } ?? "\(table: table)"
    }

    /// Selects the keys of the first table's rows that depend on some rows of another table; see `TableLinks`.
    ///
    /// The statement omits rows of the first table, and of the tables in between, that fail the query's tests. If the
    /// commit changed such an omitted row, the caller finds the items that depend on it from the change of that row.
    ///
    /// - Parameters:
    ///   - index: The index of the other table.
    ///   - rows: The rows' old or new values in the columns `TableLinks.Occurrence.columns`; `nil` for the value of one
    ///     row of a linked table, which is not NULL, and is bound when the statement is executed.
    func keys(
        of links: TableLinks, dependingOn index: Int, _ rows: [[SQLValue]]?
    ) throws(RepositoryError) -> SQLText {
        // The linked tables from `start` to the other table, without `start`. `start` is the first table, or a table
        // that is joined to the tables before it by a condition other than two equal columns.
        var (path, start): ([Int], Int) = ([], index)
        while let link = links.occurrences[start].link {
            path.insert(start, at: 0)
            start = link.parent
        }
        func name(_ index: Int) -> String {
            index <= start ? links.occurrences[index].label ?? "" : "/\(index)"
        }
        let key = links.key.map { StoredColumn($0, of: name(0)) }
        let joined = path.isEmpty ? start : start + 1
        var sql: SQLText = try "SELECT DISTINCT \(key)\(sources(of: links.statement, first: joined))"
        var tests = (Array(0..<joined) + path.dropLast()).flatMap { index in
            links.occurrences[index].tests.map { $0.labelled(name(index)) }
        }
        if path.isEmpty {
            let join = try condition(links.statement.joins[index - 1])
            sql += " JOIN (\(self.rows(of: links.occurrences[index], rows ?? []))) AS \(name: name(index)) ON \(join)"
        }
        for index in path {
            guard let link = links.occurrences[index].link else { continue }
            let other = StoredColumn(link.other, of: name(link.parent))
            if index == path.last {
                let values = rows.map { $0.map { $0[0] } }
                tests.append(values.map { .membership(other, $0) } ?? .terms(.plain(.equal), .column(other), .key(0)))
                continue
            }
            let column = StoredColumn(link.column, of: name(index))
            let isLinked = try condition(link.findsNull ? .same : .plain(.equal), .column(column), .column(other))
            sql += " JOIN \(table: links.occurrences[index].table) AS \(name: name(index)) ON \(isLinked)"
        }
        return try "\(sql)\(self.rows(where: tests.isEmpty ? nil : .all(tests)))"
    }

    /// Selects constant rows whose columns have the names and types of a table's columns.
    private func rows(of table: TableLinks.Occurrence, _ rows: [[SQLValue]]) -> SQLText {
        let values: [SQLText] = rows.map { "SELECT \(list: $0)" }
        return """
            SELECT \(names: table.columns.map(\.name)) FROM \(table: table.table) WHERE FALSE \
            UNION ALL \(values, separator: " UNION ALL ")
            """
    }
}
