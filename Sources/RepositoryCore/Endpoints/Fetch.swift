public import Signals

extension Repository {
    /// Fetches the answer of a query, such as its items or rows, its first item, a count or a sum.
    ///
    /// ```swift
    /// let hits = try await repository.fetch(Movie.where { $0.boxOffice > 1_000_000 }.sorted(by: \.title)).value()
    /// let counts = try await repository.fetch(
    ///     Movie.all.grouped { $0.studio }.aggregate { ($0.id.count(), $0.boxOffice.sum()) }
    /// ).value()
    /// for (studio, count, gross) in counts { print(studio ?? "independent", count, gross) }
    /// let teams = Team.all.including(many: Player.where { $0.rating > 3 }, by: \.teamID)
    ///     .including(parent: Person.all, by: \.coachID)
    /// for team in try await repository.fetch(teams).value() {
    ///     print(team.name, team.included?.name ?? "nobody", team.item.included.count)  // Arsenal Ada 11
    /// }
    /// ```
    /// See `RepositoryQuery` for the kinds of queries.
    /// - Delivery: one answer, in the query's order if it is an array; then the signal finishes.
    /// - Failure: `.decoding` when a stored value does not fit its type, such as a number that is too large;
    ///   `.overflow` when a sum does not fit its type; `.misuse` for a property without a column, and for a property
    ///   whose values the query cannot compute with.
    public func fetch<Query: RepositoryQuery>(_ query: Query) -> Signal<Query.Answer, RepositoryError> {
        signal(for: query.request)
    }

    /// Fetches the answer of a query, now and whenever the answer changes.
    ///
    /// ```swift
    /// let token = repository.follow(Movie.where { $0.studio == nil }.count)
    ///     .sink(onValue: { print($0) }, onCompletion: { _ in })
    /// ```
    /// - Delivery: the current answer and then, in commit order, each answer that differs from the one before; a slow
    ///   sink receives only the latest answer. The signal does not finish. For most queries, the cost of a commit
    ///   depends only on the rows that it changed; other queries are re-read after each commit to one of their tables.
    ///   `Documentation/Live.md` lists both kinds.
    /// - Failure: as `fetch(_:)`; `.closed` when the repository is closed.
    public func follow<Query: LiveRepositoryQuery>(_ query: Query) -> Signal<Query.Answer, RepositoryError> {
        signal(for: query.liveRequest)
    }

    /// Reads the rows of a query one by one, as the sink requests them, for results that are larger than memory.
    ///
    /// ```swift
    /// for try await movie in repository.stream(Movie.all).values {
    ///     print(movie.title)  // Alien
    /// }
    /// ```
    /// Each run uses one connection and holds one item. All items belong to one state of the store: the state when the
    /// run begins to read, even if others commit in between. During a run, SQLite cannot truncate the write-ahead log,
    /// so a sink should not pause for long. A run ends when its repository is closed or released, so hold the
    /// repository while you read. An in-memory store has only one connection, so a run reads all items at once.
    ///
    /// - Delivery: each item when the sink requests it, in the query's order; then the signal finishes. The signal
    ///   fails with `.closed` when the repository is closed. Cancelling stops the running statement and releases the
    ///   connection.
    /// - Failure: `.decoding` at the first item that cannot be decoded, after the items before it; `.misuse`.
    /// - Complexity: constant memory, unless SQLite must sort the rows because no index has the query's order.
    public func stream<Query: RowsRepositoryQuery>(_ query: Query) -> Signal<Query.Row, RepositoryError> {
        let rows = query.rows
        return signal(for: .stream(RepositoryCall("stream", rows), rows))
    }

    /// Reports how the engine would execute a query: which index it would use, and whether it would sort.
    ///
    /// ```swift
    /// let plan = try await repository.explain(Movie.where { $0.studio == "Gramercy" }).value()
    /// print(plan)  // SEARCH Movie USING INDEX index_Movie(studio) (studio=?)
    /// ```
    /// - Delivery: one plan; then the signal finishes. The query is not executed.
    /// - Failure: `.misuse`.
    public func explain<Query: RowsRepositoryQuery>(_ query: Query) -> Signal<QueryPlan, RepositoryError> {
        let rows = query.rows
        return signal(for: .read(RepositoryCall("explain", rows)) { store in try store.plan(of: rows) })
    }
}

extension ReadTransaction {
    /// Fetches the answer of a query.
    ///
    /// - Failure: as `Repository.fetch(_:)`.
    public func fetch<Query: RepositoryQuery>(_ query: Query) throws(RepositoryError) -> Query.Answer {
        try query.answer(in: self)
    }

    /// Reports how the engine would execute a query: which index it would use, and whether it would sort.
    ///
    /// - Failure: `.misuse`.
    public func explain<Query: RowsRepositoryQuery>(_ query: Query) throws(RepositoryError) -> QueryPlan {
        try plan(of: query.rows)
    }

    final func plan<Output>(of rows: RowsQuery<Output>) throws(RepositoryError) -> QueryPlan {
        try checkUsable()
        let select = try rows.sql.text(in: session.dialect)
        return try query(try session.statement(session.dialect.plan(of: select))) { statement throws(RepositoryError) in
            QueryPlan(sql: select.text, steps: try session.dialect.steps(ofPlan: statement))
        }
    }
}

extension FetchQuery where Root: Entity {
    /// A query for the items that can be decoded, with the errors of the rows that cannot be decoded.
    ///
    /// ```swift
    /// let result = try await repository.fetch(Movie.all.lenient).value()
    /// print(result.success.count, result.failed.first?.error ?? "all are well")
    /// ```
    /// - Delivery: the items in the query's order, and the index of each row that cannot be decoded, with its error.
    /// - Failure: `.misuse` for a property without a column. A `.decoding` error is in the result.
    public var lenient: ReadQuery<BatchResult<Root, Int>> {
        ReadQuery(RepositoryCall("fetchLeniently", Root.self)) { store throws(RepositoryError) in
            try store.fetchLeniently(self)
        }
    }
}

extension ReadTransaction {
    fileprivate final func fetchLeniently<Item: Entity>(
        _ query: FetchQuery<Item>
    ) throws(RepositoryError) -> BatchResult<Item, Int> {
        try checkUsable()
        let statement = try session.statement(try session.dialect.select(query))
        return try self.query(statement) { statement throws(RepositoryError) in
            let schema = Item.schema
            var items: [Item] = []
            var failed: [BatchFailure<Int>] = []
            try statement.forEach { row throws(RepositoryError) in
                do throws(RepositoryError) {
                    items.append(try row.item(schema))
                } catch {
                    guard case .decoding = error else { throw error }
                    let index = items.count + failed.count
                    failed.append(BatchFailure(item: index, error: error.at(index)))
                }
            }
            return BatchResult(success: items, failed: failed)
        }
    }
}

/// The engine's plan for executing a query.
public struct QueryPlan: Sendable, Hashable, CustomStringConvertible {
    /// The statement, without its values.
    public let sql: String
    /// The steps in the engine's words; each part of a step is indented below that step.
    public let steps: [String]

    /// The steps, one per line.
    public var description: String { steps.joined(separator: "\n") }
}
