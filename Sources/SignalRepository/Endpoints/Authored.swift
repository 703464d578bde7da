public import Signals

extension Repository {
    /// Returns a view of the repository whose writes all have an author: single ones, batches and transactions.
    ///
    /// ```swift
    /// let sync = repository.authored(by: "sync")
    /// try await sync.create(movie).value()
    /// try await sync.update(Movie.self, set: [.set(\.studio, to: "Miramax")]) { $0.studio == nil }.value()
    /// ```
    /// With `preservingTimes: true` its writes also store the times that items have in columns with `.created` and
    /// `.updated`, as `WriteTransaction.preservesTimes` does: for items that are moved, synchronized or imported.
    ///
    /// ```swift
    /// let importer = repository.authored(by: "import", preservingTimes: true)
    /// let count = try await importer.insert(movies).value()
    /// ```
    /// It is the same store: what is written through one is seen through the other, and closing one closes both. A
    /// transaction that names its own author keeps it.
    /// - Delivery: nothing by itself; its signals are those of the repository.
    /// - Failure: as the repository.
    public func authored(by author: String, preservingTimes: Bool = false) -> AuthoredRepository {
        AuthoredRepository(self, author, preservesTimes: preservingTimes)
    }
}

/// A view of a repository whose writes have an author; see `Repository.authored(by:preservingTimes:)`.
public struct AuthoredRepository: Repository {
    private let base: any Repository
    private let author: String
    private let preservesTimes: Bool

    init(_ base: any Repository, _ author: String, preservesTimes: Bool) {
        self.base = base
        self.author = author
        self.preservesTimes = preservesTimes
    }

    /// See `Repository.read(for:_:)`.
    public func read<Output: Sendable>(
        for call: @autoclosure () -> RepositoryCall, _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        base.read(for: call(), body)
    }

    /// See `Repository.transaction(for:author:_:)`; without its own author it has that of the view.
    public func transaction<Output: Sendable>(
        for call: @autoclosure () -> RepositoryCall, author: String?,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        let author = author ?? self.author
        guard preservesTimes else { return base.transaction(for: call(), author: author, body) }
        return base.transaction(for: call(), author: author) { store in
            store.preservesTimes = true
            return try body(store)
        }
    }

    /// See `Repository.follow(for:_:)`.
    public func follow<Output: Sendable & Equatable>(
        for call: @autoclosure () -> RepositoryCall, _ query: LiveQuery<Output>
    ) -> Signal<Committed<Output>, RepositoryError> {
        base.follow(for: call(), query)
    }

    /// See `Repository.followValues(for:_:)`.
    public func followValues<Output: Sendable & Equatable>(
        for call: @autoclosure () -> RepositoryCall, _ query: LiveQuery<Output>
    ) -> Signal<Output, RepositoryError> {
        base.followValues(for: call(), query)
    }

    /// See `Repository.followChanges(for:_:)`.
    public func followChanges(
        for call: @autoclosure () -> RepositoryCall, _ request: ChangeRequest
    ) -> Signal<ChangeSet, RepositoryError> {
        base.followChanges(for: call(), request)
    }

    /// Streams as the base does.
    public func stream<Output>(
        for call: @autoclosure () -> RepositoryCall, _ rows: RowsQuery<Output>
    ) -> Signal<Output, RepositoryError> {
        base.stream(for: call(), rows)
    }

    /// Closes the underlying repository; see `Repository.close()`.
    @discardableResult
    public func close() -> Signal<Void, Never> {
        base.close()
    }
}
