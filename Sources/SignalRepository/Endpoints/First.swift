public import Signals

extension Repository {
    /// Reads the item with an id, if there is one.
    ///
    /// ```swift
    /// let movie = try await repository.find(Movie.self, id: id).value()
    /// print(movie?.title ?? "none")
    /// ```
    /// - Delivery: the item, or `nil` when there is none; then it finishes.
    /// - Failure: `.decoding` when a stored value does not fit its property's type.
    public func find<Item: Entity>(_ type: Item.Type, id: Item.ID) -> Signal<Item?, RepositoryError> {
        signal(for: .read(oneStatement: RepositoryCall("find", type, id: id)) { store in try store.find(type, id: id) })
    }

    /// Fetches the first item of a query.
    ///
    /// ```swift
    /// let best = try await repository.first(Movie.all.sorted(by: \.boxOffice, .descending)).value()
    /// ```
    /// - Delivery: the item, or `nil` when the query has none; then it finishes.
    /// - Failure: as `fetch(_:)`.
    public func first<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<Item?, RepositoryError> {
        signal(for: .read(oneStatement: RepositoryCall("first", query)) { store in try store.first(query) })
    }

    /// Fetches the last item of a query.
    ///
    /// ```swift
    /// let newest = try await repository.last(Movie.all).value()
    /// ```
    /// - Delivery: the item, or `nil` when the query has none; then it finishes.
    /// - Failure: as `fetch(_:)`.
    /// - Complexity: one item is read, from the other end of the order; with a limit or an offset, all of them.
    public func last<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<Item?, RepositoryError> {
        signal(for: .read(oneStatement: RepositoryCall("last", query)) { store in try store.last(query) })
    }

    /// Tells whether a query has any item.
    ///
    /// ```swift
    /// let isKnown = try await repository.exists(Movie.where { $0.title == "Fargo" }).value()
    /// ```
    /// - Delivery: whether there is one; then it finishes.
    /// - Failure: `.misuse` for a property without a column.
    /// - Complexity: no more is looked at than the first item.
    public func exists<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<Bool, RepositoryError> {
        signal(for: .read(oneStatement: RepositoryCall("exists", query)) { store in try store.exists(query) })
    }

    /// Fetches the first item of a query, now and whenever it is another or has changed.
    ///
    /// ```swift
    /// let token = repository.firstSubscription(Movie.all.sorted(by: \.boxOffice, .descending))
    ///     .sink(onValue: { print($0?.title ?? "none") }, onCompletion: { _ in })
    /// ```
    /// - Delivery: the current item, or `nil` when the query has none, then each different one, in commit order; a slow
    ///   sink gets only the latest. It does not finish.
    /// - Failure: as `first(_:)`, which ends it; `.closed` when the repository is closed.
    public func firstSubscription<Item: Entity & Equatable>(
        _ query: FetchQuery<Item>
    ) -> Signal<Item?, RepositoryError> {
        let live = LiveQuery(item: { store in try store.first(query) }).following(query.one) { $0.first }
        return signal(for: .values(RepositoryCall("firstSubscription", Item.self), live))
    }

    /// Fetches the first item that a join or a search finds, now and whenever it is another or has changed.
    ///
    /// - Delivery: the current item, or `nil` when the query has none, then each different one, in commit order; a slow
    ///   sink gets only the latest. It does not finish. A commit costs what it changed where the sides are joined by
    ///   equal columns; otherwise, or for a search, it is read again.
    /// - Failure: as `first(_:)`, which ends it; `.closed` when the repository is closed.
    public func firstSubscription<Item: Fetchable & Equatable>(
        _ query: FetchQuery<Item>
    ) -> Signal<Item?, RepositoryError> {
        let one = query.one
        let rows = one.rows
        return signal(for: .values(RepositoryCall("firstSubscription", rows), one.asLiveQuery(rows))).map { $0.first }
    }

    /// Reads the first row that a query selects or computes, now and whenever it changes.
    ///
    /// ```swift
    /// let totals = Movie.all.aggregate { ($0.id.count(), $0.id.count(where: $0.studio == nil), $0.boxOffice.sum()) }
    /// let token = repository.firstSubscription(totals)
    ///     .sink(onValue: { print($0?.0 ?? 0, $0?.1 ?? 0, $0?.2 ?? 0) }, onCompletion: { _ in })
    /// ```
    /// - Delivery: the current row, or `nil` when there is none, then each different one, in commit order; a slow sink
    ///   gets only the latest. It does not finish.
    /// - Failure: as `fetch(_:)` of a `SelectQuery`, which ends it; `.closed` when the repository is closed.
    public func firstSubscription<Output>(_ query: SelectQuery<Output>) -> Signal<Output?, RepositoryError> {
        signal(for: .follow(RepositoryCall("firstSubscription", query.rows), query.one.asLiveQuery)).map {
            $0.value.rows.first
        }
    }

    /// Tells whether a query has any item, now and whenever the answer changes.
    ///
    /// ```swift
    /// let token = repository.existsSubscription(Movie.where { $0.studio == nil })
    ///     .sink(onValue: { print($0 ? "some" : "none") }, onCompletion: { _ in })
    /// ```
    /// - Delivery: the current answer, then each time the other one, in commit order; a slow sink gets only the latest.
    ///   It does not finish.
    /// - Failure: as `exists(_:)`, which ends it; `.closed` when the repository is closed.
    /// - Complexity: the items are counted once, and then only the rows that change; with a limit or an offset it is
    ///   asked again.
    public func existsSubscription<Item: Entity>(_ query: FetchQuery<Item>) -> Signal<Bool, RepositoryError> {
        let live = query.existence.following(
            Result { () throws(RepositoryError) in try Aggregation<Item, Bool>(.any, ofRowsOf: query) })
        return signal(for: .values(RepositoryCall("existsSubscription", Item.self), live))
    }

    /// Tells whether a join or a search finds any item, now and whenever the answer changes.
    ///
    /// - Delivery: the current answer, then each time the other one, in commit order; a slow sink gets only the latest.
    ///   It does not finish. It is asked again after a commit that changed one of the tables.
    /// - Failure: as `exists(_:)`, which ends it; `.closed` when the repository is closed.
    public func existsSubscription<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<Bool, RepositoryError> {
        signal(for: .values(RepositoryCall("existsSubscription", query), query.existence))
    }
}

extension ReadTransaction {
    /// Fetches the first item of a query; `nil` when it has none.
    public func first<Item: Fetchable>(_ query: FetchQuery<Item>) throws(RepositoryError) -> Item? {
        try fetch(query.one).first
    }

    /// Fetches the last item of a query; `nil` when it has none.
    ///
    /// - Complexity: one item is read, from the other end of the order; with a limit or an offset, all of them.
    public func last<Item: Fetchable>(_ query: FetchQuery<Item>) throws(RepositoryError) -> Item? {
        guard query.limit == nil && query.offset == nil else { return try fetch(query).last }
        var query = query
        query.isReversed = true
        return try first(query)
    }

    /// Tells whether a query has any item.
    ///
    /// - Complexity: no more is looked at than the first item.
    public func exists<Item: Fetchable>(_ query: FetchQuery<Item>) throws(RepositoryError) -> Bool {
        try count(query.one) > 0
    }
}

extension FetchQuery {
    /// Whether there is an item.
    fileprivate var existence: LiveQuery<Bool> {
        let one = one
        let sql = QuerySQL { dialect throws(RepositoryError) in try dialect.count(one) }
        return LiveQuery { store in try store.number(sql) > 0 }
    }
}
