extension Dialect {
    /// Selects the items of a query: their columns, in the order in which a row is read, and then the added terms.
    package func select<Root: Fetchable>(
        _ query: FetchQuery<Root>, and test: StoredTest? = nil, adding terms: [StoredTerm] = []
    ) throws(RepositoryError) -> SQLText {
        var statement = try SelectStatement(query)
        if let test { statement.narrow(to: test) }
        return try select(statement, adding: terms)
    }

    /// Selects the items of a statement in any order: their columns, in the order in which a row is read, and then the
    /// added terms.
    func items(of statement: SelectStatement, adding terms: [StoredTerm] = []) throws(RepositoryError) -> SQLText {
        try items(of: statement, outputs(of: statement), adding: terms)
    }

    private func outputs(of statement: SelectStatement) throws(RepositoryError) -> [SQLText] {
        try statement.outputs.map { output throws(RepositoryError) in try term(output.term) }
    }

    private func items(
        of statement: SelectStatement, _ outputs: [SQLText], adding terms: [StoredTerm]
    ) throws(RepositoryError) -> SQLText {
        if outputs.isEmpty, terms.isEmpty, !statement.isDistinct, statement.tables.count == 1,
            let table = statement.tables.first, table.label == nil
        {
            // Most statements read the rows of one table.
            return try "SELECT \(quoted: table.columnList) FROM \(table: table.name)\(rows(where: statement.test))"
        }
        let values = outputs.isEmpty ? statement.tables.map(columns) : outputs
        return try """
        SELECT \(statement.isDistinct ? "DISTINCT " : "")\(values + terms.map(term))\(sources(of: statement))\
        \(rows(where: statement.test))
        """
    }

    package func count<Root: Fetchable>(_ query: FetchQuery<Root>) throws(RepositoryError) -> SQLText {
        let statement = try SelectStatement(query)
        return try """
        SELECT count(*) FROM (SELECT 1\(sources(of: statement))\(rows(where: statement.test))\
        \(limit(query.limit, offset: query.offset))) AS items
        """
    }

    package func select(
        _ statement: SelectStatement, adding terms: [StoredTerm] = []
    ) throws(RepositoryError) -> SQLText {
        let outputs = try outputs(of: statement)
        var sql = try items(of: statement, outputs, adding: terms)
        let needsOutputs = statement.isDistinct || !statement.groups.isEmpty
        func key(_ term: StoredTerm) throws(RepositoryError) -> SQLText {
            let key = try self.term(term)
            // A key that contains parameters is written as the number of its output. PostgreSQL would take copies with
            // different parameters, such as two lists, for different expressions, and reject the statement.
            guard needsOutputs, !key.bindings.isEmpty, let index = outputs.firstIndex(of: key) else { return key }
            return "\(quoted: String(index + 1))"
        }
        if !statement.groups.isEmpty { sql += try " GROUP BY \(statement.groups.map(key))" }
        if let having = statement.having { sql += try " HAVING \(condition(having))" }
        // In ORDER BY, PostgreSQL takes a name without a table for the name of an output, and names a computed output
        // after its column or function.
        let isComputed = !terms.isEmpty || statement.outputs.contains { $0.term.column == nil }
        let table = isComputed ? statement.tables.first.map { $0.label ?? $0.name } : nil
        sql += try order(of: statement) { term throws(RepositoryError) in
            if let table, let column = term.column, column.table == nil { return "\(StoredColumn(column, of: table))" }
            return try key(term)
        }
        sql += limit(statement.limit, offset: statement.offset)
        return sql
    }

    private func columns(of table: SourceTable) -> SQLText {
        if table.label == nil, table.found.isEmpty { return "\(quoted: table.columnList)" }
        let columns: [SQLText] = table.columns.map { "\(StoredColumn($0, of: table.label))" }
        return "\(columns + table.found.map { value($0, of: table.name) })"
    }

    /// Returns ` FROM …`: the first `count` tables, by default all, with their join conditions.
    func sources(of statement: SelectStatement, first count: Int = .max) throws(RepositoryError) -> SQLText {
        var sql: SQLText = ""
        for (index, table) in statement.tables.prefix(count).enumerated() {
            sql += index == 0 ? " FROM " : table.isOptional ? " LEFT JOIN " : " JOIN "
            let join = statement.joins.indices.contains(index - 1) ? statement.joins[index - 1] : nil
            if case .found(let item, let pattern) = join {
                sql += searchIndex(of: item, for: pattern)
                continue
            }
            sql += "\(table: table.name)"
            if let label = table.label, label != table.name { sql += " AS \(name: label)" }
            guard index > 0 else { continue }
            guard let join else {
                throw .misuse(detail: "the query has no condition that joins \(table.name) to the tables before it")
            }
            sql += try " ON \(condition(join))"
        }
        return sql
    }

