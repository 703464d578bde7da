public import Signals

/// A store of entities that works in the background and delivers results through signals.
///
/// The protocol has two requirements. The endpoints (`create`, `fetch`, `sum`, …) are extension methods that use them.
/// `SQLiteRepository` stores entities in a file or in memory.
///
/// In a test, a store in memory can replace a file. It behaves the same, and disappears with its repository. If a test
/// needs failures, delayed answers, or a record of the calls, wrap the repository in a `StubbedRepository` from
/// `SignalRepositoryTesting`. Any other conforming type must also wrap a repository, because only a store can create
/// the `ReadTransaction` or `WriteTransaction` that a request's closure receives.
///
/// A repository's signals are cold: work starts when a sink attaches, and each further sink repeats it. A signal keeps
/// its repository open while the signal exists. After the signal's release, the reads and writes that it has started
/// still complete. A live query that it has started ends with `.closed` when nothing else keeps the repository open.
public protocol Repository: Sendable {
    /// Returns the signal for a request; its work begins when a sink attaches.
    func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError>

    /// Closes the repository, without waiting for a sink to attach.
    ///
    /// A write completes if a sink has already attached to it. The exception is inserting a sequence that is not a
    /// collection, because such a sequence may have no end: this write fails with `.closed` and stores nothing. Reads,
    /// live signals and streams also fail with `.closed`, and so does every signal to which a sink attaches later.
    /// Closing again has no effect.
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
    /// - Failure: a `RepositoryError` that the body throws, unchanged; any other error as `.bodyThrew(_:)`; `.closed`.
    @_disfavoredOverload
    public func read<Output: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        signal(for: .read(RepositoryCall("read"), body))
    }

    /// Reads and writes inside one transaction, which is committed as a whole or not at all.
    ///
    /// The body runs on the writer's queue, from beginning to end, so it must not wait for anything. Reports of its
    /// changes name the given author.
    ///
    /// ```swift
    /// let moved = repository.transaction { store in
    ///     try store.delete(Movie.self, id: id)
    ///     return try store.create(movie)
    /// }
    /// ```
    /// - Delivery: the body's result, once it is committed, off the database queues; then it finishes.
    /// - Failure: a `RepositoryError` that the body throws, unchanged; any other error as `.rolledBack(by:)`;
    ///   `.cancelled` after `cancel()` on the handle; `.busy`; `.commitOutcomeUnknown`; `.readOnly`; `.closed`. Nothing
    ///   is stored, except possibly after `.commitOutcomeUnknown`.
    @_disfavoredOverload
    public func transaction<Output: Sendable>(
        author: String? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        signal(for: .write(RepositoryCall("transaction"), author: author, body))
    }

    /// Follows a query: delivers its result now, and the new result after each commit that changes the result.
    ///
    /// - Delivery: the first result as soon as it is read, then each new result, off the database queues, in commit
    ///   order; equal results are not repeated, and a slow sink gets only the latest. The signal does not finish.
    /// - Failure: an error of the query ends the signal, but a busy store does not; `.closed` when the repository is
    ///   closed.
    public func follow<Output: Sendable & Equatable>(
        _ query: LiveQuery<Output>
    ) -> Signal<Committed<Output>, RepositoryError> {
        signal(for: .follow(RepositoryCall("follow"), query))
    }

    /// Returns a signal that fails with an error in the same way as a failed read: not on the caller's thread.
    func refused<Output: Sendable>(_ error: RepositoryError) -> Signal<Output, RepositoryError> {
        read { _ in throw error }
    }
}
