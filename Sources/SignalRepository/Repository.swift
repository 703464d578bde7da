public import Signals

/// A store of entities that works in the background and answers with signals.
///
/// Everything that a repository can do is built on two requirements; the endpoints (`create`, `fetch`, `sum`, …) are
/// extensions of the protocol. `SQLiteRepository` is the one that keeps entities in a file or in memory.
///
/// In a test, an in-memory store can stand in for the one in a file: it does the same, and disappears with its
/// repository. Where a test needs failures, delayed answers, or a record of the calls, wrap it in a `StubbedRepository`
/// from `SignalRepositoryTesting`. Any other conforming type also wraps another repository, since only a store makes
/// the handles that the bodies get.
///
/// A repository's signals are cold: work starts when a sink attaches, and each attach does it again. A signal keeps its
/// repository open while it exists and while one of its one-shot runs is in progress; a live run does not.
public protocol Repository: Sendable {
    /// Answers a request, with a signal that begins when a sink attaches.
    func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError>

    /// Closes the repository: writes that were attached before are done; reads, live signals and streams fail with
    /// `.closed`, and so does everything attached from now on. It begins at once, attached or not; calling it again is
    /// harmless.
    ///
    /// The insertion of a sequence that is no collection fails too, and stores nothing: it may have no end.
    ///
    /// - Delivery: one value when everything is closed; then it finishes.
    @discardableResult
    func close() -> Signal<Void, Never>
}

extension Repository {
    /// Reads inside one transaction, so that everything read belongs to one state of the store.
    ///
    /// The body runs on a database queue, from beginning to end, so it must not wait for anything.
    ///
    /// ```swift
    /// let report = repository.read { store in
    ///     (count: try store.count(Movie.self), gross: try store.fetch(Movie.all.sum(of: \.boxOffice)))
    /// }
    /// ```
    /// - Delivery: one value, off the database queues; then it finishes.
    /// - Failure: a `RepositoryError` that the body throws, as it is; any other as `.bodyThrew(_:)`; `.closed`.
    @_disfavoredOverload
    public func read<Output: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        signal(for: .read(RepositoryCall("read"), body))
    }

    /// Reads and writes inside one transaction: all of it is committed together, or nothing is.
    ///
    /// The body runs on the writer's queue, from beginning to end, so it must not wait for anything. `author` covers
    /// every write in it.
    ///
    /// ```swift
    /// let moved = repository.transaction { store in
    ///     try store.delete(Movie.self, id: id)
    ///     return try store.create(movie)
    /// }
    /// ```
    /// - Delivery: what the body returns, once it is committed, off the database queues; then it finishes.
    /// - Failure: a `RepositoryError` that the body throws, as it is; any other as `.rolledBack(by:)`; `.cancelled`
    ///   after `cancel()` on the handle; `.busy`; `.commitOutcomeUnknown`; `.readOnly`; `.closed`. Nothing is kept.
    @_disfavoredOverload
    public func transaction<Output: Sendable>(
        author: String? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        signal(for: .write(RepositoryCall("transaction"), author: author, body))
    }

    /// Follows a query: delivers its result now, and again whenever a commit has changed it.
    ///
    /// - Delivery: the first result as soon as it is read, then each new one, off the database queues, in commit order;
    ///   equal results are not repeated, and a slow sink gets only the latest. It does not finish.
    /// - Failure: what the query throws ends it; a busy store does not; `.closed` when the repository is closed.
    public func follow<Output: Sendable & Equatable>(
        _ query: LiveQuery<Output>
    ) -> Signal<Committed<Output>, RepositoryError> {
        signal(for: .follow(RepositoryCall("follow"), query))
    }

    /// Fails as a read does, and not on the caller's thread.
    func refused<Output: Sendable>(_ error: RepositoryError) -> Signal<Output, RepositoryError> {
        read { _ in throw error }
    }
}
