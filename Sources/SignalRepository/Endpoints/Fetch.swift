public import Signals

extension Repository {
    /// Fetches the items that a query describes.
    ///
    /// ```swift
    /// let hits = try await repository.fetch(Movie.where(\.boxOffice > 1_000_000).sorted(by: \.title)).value()
    /// ```
    /// - Delivery: one array, in the query's order; then it finishes.
    /// - Failure: `.decoding` when a stored value does not fit its property's type; `.misuse` for a property without a
    ///   column.
    public func fetch<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<[Item], RepositoryError> {
        let rows = query.rows
        return read(for: RepositoryCall(.fetch, rows)) { store in try store.rows(rows) }
    }

    /// Fetches the items that a query describes, now and whenever they change.
    ///
    /// ```swift
    /// let token = repository.fetchSubscription(Movie.where(\.studio == nil))
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
        return followValues(for: RepositoryCall(.fetchSubscription, Item.self), live)
    }

    /// Fetches what a join makes of several entities, now and whenever it changes.
    ///
    /// - Delivery: the current array, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish. It is read again after a commit that changed one of the tables.
    /// - Failure: as `fetch(_:)`; `.closed` when the repository is closed.
    public func fetchSubscription<Item: Fetchable & Equatable>(
        _ query: FetchQuery<Item>
    ) -> Signal<[Item], RepositoryError> {
        let rows = query.rows
        let live = LiveQuery(items: { store in try store.rows(rows) }).shared(rows)
        return followValues(for: RepositoryCall(.fetchSubscription, rows), live)
    }
}

extension Repository {
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
}

extension ReadTransaction {
    /// Fetches the items that a query describes.
    public func fetch<Item: Fetchable>(_ query: FetchQuery<Item>) throws(RepositoryError) -> [Item] {
        try rows(query.rows)
    }
}
