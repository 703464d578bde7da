public import Signals

/// A store of entities that works in the background and answers with signals.
///
/// Everything that a repository can do rests on these few requirements; the verbs (`create`, `fetch`, `sum`, …) are
/// extensions of the protocol. `SQLiteRepository` is the one that keeps entities in a file or in memory; a test can put
/// another in its place.
///
/// A signal of a repository is cold: work starts when a sink attaches, and each attach does it once more. A signal
/// keeps its repository open while it exists and while a one-shot run of it goes on; a live run does not.
public protocol Repository: Sendable {
    /// Reads inside one transaction, so that everything read belongs to one state of the store.
    ///
    /// The body runs on a queue of the database, from its beginning to its end, so it must not wait for anything.
    ///
    /// ```swift
    /// let report = repository.read { store in
    ///     (count: try store.count(Movie.self), gross: try store.sum(of: \Movie.boxOffice))
    /// }
    /// ```
    /// - Delivery: one value, off the database's queues, then finished.
    /// - Failure: a `RepositoryError` that the body throws, as it is; any other as `.rolledBack(by:)`; `.closed`.
    func read<Output: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError>

    /// Reads and writes inside one transaction: all of it is committed together, or nothing is.
    ///
    /// The body runs on the writer's queue, from its beginning to its end, so it must not wait for anything. `author`
    /// covers every write in it.
    ///
    /// - Delivery: what the body returns, once it is committed, off the database's queues; then finished.
    /// - Failure: a `RepositoryError` that the body throws, as it is; any other as `.rolledBack(by:)`; `.cancelled`
    ///   after `cancel()` on the handle; `.busy`; `.commitOutcomeUnknown`; `.readOnly`; `.closed`. Nothing is kept
    ///   then.
    func transaction<Output: Sendable>(
        author: String?, _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError>

    /// Follows a query: delivers its result now, and again whenever a commit has changed it.
    ///
    /// - Delivery: the first result as soon as it is read, then each new one, off the database's queues, in commit
    ///   order; equal results are not repeated, and a sink that is slow gets the latest only. It does not finish.
    /// - Failure: what the query throws ends it; a busy store does not; `.closed` when the repository is closed.
    func follow<Output: Sendable & Equatable>(
        _ query: LiveQuery<Output>
    ) -> Signal<Committed<Output>, RepositoryError>

    /// Tells, commit by commit, which rows changed; see `changes(backlog:)`.
    ///
    /// - Delivery: a `ChangeSet` for each commit that changed what was asked for, in commit order. It does not finish.
    /// - Failure: `.misuse` when the repository cannot tell; `.closed` when the repository is closed.
    func followChanges(_ request: ChangeRequest) -> Signal<ChangeSet, RepositoryError>

    /// Closes the repository: work that is queued is done, live signals fail with `.closed`, and so does all that is
    /// attached from now on. It begins at once, attached or not; calling it again is harmless.
    ///
    /// - Delivery: one value when everything is closed, then finished.
    @discardableResult
    func close() -> Signal<Void, Never>
}

extension Repository {
    /// Reads and writes inside one transaction that names no author; see `transaction(author:_:)`.
    ///
    /// ```swift
    /// let moved = repository.transaction { store in
    ///     try store.delete(Movie.self, id: id)
    ///     return try store.create(movie)
    /// }
    /// ```
    public func transaction<Output: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        transaction(author: nil, body)
    }

    /// Fails, for a repository that does not say what it can tell of changes.
    public func followChanges(_ request: ChangeRequest) -> Signal<ChangeSet, RepositoryError> {
        .fail(.misuse(detail: "this repository cannot tell which rows change"))
    }
}
