public import Signals

extension Repository {
    /// Returns a view of the repository that gives every write an author: single writes, batches and transactions.
    ///
    /// ```swift
    /// let sync = repository.authored(by: "sync")
    /// try await sync.create(movie).value()
    /// try await sync.update(Movie.self, set: [.set(\.studio, to: "Miramax")]) { $0.studio == nil }.value()
    /// ```
    /// With `preservingTimes: true`, writes store the items' own values of `.created` and `.updated` columns, as with
    /// `WriteTransaction.preservesTimes`. Use this for items that are moved, synchronized or imported.
    ///
    /// ```swift
    /// let importer = repository.authored(by: "import", preservingTimes: true)
    /// let count = try await importer.insert(movies).value()
    /// ```
    /// The view and the repository use the same store: writes through one are visible through the other, and closing
    /// one closes both. A transaction that names an author keeps that author.
    /// - Delivery: nothing by itself; the signals of the view deliver the same values as the repository's.
    /// - Failure: as the repository.
    public func authored(by author: String, preservingTimes: Bool = false) -> AuthoredRepository {
        AuthoredRepository(self, author, preservesTimes: preservingTimes)
    }
}

/// A view of a repository that gives every write an author; see `Repository.authored(by:preservingTimes:)`.
public struct AuthoredRepository: Repository {
    private let base: any Repository
    private let author: String
    private let preservesTimes: Bool

    init(_ base: any Repository, _ author: String, preservesTimes: Bool) {
        self.base = base
        self.author = author
        self.preservesTimes = preservesTimes
    }

    /// Forwards a request to the repository; a write without an author gets the author of this view.
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
