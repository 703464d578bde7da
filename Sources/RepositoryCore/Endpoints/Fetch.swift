public import Signals

extension Repository {
    /// Fetches the answer of a query: its items or rows, the first of them, their number, a sum and so on.
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
    /// - Delivery: one answer, in the query's order if it is an array; then it finishes.
    /// - Failure: `.decoding` when a stored value does not fit its type, such as a number that is too large;
    ///   `.overflow` when a sum does not; `.misuse` for a property without a column, and for a property that the query
    ///   cannot compute with.
    public func fetch<Query: RepositoryQuery>(_ query: Query) -> Signal<Query.Answer, RepositoryError> {
        signal(for: query.request)
    }

    /// Fetches the answer of a query now and whenever it changes.
    ///
    /// ```swift
    /// let token = repository.follow(Movie.where { $0.studio == nil }.count)
    ///     .sink(onValue: { print($0) }, onCompletion: { _ in })
    /// ```
    /// - Delivery: the current answer, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish. `Documentation/Live.md` lists the queries for which a commit costs only what it changed;
    ///   others are re-read after a commit that changed one of their tables.
    /// - Failure: as `fetch(_:)`, which ends it; `.closed` when the repository is closed.
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
    /// A run uses one connection and holds one item. All items belong to one state of the store, the state when the run
    /// begins to read, even if others commit in between. The write-ahead log cannot be truncated while a run is in
    /// progress, so a sink should not pause for long. Like a live run, it ends when its repository is closed or
    /// released: hold the repository while you read. A store in memory has one connection and reads all items at once.
    ///
    /// - Delivery: each item when it is requested, in the query's order; then it finishes. It ends with `.closed` when
    ///   the repository is closed. Cancelling stops the running statement and releases the connection.
    /// - Failure: `.decoding`, after the items before; `.misuse`.
    /// - Complexity: constant memory, unless SQLite must sort because no index has the query's order.
    public func stream<Query: RowsRepositoryQuery>(_ query: Query) -> Signal<Query.Row, RepositoryError> {
        let rows = query.rows
        return signal(for: .stream(RepositoryCall("stream", rows), rows))
    }

    /// Reports how a query would be executed: which index it uses, and whether it sorts.
    ///
    /// ```swift
    /// let plan = try await repository.explain(Movie.where { $0.studio == "Gramercy" }).value()
    /// print(plan)  // SEARCH Movie USING INDEX index_Movie(studio) (studio=?)
    /// ```
    /// - Delivery: one plan; then it finishes. The query is not executed.
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

    /// Reports how a query would be executed: which index it uses, and whether it sorts.
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
    /// The items, and the rows that cannot be decoded.
    ///
    /// ```swift
    /// let result = try await repository.fetch(Movie.all.lenient).value()
    /// print(result.success.count, result.failed.first?.error ?? "all are well")
    /// ```
    /// - Delivery: the items in the query's order, and the indexes of the rows that fail, each with its error.
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
    /// The steps in the engine's words, each indented below the step that it is part of.
    public let steps: [String]

    /// The steps, one per line.
    public var description: String { steps.joined(separator: "\n") }
}
