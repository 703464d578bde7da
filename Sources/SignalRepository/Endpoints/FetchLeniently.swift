public import Signals

extension Repository {
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
        read(for: RepositoryCall(.fetchLeniently, Item.self)) { store in try store.fetchLeniently(query) }
    }
}

extension ReadTransaction {
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
