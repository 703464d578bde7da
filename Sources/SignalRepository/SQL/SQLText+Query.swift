extension SQLText {
    /// The items of a query: their columns, in the order in which a row is read, and then some terms.
    static func select<Root: Fetchable>(
        _ query: FetchQuery<Root>, and test: StoredTest? = nil, adding terms: [StoredTerm] = []
    ) throws(RepositoryError) -> SQLText {
        let statement = try SelectStatement(query)
        var sql = SQLText("SELECT ")
        for (index, table) in statement.tables.enumerated() {
            if index > 0 { sql.append(", ") }
            sql.append(columnsOf: table)
        }
        for term in terms {
            sql.append(", ")
            try sql.append(term: term)
        }
        try sql.append(from: statement)
        try sql.append(where: [statement.test, test].compactMap(\.self))
        try sql.append(orderOf: statement)
        sql.append(limit: query.limit, offset: query.offset)
        return sql
    }

    /// The number of items that a query matches.
    static func count<Root: Fetchable>(_ query: FetchQuery<Root>) throws(RepositoryError) -> SQLText {
        var sql = SQLText("SELECT count(*) FROM (SELECT 1")
        let statement = try SelectStatement(query)
        try sql.append(from: statement)
        try sql.append(where: [statement.test].compactMap(\.self))
        sql.append(limit: query.limit, offset: query.offset)
        sql.append(")")
        return sql
    }

    /// The rows of a selection.
    static func select(_ statement: SelectStatement) throws(RepositoryError) -> SQLText {
        var sql = SQLText(statement.isDistinct ? "SELECT DISTINCT " : "SELECT ")
        for (index, output) in statement.outputs.enumerated() {
            if index > 0 { sql.append(", ") }
            try sql.append(term: output.term)
        }
        try sql.append(from: statement)
        try sql.append(where: [statement.test].compactMap(\.self))
        for (index, group) in statement.groups.enumerated() {
            sql.append(index > 0 ? ", " : " GROUP BY ")
            try sql.append(term: group)
        }
        if let having = statement.having {
            sql.append(" HAVING ")
            try sql.append(test: having)
        }
        try sql.append(orderOf: statement)
        sql.append(limit: statement.limit, offset: statement.offset)
        return sql
    }

    private mutating func append(columnsOf table: SourceTable) {
        if table.label == nil, table.found.isEmpty { return append(quoted: table.columnList) }
        for (index, column) in table.columns.enumerated() {
            if index > 0 { append(", ") }
            append(column: StoredColumn(column, of: table.label))
        }
        for (index, value) in table.found.enumerated() {
            if index > 0 { append(", ") }
            append(value == .rank ? "bm25(" : "snippet(")
            append(name: table.name)
            append(value == .rank ? ")" : ", -1, char(64976), char(64977), '…', 16)")
        }
    }

    /// Writes the tables, and what joins them.
    mutating func append(from statement: SelectStatement) throws(RepositoryError) {
        for (index, table) in statement.tables.enumerated() {
            append(index == 0 ? " FROM " : table.isOptional ? " LEFT JOIN " : " JOIN ")
            append(name: table.name)
            if let label = table.label, label != table.name {
                append(" AS ")
                append(name: label)
            }
            guard index > 0 else { continue }
            guard statement.joins.indices.contains(index - 1) else {
                throw .misuse(detail: "nothing joins \(table.name) to the tables before it")
            }
            append(" ON ")
            try append(test: statement.joins[index - 1])
        }
    }

    /// Writes the order: the sort keys, and what tells rows apart that are equal in all of them.
    mutating func append(orderOf statement: SelectStatement) throws(RepositoryError) {
        var isFirst = true
        func next(_ sql: inout SQLText) {
            sql.append(isFirst ? " ORDER BY " : ", ")
            isFirst = false
        }
        for (term, isDescending) in statement.order {
            next(&self)
            try append(term: term)
            if isDescending { append(" DESC") }
        }
        if statement.isDistinct {
            for output in statement.outputs {
                next(&self)
                try append(term: output.term)
            }
        } else if statement.isInRowOrder {
            for term in try rowOrder(of: statement) {
                next(&self)
                try append(term: term)
                if statement.isReversed { append(" DESC") }
            }
        }
    }

    /// What tells the rows apart.
    ///
    /// Reading a table in its own order costs nothing; ordering a large table by its ids costs several times what
    /// reading it does.
    private func rowOrder(of statement: SelectStatement) throws(RepositoryError) -> [StoredTerm] {
        var terms: [StoredTerm] = []
        for table in statement.tables where !table.columns.isEmpty {
            if statement.order.isEmpty {
                terms.append(.rowNumber(table: table.label))
            } else {
                terms += try table.key.get().map { .column(StoredColumn($0, of: table.label)) }
            }
        }
        return terms
    }

    private mutating func append(limit: Int?, offset: Int?) {
        guard limit != nil || offset != nil else { return }
        append(" LIMIT ")
        bind(.integer(Int64(limit ?? -1)))
        guard let offset else { return }
        append(" OFFSET ")
        bind(.integer(Int64(offset)))
    }
}

/// Statements that read what belongs to many items at once.
extension SQLText {
    /// The items of a query that have one of some values in a column; a limit and an offset are those of each value.
    static func select<Root: Entity>(
        _ query: FetchQuery<Root>, ofEach column: StoredColumn, in values: [SQLValue]
    ) throws(RepositoryError) -> SQLText {
        let limit = query.limit
        let offset = query.offset ?? 0
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
        try sql.append(orderOf: statement)
        sql.append(") AS signal_repository_place")
        try sql.append(from: statement)
        try sql.append(where: [statement.test].compactMap(\.self))
        sql.append(") WHERE signal_repository_place > ")
        sql.bind(.integer(Int64(offset)))
        if let limit {
            sql.append(" AND signal_repository_place <= ")
            sql.bind(.integer(Int64(offset.addingReportingOverflow(limit).overflow ? .max : offset + limit)))
        }
        sql.append(" ORDER BY signal_repository_place")
        return sql
    }

    /// The different pairs of a column that has one of some values, and another value.
    static func pairs<Root: Entity>(
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
        try sql.append(term: value)
        try sql.append(from: statement)
        try sql.append(where: [statement.test].compactMap(\.self))
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
