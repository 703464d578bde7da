public import Signals

extension Repository {
    /// Fetches the items that a query describes, and transforms each.
    ///
    /// ```swift
    /// let titles = try await repository.fetch(Movie.all.sorted(by: \.title), transform: \.title).value()
    /// ```
    /// The closure runs where the result is delivered, never on a database queue, so it may take its time and may use
    /// the repository.
    /// - Delivery: one array, in the query's order; then it finishes.
    /// - Failure: as `fetch(_:)`; a `RepositoryError` that the closure throws, as it is; any other as
    ///   `.bodyThrew(_:)`. The items after it are not transformed.
    public func fetch<Item: Entity, Output: Sendable>(
        _ query: FetchQuery<Item>, transform: @escaping @Sendable (Item) throws -> Output
    ) -> Signal<[Output], RepositoryError> {
        fetch(query).tryMap { items throws(RepositoryError) in try items.transformed(transform) }
    }

    /// Fetches the items that a query describes, now and whenever the result changes, and transforms each.
    ///
    /// ```swift
    /// let token = repository.fetchSubscription(Movie.all.sorted(by: \.title), transform: \.title)
    ///     .sink(onValue: { print($0) }, onCompletion: { print($0) })
    /// ```
    /// The closure runs where the result is delivered, never on a database queue. A change that is not visible in its
    /// results, such as one to another property, is not delivered.
    /// - Delivery: the current array, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `fetch(_:transform:)`, which ends it; `.closed` when the repository is closed.
    /// - Complexity: O(*n*) in the number of items, for each change of the result.
    public func fetchSubscription<Item: Entity & Equatable, Output: Sendable & Equatable>(
        _ query: FetchQuery<Item>, transform: @escaping @Sendable (Item) throws -> Output
    ) -> Signal<[Output], RepositoryError> {
        fetchSubscription(query)
            .tryMap { items throws(RepositoryError) in try items.transformed(transform) }
            .removeDuplicates()
    }
}

extension Array where Element: Entity {
    /// Transforms each item; whatever the closure throws comes out typed.
    fileprivate func transformed<Output>(
        _ transform: (Element) throws -> Output
    ) throws(RepositoryError) -> [Output] {
        do {
            return try map(transform)
        } catch {
            throw .thrown(error)
        }
    }
}
