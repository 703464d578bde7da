extension Dialect {
    /// The items of a query: their columns, in the order in which a row is read, and then some terms.
    package func select<Root: Fetchable>(
        _ query: FetchQuery<Root>, and test: StoredTest? = nil, adding terms: [StoredTerm] = []
    ) throws(RepositoryError) -> SQLText {
        let statement = try SelectStatement(query)
        var sql = try items(of: statement, and: test, adding: terms)
        try append(orderOf: statement, to: &sql)
        append(limit: query.limit, offset: query.offset, to: &sql)
        return sql
    }

    /// The items of a statement, in any order: their columns, in the order in which a row is read, and then some terms.
    func items(
        of statement: SelectStatement, and test: StoredTest?, adding terms: [StoredTerm]
    ) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT ")
        for (index, table) in statement.tables.enumerated() {
            if index > 0 { sql.append(", ") }
            try append(columnsOf: table, to: &sql)
        }
        for term in terms {
            sql.append(", ")
            try append(term, to: &sql)
        }
        try append(from: statement, to: &sql)
        try append(where: [statement.test, test].compactMap(\.self), to: &sql)
        return sql
    }

    /// The number of items that a query matches.
    package func count<Root: Fetchable>(_ query: FetchQuery<Root>) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT count(*) FROM (SELECT 1")
        let statement = try SelectStatement(query)
        try append(from: statement, to: &sql)
        try append(where: [statement.test].compactMap(\.self), to: &sql)
        append(limit: query.limit, offset: query.offset, to: &sql)
        sql.append(") AS items")
        return sql
    }

    /// The rows of a selection.
    package func select(_ statement: SelectStatement) throws(RepositoryError) -> SQLText {
        var sql = SQLText(statement.isDistinct ? "SELECT DISTINCT " : "SELECT ")
        for (index, output) in statement.outputs.enumerated() {
            if index > 0 { sql.append(", ") }
            try append(output.term, to: &sql)
        }
        try append(from: statement, to: &sql)
        try append(where: [statement.test].compactMap(\.self), to: &sql)
        for (index, group) in statement.groups.enumerated() {
            sql.append(index > 0 ? ", " : " GROUP BY ")
            try append(group, to: &sql)
        }
        if let having = statement.having {
            sql.append(" HAVING ")
            try append(having, to: &sql)
        }
        try append(orderOf: statement, to: &sql)
        append(limit: statement.limit, offset: statement.offset, to: &sql)
        return sql
    }

    func append(columnsOf table: SourceTable, to sql: inout SQLText) throws(RepositoryError) {
        if table.label == nil, table.found.isEmpty { return sql.append(quoted: table.columnList) }
        for (index, column) in table.columns.enumerated() {
            if index > 0 { sql.append(", ") }
            sql.append(column: StoredColumn(column, of: table.label))
        }
        for (index, value) in table.found.enumerated() {
            if index > 0 { sql.append(", ") }
            append(value, of: table.name, to: &sql)
        }
    }

    /// Writes the tables, and what joins them.
    func append(from statement: SelectStatement, to sql: inout SQLText) throws(RepositoryError) {
        for (index, table) in statement.tables.enumerated() {
            sql.append(index == 0 ? " FROM " : table.isOptional ? " LEFT JOIN " : " JOIN ")
            let join = statement.joins.indices.contains(index - 1) ? statement.joins[index - 1] : nil
            if case .found(let item, let pattern) = join {
                append(searchOf: item, for: pattern, to: &sql)
                continue
            }
            sql.append(table: table.name)
            if let label = table.label, label != table.name {
                sql.append(" AS ")
                sql.append(name: label)
            }
            guard index > 0 else { continue }
            guard let join else {
                throw .misuse(detail: "nothing joins \(table.name) to the tables before it")
            }
            sql.append(" ON ")
            try append(join, to: &sql)
        }
    }

    /// Writes the order: the sort keys, and what tells rows apart that are equal in all of them.
    private func append(orderOf statement: SelectStatement, to sql: inout SQLText) throws(RepositoryError) {
        var keys = statement.order
        if statement.isDistinct {
            keys += statement.outputs.map { (term: $0.term, isDescending: false) }
        } else if statement.isInRowOrder {
            for term in try rowOrder(of: statement) { keys.append((term, statement.isReversed)) }
        }
        for (index, key) in keys.enumerated() {
            sql.append(index == 0 ? " ORDER BY " : ", ")
            try append(key.term, to: &sql)
            append(isDescending: key.isDescending, of: key.term, to: &sql)
        }
    }

    /// What tells the rows apart.
    ///
    /// Reading a table in its own order costs nothing; ordering a large table by its ids costs several times what
    /// reading it does.
    func rowOrder(of statement: SelectStatement) throws(RepositoryError) -> [StoredTerm] {
        var terms: [StoredTerm] = []
        for table in statement.tables where !table.columns.isEmpty {
            terms += try statement.order.isEmpty ? order(of: table) : table.keyColumns
        }
        return terms
    }
}

extension SourceTable {
    /// The columns of the key.
    package var keyColumns: [StoredTerm] {
        get throws(RepositoryError) { try key.get().map { .column(StoredColumn($0, of: label)) } }
    }
}

/// Statements that read what belongs to many items at once.
extension Dialect {
    /// The items of a query that have one of some values in a column; a limit and an offset are those of each value.
    package func select<Root: Entity>(
        _ query: FetchQuery<Root>, ofEach column: StoredColumn, in values: [SQLValue]
    ) throws(RepositoryError) -> SQLText {
        let limit = query.limit
        let offset = query.offset ?? 0
        if limit != nil || offset > 0, let value = values.first, values.count == 1 {
            // With the limit of the statement, an index in the query's order gives the first rows alone.
            return try select(query.where(Condition { .comparison(column, .equal, value) }))
        }
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
        try append(orderOf: statement, to: &sql)
        sql.append(") AS signal_repository_place")
        try append(from: statement, to: &sql)
        try append(where: [statement.test].compactMap(\.self), to: &sql)
        sql.append(") AS places WHERE signal_repository_place > ")
        sql.bind(.integer(Int64(offset)))
        if let limit {
            sql.append(" AND signal_repository_place <= ")
            sql.bind(.integer(Int64(offset.addingReportingOverflow(limit).overflow ? .max : offset + limit)))
        }
        sql.append(" ORDER BY signal_repository_place")
        return sql
    }

    /// The different pairs of a column that has one of some values, and another value.
    package func pairs<Root: Entity>(
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
        try append(value, to: &sql)
        try append(from: statement, to: &sql)
        try append(where: [statement.test].compactMap(\.self), to: &sql)
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
