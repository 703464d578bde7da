extension FetchQuery: RowsRepositoryQuery {
    /// The statement of the query.
    public var rows: RowsQuery<Root> {
        let source = Root.fetchSource
        return RowsQuery(
            sql: QuerySQL { dialect throws(RepositoryError) in try dialect.select(self) }, read: source.read,
            readAll: source.readAll, tables: source.tables.names)
    }

    /// Reads all items.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> [Root] {
        // `rows` is not used, because its `QuerySQL` caches the text, which is needed only once here.
        try store.rows({ dialect throws(RepositoryError) in try dialect.select(self) }, Root.fetchSource.readAll)
    }

    /// A query for the last item; its answer is `nil` if there are no items.
    ///
    /// - Complexity: reads one item, by reversing the order; with a limit or an offset, reads all items of the query.
    public var last: LastQuery<Root> { LastQuery(self) }
}

extension FetchQuery: LiveRepositoryQuery where Root: Equatable {
    /// The request that follows the items.
    public var liveRequest: Request<[Root]> { .values(RepositoryCall("fetchSubscription", rows), followedItems { $0 }) }

    /// Returns the live query for a part of the items; `name` identifies the part, and is empty for all items.
    func followedItems(
        named name: String = "", _ part: @escaping @Sendable ([Root]) -> [Root]
    ) -> LiveQuery<[Root]> {
        let (rows, texts) = (rows, StoredTexts<Root>())
        let live = LiveQuery<[Root]>(isSame: { $0 == $1 && texts.areSame($0, $1) }) { store in
            part(try store.rows(rows))
        }
        return live.following(self, rows, named: name) { part($0.array) }
    }
}

extension SelectQuery: RowsRepositoryQuery {
    /// The statement of the query.
    public var rows: RowsQuery<Output> {
        var tables: [String] = []
        var decodingDetails: [String] = []
        if case .success(let statement) = statement {
            tables = statement.tables.names
            decodingDetails = statement.outputs.map { output in
                // Two entities of one table may decode a column differently.
                let column = output.column.flatMap { $0.isPlain ? nil : ($0.name, type(of: $0.path).rootType) }
                return "\(output.scale) \(column.map { "\($0) \(ObjectIdentifier($1))" } ?? "")"
            }
        }
        return RowsQuery(
            sql: QuerySQL { [statement] dialect throws(RepositoryError) in try dialect.select(try statement.get()) },
            read: read,
            readAll: { [read] statement throws(RepositoryError) in try statement.readAll(read) }, tables: tables,
            decodingDetails: decodingDetails)
    }

    /// Reads all rows.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> [Output] { try store.rows(rows) }
}

extension SelectQuery: LiveRepositoryQuery {
    /// The request that follows the rows; two answers are compared by their stored values.
    public var liveRequest: Request<[Output]> {
        let rows = rows
        return Request.follow(RepositoryCall("fetchSubscription", rows), following(rows)).map { $0.value.rows }
    }

    private func following(_ rows: RowsQuery<Output>) -> LiveQuery<StoredRows<Output>> {
        let query = LiveQuery { store in try store.storedRows(rows) }
            .shared(Output.self, rows.sql, rows.decodingDetails)
        guard case .success(let statement) = statement else { return query }
        if statement.groupOutputs == nil, !statement.isDistinct {
            return query.following(listOf: statement, ListRead(width: statement.outputs.count, read)) { [read] layout in
                RowReader(statement, layout) { try Self.row(of: $0, read) }
            }
        }
        return query.following(groupsOf: statement) { [read] plan in
            let element = { group in
                try plan.shown(group) { values throws(RepositoryError) in try Self.row(of: values, read) }
            }
            return GroupsMaintainer.OutputBuilder(element: element) { groups, order in
                let groups = plan.rows(of: groups, in: order)
                var (rows, values): ([Output], [[SQLValue]]) = ([], [])
                rows.reserveCapacity(groups.count)
                values.reserveCapacity(groups.count)
                for group in groups {
                    guard let row = group.row as? ReadRow<Output> else { throw RowFault() }
                    rows.append(try row.row.get())
                    values.append(group.values)
                }
                return StoredRows(rows: rows, values: values)
            }
        }
    }

    private static func row(
        of values: [SQLValue], _ read: (RowSource) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        // Safe because the values stay in place while `read` uses them, and there is one value for each output.
        try values.withUnsafeBufferPointer { values in
            Result { () throws(RepositoryError) in try read(RowSource(values: values.baseAddress)) }
        }.get()
    }
}

extension ReadTransaction {
    fileprivate func storedRows<Output>(_ rows: RowsQuery<Output>) throws(RepositoryError) -> StoredRows<Output> {
        try checkUsable()
        return try query(try session.statement(rows.sql)) { statement throws(RepositoryError) in
            let read = try statement.all { statement throws(RepositoryError) in
                (row: try rows.read(statement.row), values: try statement.values())
            }
            return StoredRows(rows: read.map(\.row), values: read.map(\.values))
        }
    }
}
