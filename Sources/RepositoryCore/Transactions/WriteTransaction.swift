import Foundation

/// A handle for reading and writing inside one transaction, which is committed as a whole or not at all.
///
/// The body of `Repository.transaction(author:_:)` receives the handle. The body runs on the writer's queue from
/// beginning to end, so it must not wait for anything. When the body returns, the transaction is committed. If the body
/// throws, or has called `cancel()`, the transaction is undone and the signal fails.
///
/// ```swift
/// let token = repository.transaction { store -> Int in
///     try store.create(movie)
///     try store.delete(Movie.self, id: id)
///     return try store.count(Movie.self)
/// }
/// .sink(onValue: { print($0) }, onCompletion: { _ in })
/// ```
public final class WriteTransaction: ReadTransaction {
    /// The author of every write in the transaction, as passed to `Repository.transaction(author:_:)`.
    public let author: String?
    package private(set) var changed = DirtyTables.none
    /// The last statement whose changed tables were recorded.
    private var noted: (any StoreStatement)?
    private var isCancelled = false
    private let depth: Int
    /// The kind of the transaction.
    ///
    /// A nested transaction always has the kind `.write`.
    package let kind: TransactionKind
    /// The time of the transaction, which all its writes share.
    var time: Date { session.time }
    /// Whether writes store the items' own values of `.created` and `.updated` columns, not the time of the write.
    ///
    /// Set it for items that are moved, synchronized or imported:
    ///
    /// ```swift
    /// let token = repository.transaction(author: "sync") { store in
    ///     store.preservesTimes = true
    ///     for movie in movies { try store.upsert(movie) }
    /// }
    /// .sink(onValue: { _ in }, onCompletion: { _ in })
    /// ```
    /// It applies from the point where it is set to the end of the body. While it is `true`, `.created` can be
    /// assigned, and an assignment to other properties leaves `.updated` as it is. A nested transaction begins with the
    /// outer value.
    public var preservesTimes = false
    private let outer: WriteTransaction?
    private var commitActions: [() -> Void] = []
    /// The error with which the engine ended the transaction by itself, if it did.
    private var rollbackReason: RepositoryError?

    package init(
        _ session: Session, _ cancellation: CancellationFlag, author: String?, as kind: TransactionKind = .write,
        in outer: WriteTransaction? = nil
    ) {
        (self.author, self.kind) = (author, kind)
        self.outer = outer
        preservesTimes = outer?.preservesTimes ?? false
        depth = outer.map { $0.depth + 1 } ?? 0
        super.init(session, cancellation, at: outer?.time)
    }

    /// Undoes the transaction: later calls on the handle, and the signal, fail with `.cancelled`.
    ///
    /// In a nested transaction, only the nested transaction is undone.
    public func cancel() {
        isCancelled = true
    }

    /// Runs a nested transaction.
    ///
    /// If it throws an error or calls its `cancel()`, only its own writes are undone.
    ///
    /// ```swift
    /// try store.create(movie)
    /// try? store.transaction { inner in
    ///     try inner.create(movies[0])
    ///     inner.cancel()          // `movie` stays, the other does not
    /// }
    /// ```
    /// - Failure: any error that the body throws; `.cancelled` after `cancel()`.
    @discardableResult
    public func transaction<Output>(
        _ body: (WriteTransaction) throws -> Output
    ) throws(RepositoryError) -> Output {
        try checkUsable()
        let nested = WriteTransaction(session, cancellation, author: author, in: self)
        try session.connection.savepoint(.begin, depth: depth)
        let output: Output
        do throws(RepositoryError) {
            defer {
                changed.formUnion(nested.changed)
                rollbackReason = nested.rollbackReason
            }
            output = try nested.run { try body(nested) }
        } catch {
            try session.connection.savepoint(.rollback, depth: depth)
            throw error
        }
        try session.connection.savepoint(.release, depth: depth)
        return output
    }

    /// Runs an action on the writer's queue, once the outermost transaction is committed.
    func onCommit(_ action: @escaping () -> Void) {
        if let outer { outer.onCommit(action) } else { commitActions.append(action) }
    }

    package func committed() {
        for action in commitActions { action() }
    }

    package override func checkUsable() throws(RepositoryError) {
        try super.checkUsable()
        if isCancelled { throw .cancelled }
        if let rollbackReason { throw rollbackReason }
    }

    /// Records the error if a failed statement, even one that reads, made SQLite end the transaction.
    ///
    /// All later calls throw this error. They must not write, because without a transaction, each write would be
    /// committed at once.
    override func noteFailure(_ error: RepositoryError) {
        if kind == .write, !session.connection.isInTransaction { rollbackReason = error }
    }

    override func makeIdentity() throws(RepositoryError) -> String {
        let identity = UUID().uuidString.lowercased()
        _ = try changeRows(session.dialect.createIdentity())
        _ = try changeRows(session.dialect.giveIdentity(identity))
        return identity
    }

    /// Executes a statement that changes rows, and records its tables if any row was changed.
    package func change<Output>(
        _ statement: any StoreStatement, _ body: (any StoreStatement) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        let connection = session.connection
        // Repeating one statement is the common case, and its tables are already recorded.
        let isNoted = statement === noted
        let before = isNoted ? 0 : connection.totalChanges
        defer {
            if !isNoted, statement.access.changesSchema {
                // A new trigger must be known before the next statement runs.
                session.forgetAllStatements()
                changed = .all
            } else if session.forgetOutdatedStatements() {
                changed = .all
            } else if !isNoted, connection.totalChanges != before {
                changed.formUnion(.some(statement.access.written))
                noted = statement
            }
        }
        do {
            return try connection.attempt { () throws(RepositoryError) in try body(statement) }
        } catch {
            let error = connection.naming(error, of: statement)
            if !connection.isInTransaction {
                rollbackReason = error
            } else {
                // After ON CONFLICT FAIL, the statement's changes before the failure remain. The engine does not count
                // all of them, so the tables are recorded even if it counts none.
                changed.formUnion(.some(statement.access.written))
            }
            throw error
        }
    }
}
