public import Signals

extension Repository {
    /// Runs statements of the program's own, SQL among them, as one transaction: all of it is committed together, or
    /// nothing is.
    ///
    /// It is `transaction(author:_:)` by the name that CoreDataRepository has for it.
    ///
    /// ```swift
    /// let renamed = try await repository.custom { store in
    ///     try store.execute("UPDATE Movie SET studio = ? WHERE studio = ?", "Working Title", "Gramercy")
    /// }.first()
    /// print(renamed)  // 12
    /// ```
    /// - Delivery: what the body returns, once it is committed, off the database's queues; then finished.
    /// - Failure: as `transaction(author:_:)`: what the body throws; `.cancelled` after `cancel()` on the handle;
    ///   `.misuse` for SQL that does not compile; `.readOnly`. Nothing is kept then.
    public func custom<Output: Sendable>(
        author: String? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        transaction(author: author, body)
    }
}

extension WriteTransaction {
    /// Runs statements of the program's own as a transaction inside this one; see `transaction(_:)`.
    ///
    /// - Failure: what the body throws; `.cancelled` after `cancel()`. What the body did is undone then.
    @discardableResult
    public func custom<Output>(_ body: (WriteTransaction) throws -> Output) throws(RepositoryError) -> Output {
        try transaction(body)
    }
}
