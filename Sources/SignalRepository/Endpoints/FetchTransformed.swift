public import Signals

extension Repository {
    /// Fetches the items that a query describes, and makes something else of each.
    ///
    /// ```swift
    /// let titles = try await repository.fetch(Movie.all.sorted(by: \.title), transform: \.title).first()
    /// ```
    /// The closure runs where the result is delivered, never on a database's queue, so that it may take its time and
    /// may use the repository.
    /// - Delivery: one array, in the query's order; then finished.
    /// - Failure: as `fetch(_:)`; a `RepositoryError` that the closure throws, as it is; any other as
    ///   `.rolledBack(by:)`. The items after it are not transformed.
    public func fetch<Item: Entity, Output: Sendable>(
        _ query: FetchQuery<Item>, transform: @escaping @Sendable (Item) throws -> Output
    ) -> Signal<[Output], RepositoryError> {
        fetch(query).tryMap { items throws(RepositoryError) in
            do {
                return try items.map(transform)
            } catch {
                throw RepositoryError(thrown: error)
            }
        }
    }
}

extension RepositoryError {
    /// What a closure of the program's own threw, typed.
    init(thrown error: any Error) {
        self = error as? RepositoryError ?? .rolledBack(by: error)
    }
}
