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
        read(for: RepositoryCall(.find, type, id: id)) { store in try store.find(type, id: id) }
    }

    /// Fetches the first item of a query.
    ///
    /// ```swift
    /// let best = try await repository.first(Movie.all.sorted(by: \.boxOffice, .descending)).value()
    /// ```
    /// - Delivery: the item, or `nil` when the query has none; then it finishes.
    /// - Failure: as `fetch(_:)`.
    public func first<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<Item?, RepositoryError> {
        read(for: RepositoryCall(.first, query.rows)) { store in try store.first(query) }
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
        read(for: RepositoryCall(.last, query.rows)) { store in try store.last(query) }
    }

    /// Tells whether a query has any item.
    ///
    /// ```swift
    /// let isKnown = try await repository.exists(Movie.where(\.title == "Fargo")).value()
    /// ```
    /// - Delivery: whether there is one; then it finishes.
    /// - Failure: `.misuse` for a property without a column.
    /// - Complexity: no more is looked at than the first item.
    public func exists<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<Bool, RepositoryError> {
        read(for: RepositoryCall(.exists, query.rows)) { store in try store.exists(query) }
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
