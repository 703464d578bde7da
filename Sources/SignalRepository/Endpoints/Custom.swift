public import Signals

extension Repository {
    /// Runs statements of your own, raw SQL included, as one transaction: all of it is committed together, or
    /// nothing is.
    ///
    /// It is `transaction(author:_:)` under the name that CoreDataRepository uses.
    ///
    /// ```swift
    /// let renamed = try await repository.custom { store in
    ///     try store.execute("UPDATE Movie SET studio = ? WHERE studio = ?", "Working Title", "Gramercy")
    /// }.value()
    /// print(renamed)  // 12
    /// ```
    /// - Delivery: what the body returns, once it is committed, off the database queues; then it finishes.
    /// - Failure: as `transaction(author:_:)`: what the body throws; `.cancelled` after `cancel()` on the handle;
    ///   `.misuse` for SQL that does not compile; `.readOnly`. Nothing is kept.
    public func custom<Output: Sendable>(
        author: String? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        transaction(for: RepositoryCall(.custom), author: author, body)
    }
}

extension WriteTransaction {
    /// Runs statements of your own as a transaction inside this one; see `transaction(_:)`.
    ///
    /// - Failure: what the body throws; `.cancelled` after `cancel()`. What the body did is then undone.
    @discardableResult
    public func custom<Output>(_ body: (WriteTransaction) throws -> Output) throws(RepositoryError) -> Output {
        try transaction(body)
    }
}
