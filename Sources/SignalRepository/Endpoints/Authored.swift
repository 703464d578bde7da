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

    /// Asks the repository, with the author of the view where the request has none.
    public func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError> {
        guard request.kind == .write else { return base.signal(for: request) }
        var request = request
        request.author = request.author ?? author
        request.preservesTimes = request.preservesTimes || preservesTimes
        return base.signal(for: request)
    }

    /// Closes the underlying repository; see `Repository.close()`.
    @discardableResult
    public func close() -> Signal<Void, Never> {
        base.close()
    }
}
