public import Signals

extension Repository {
    /// Reads what a query selects or computes: rows of values, as tuples.
    ///
    /// ```swift
    /// let counts = try await repository.fetch(
    ///     Movie.all.grouped { $0.studio }.aggregate { ($0.id.count(), $0.boxOffice.sum()) }
    /// ).value()
    /// for (studio, count, gross) in counts { print(studio ?? "independent", count, gross) }
    /// ```
    /// - Delivery: one array, in the query's order; then it finishes.
    /// - Failure: `.decoding` when a value does not fit its type, as a number that is too large does; `.overflow` for
    ///   a sum that is; `.misuse` for a property without a column, and for one that nothing can be computed with.
    public func fetch<Output>(_ query: SelectQuery<Output>) -> Signal<[Output], RepositoryError> {
        let rows = query.rows
        return signal(for: .read(oneStatement: RepositoryCall("fetch", rows)) { store in try store.rows(rows) })
    }

    /// Reads the first row that a query selects or computes.
    ///
    /// - Delivery: the row, or `nil` when there is none; then it finishes.
    /// - Failure: as `fetch(_:)`.
    public func first<Output>(_ query: SelectQuery<Output>) -> Signal<Output?, RepositoryError> {
        let rows = query.one.rows
        return signal(for: .read(oneStatement: RepositoryCall("first", rows)) { store in try store.rows(rows).first })
    }

    /// Reads what a query selects or computes, now and whenever it changes.
    ///
    /// - Delivery: the current rows, then each different array, in commit order; a slow sink gets only the latest. It
    ///   does not finish. What is computed of groups follows the rows that change; others are read again after a commit
    ///   that changed one of the tables.
    /// - Failure: as `fetch(_:)`; `.closed` when the repository is closed.
    public func fetchSubscription<Output>(_ query: SelectQuery<Output>) -> Signal<[Output], RepositoryError> {
        signal(for: .follow(RepositoryCall("fetchSubscription", query.rows), query.asLiveQuery)).map { $0.value.rows }
    }

    /// Reads what a query selects one row after another, as they are requested; see `stream(_:)`.
    ///
    /// - Delivery: each row when it is requested, in the query's order; then it finishes. It ends with `.closed` when
    ///   the repository is closed.
    /// - Failure: as `fetch(_:)`, after the rows before.
    public func stream<Output>(_ query: SelectQuery<Output>) -> Signal<Output, RepositoryError> {
        let rows = query.rows
        return signal(for: .stream(RepositoryCall("stream", rows), rows))
    }

    /// Tells how a selection would be executed; see `explain(_:)`.
    ///
    /// - Delivery: one plan; then it finishes. Nothing of the query is executed.
    /// - Failure: `.misuse`.
    public func explain<Output>(_ query: SelectQuery<Output>) -> Signal<QueryPlan, RepositoryError> {
        let rows = query.rows
        return signal(for: .read(RepositoryCall("explain", rows)) { store in try store.plan(of: rows) })
    }
}

extension SelectQuery {
    /// The rows as they are followed.
    var asLiveQuery: LiveQuery<StoredRows<Output>> {
        let rows = rows
        let query = LiveQuery { store in try store.storedRows(rows) }.shared(rows)
        guard case .success(let statement) = statement, let plan = GroupPlan(statement) else { return query }
        // A server adds and rounds in another way.
        let form = GroupsMaintainer.Form(all: { try $0.storedRows(rows) }, one: read)
        return query.maintained([plan.table]) { $0 ? GroupsMaintainer(plan, form) : nil }
    }
}

extension ReadTransaction {
    /// Reads what a query selects or computes: rows of values, as tuples.
    ///
    /// - Failure: as `Repository.fetch(_:)`.
    public func fetch<Output>(_ query: SelectQuery<Output>) throws(RepositoryError) -> [Output] {
        try rows(query.rows)
    }

    /// Reads the first row that a query selects or computes.
    ///
    /// - Failure: as `Repository.fetch(_:)`.
    public func first<Output>(_ query: SelectQuery<Output>) throws(RepositoryError) -> Output? {
        try rows(query.one.rows).first
    }

    /// Tells how a selection would be executed.
    ///
    /// - Failure: `.misuse`.
    public func explain<Output>(_ query: SelectQuery<Output>) throws(RepositoryError) -> QueryPlan {
        try plan(of: query.rows)
    }

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
