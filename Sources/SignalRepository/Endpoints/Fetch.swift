public import Signals

extension Repository {
    /// Fetches the items that a query describes.
    ///
    /// ```swift
    /// let hits = try await repository.fetch(Movie.where { $0.boxOffice > 1_000_000 }.sorted(by: \.title)).value()
    /// ```
    /// - Delivery: one array, in the query's order; then it finishes.
    /// - Failure: `.decoding` when a stored value does not fit its property's type; `.misuse` for a property without a
    ///   column.
    public func fetch<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<[Item], RepositoryError> {
        let rows = query.rows
        return signal(for: .read(oneStatement: RepositoryCall("fetch", rows)) { store in try store.rows(rows) })
    }

    /// Fetches the items that a query describes, now and whenever they change.
    ///
    /// ```swift
    /// let token = repository.fetchSubscription(Movie.where { $0.studio == nil })
    ///     .sink(onValue: { print($0.count) }, onCompletion: { _ in })
    /// ```
    /// - Delivery: the current array, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `fetch(_:)`; `.closed` when the repository is closed.
    public func fetchSubscription<Item: Entity & Equatable>(
        _ query: FetchQuery<Item>
    ) -> Signal<[Item], RepositoryError> {
        let rows = query.rows
        let live = LiveQuery(items: { store in try store.rows(rows) }).following(query) { $0.array }
        return signal(for: .values(RepositoryCall("fetchSubscription", Item.self), live))
    }

    /// Fetches what a join makes of several entities, now and whenever it changes.
    ///
    /// - Delivery: the current array, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish. A commit costs what it changed where the sides are joined by equal columns; otherwise, or for
    ///   a search, it is read again.
    /// - Failure: as `fetch(_:)`; `.closed` when the repository is closed.
    public func fetchSubscription<Item: Fetchable & Equatable>(
        _ query: FetchQuery<Item>
    ) -> Signal<[Item], RepositoryError> {
        let rows = query.rows
        return signal(for: .values(RepositoryCall("fetchSubscription", rows), query.asLiveQuery(rows)))
    }

    /// Does not compile: a live result is compared with the one before.
    ///
    /// - Delivery: nothing.
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "a live result is compared with the one before: make its type Equatable")
    public func fetchSubscription<Item: Fetchable>(
        _ query: FetchQuery<Item>
    ) -> Signal<[Item], RepositoryError> {
        refused(.misuse(detail: "a live result is compared with the one before"))
    }

    /// Fetches the items that a query describes, and reports the rows that cannot be decoded.
    ///
    /// ```swift
    /// let result = try await repository.fetchLeniently(Movie.all).value()
    /// print(result.success.count, result.failed.first?.error ?? "all are well")
    /// ```
    /// - Delivery: one `BatchResult`: the items in the query's order, and the places in it of the rows that are none,
    ///   each with its error; then it finishes.
    /// - Failure: `.misuse` for a property without a column. A `.decoding` error is in the result.
    public func fetchLeniently<Item: Entity>(
        _ query: FetchQuery<Item>
    ) -> Signal<BatchResult<Item, Int>, RepositoryError> {
        signal(for: .read(RepositoryCall("fetchLeniently", Item.self)) { store in try store.fetchLeniently(query) })
    }
}

extension FetchQuery where Root: Equatable {
    /// The result as it is followed, of a join or a search.
    func asLiveQuery(_ rows: RowsQuery<Root>) -> LiveQuery<[Root]> {
        LiveQuery<[Root]>(items: { store in try store.rows(rows) }).shared(rows)
            .following(self, try? tableLinks(), KeyedForm(items: { $0.array }))
    }
}

extension ReadTransaction {
    /// Fetches the items that a query describes.
    public func fetch<Item: Fetchable>(_ query: FetchQuery<Item>) throws(RepositoryError) -> [Item] {
        try rows(query.rows)
    }

    /// Fetches the items that a query describes, and reports the rows that cannot be decoded.
    public func fetchLeniently<Item: Entity>(
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