    /// Returns ` ORDER BY …`: the sort keys, and then the tie-breakers.
    private func order(
        of statement: SelectStatement, _ term: (StoredTerm) throws(RepositoryError) -> SQLText
    ) throws(RepositoryError) -> SQLText {
        var keys = statement.order
        if statement.isDistinct {
            keys += statement.outputs.map { (term: $0.term, isDescending: false) }
        } else if statement.isInRowOrder {
            for term in try rowOrder(of: statement) {
                if let column = term.column, keys.contains(where: { statement.isSame(column, as: $0.term.column) }) {
                    continue
                }
                keys.append((term, statement.isReversed))
            }
        }
        guard !keys.isEmpty else { return "" }
        let order = try keys.map { key throws(RepositoryError) -> SQLText in
            try "\(term(key.term))\(direction(of: key.term, isDescending: key.isDescending))"
        }
        return " ORDER BY \(order)"
    }

    /// Returns the tie-breakers of a query: the row order of each table if there are no sort keys, otherwise the
    /// tables' keys.
    ///
    /// Reading a table in its row order costs nothing extra. Sorting a large table by its ids costs several times as
    /// much as reading the table.
    func rowOrder(of statement: SelectStatement) throws(RepositoryError) -> [StoredTerm] {
        var terms: [StoredTerm] = []
        for table in statement.tables where !table.columns.isEmpty {
            terms += try statement.order.isEmpty ? order(of: table) : table.keyColumns
        }
        return terms
    }
}

extension SourceTable {
    package var keyColumns: [StoredTerm] {
        get throws(RepositoryError) { try key.get().map { .column(StoredColumn($0, of: label)) } }
    }
}

/// Statements that read the related items of many items at once.
extension Dialect {
    /// Selects the items of a query that have one of the values in a column.
    ///
    /// Limit and offset apply to each value separately.
    package func select<Root: Entity>(
        _ query: FetchQuery<Root>, ofEach column: StoredColumn, in values: [SQLValue]
    ) throws(RepositoryError) -> SQLText {
        let limit = query.limit
        let offset = query.offset ?? 0
        if limit != nil || offset > 0, let value = values.first, values.count == 1 {
            // If the statement itself has the limit, and an index has the query's order, only the first rows are read.
            return try select(query.where(Condition { .comparison(column, .equal, value) }))
        }
        var unlimited = query.where(Condition { () throws(RepositoryError) in .membership(column, values) })
        (unlimited.limit, unlimited.offset) = (nil, nil)
        guard limit != nil || offset > 0 else { return try select(unlimited) }
        let (columns, statement) = (Root.schema.nameList, try SelectStatement(unlimited))
        var sql: SQLText = try """
        SELECT \(quoted: columns) FROM (SELECT \(quoted: columns), \
        row_number() OVER (PARTITION BY \(column)\(order(of: statement, term))) AS signal_repository_position\
        \(sources(of: statement))\(rows(where: statement.test))) AS positions \
        WHERE signal_repository_position > \(bind: .integer(Int64(offset)))
        """
        if let limit {
            let last = offset.addingReportingOverflow(limit).overflow ? .max : offset + limit
            sql += " AND signal_repository_position <= \(bind: .integer(Int64(last)))"
        }
        return "\(sql) ORDER BY signal_repository_position"
    }

    /// Selects the distinct pairs of a column and a term, for the rows that have one of the values in the column.
    package func pairs<Root: Entity>(
        _ column: StoredColumn, _ value: StoredTerm, of query: FetchQuery<Root>, in values: [SQLValue]
    ) throws(RepositoryError) -> SQLText {
        guard query.limit == nil, query.offset == nil else {
            throw .misuse(
                detail: "a query of \(Root.entityName) that is counted or joined cannot have a limit or an offset")
        }
        let statement = try SelectStatement(
            query.where(Condition { () throws(RepositoryError) in .membership(column, values) }))
        var sql: SQLText = try """
        SELECT \(column), \(term(value))\(sources(of: statement))\(rows(where: statement.test)) GROUP BY \(column)
        """
        // GROUP BY must name a column, but not a computed value, such as a count, which has one result in each group.
        if case .column(let other) = value { sql += ", \(other)" }
        return sql
    }
}
