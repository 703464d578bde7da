public import Signals

extension Repository {
    /// Reads the items that a query matches one after another, as they are requested: for results that are larger than
    /// memory.
    ///
    /// ```swift
    /// for try await movie in repository.stream(Movie.all).values {
    ///     print(movie.title)  // Alien
    /// }
    /// ```
    /// A run has a connection of its own, and holds one item. All items belong to one state of the store: that at which
    /// the run begins to read, whatever is committed meanwhile. The write-ahead log cannot be shortened while a run is
    /// in progress, so a sink should not rest for long. A run ends when its repository is closed or released, as a live
    /// one does: hold the repository while you read. In memory, where there is one connection, the items are read at
    /// once.
    ///
    /// - Delivery: each item when it is requested, in the query's order; then it finishes. It ends with `.closed` when
    ///   the repository is closed. Cancelling stops a statement that is being executed, and releases the connection.
    /// - Failure: `.decoding`, after the items before; `.misuse`.
    /// - Complexity: constant memory, unless SQLite has to sort: an order that an index has needs no sorting.
    public func stream<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<Item, RepositoryError> {
        let rows = query.rows
        return signal(for: .stream(RepositoryCall("stream", rows), rows))
    }
}
