import Foundation

/// A database engine that a repository runs on.
///
/// An engine is a module of its own, with types that conform to these protocols, `StoreConnection`, `StoreStatement`,
/// `Dialect` and `StoreTables`.
package protocol StoreEngine: AnyObject, Sendable {
    associatedtype Connection: StoreConnection

    var dialect: any Dialect { get }
    /// The only connection of a store that cannot have readers; `nil` if readers can be made.
    var onlyConnection: Connection? { get }
    func makeReader() throws(RepositoryError) -> Connection
    /// Makes the writer; returns `nil` if the store was opened for reading only. Called once.
    func makeWriter(now: @escaping @Sendable () -> Date) -> (any StoreWriter)?
    /// Makes a new writer after the last one was closed; returns `nil` if the store was opened for reading only.
    func reopenWriter(now: @escaping @Sendable () -> Date) throws(RepositoryError) -> (any StoreWriter)?
    /// Makes the source that reports external commits to the log, as one connection sees them.
    func makeCommitSource() -> any CommitSource<Connection>
    /// Notifies that the last reader is closed.
    func readersClosed()
}

/// The one connection that writes; everything but `announceClose()` is called on the writer's queue.
package protocol StoreWriter: AnyObject, Sendable {
    var session: Session { get }
    /// Runs one transaction from beginning to end, and has its commit recorded.
    func perform(
        _ transaction: WriteTransaction, log: CommitLog, _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError>
    /// Checks for external commits, between two transactions.
    func poll(_ log: CommitLog)
    /// Records all earlier commits in the log, between two transactions.
    func catchUp()
    /// Whether maintenance is due between two transactions.
    var isMaintenanceDue: Bool { get }
    /// Does the maintenance that is due between two transactions.
    func runMaintenance()
    /// Announces that the store will be released soon; called on any thread.
    func announceClose()
    func close()
}

extension StoreEngine {
    package var onlyConnection: Connection? { nil }

    package func reopenWriter(now: @escaping @Sendable () -> Date) throws(RepositoryError) -> (any StoreWriter)? {
        throw .misuse(detail: "a repository on a server cannot be suspended; close it and open it again")
    }
}

extension StoreWriter {
    package func catchUp() {}
}

/// The source of external commits for the log.
package protocol CommitSource<Connection>: AnyObject {
    associatedtype Connection: StoreConnection

    /// The reason why a commit's changed rows cannot be reported; `nil` if they can.
    var refusal: RepositoryError? { get }
    /// Starts to add commits to the log as they are reported; `poll` has the writer check too.
    func start(_ log: CommitLog, poll: @escaping @Sendable () -> Void)
    /// Whether the failure of a read is temporary, so that live queries retry it.
    func passes(_ error: RepositoryError) -> Bool
    /// Checks for external commits; returns `false` if the caller must open a snapshot for that.
    func poll() -> Bool
    /// Records all earlier commits in the log.
    func catchUp()
    /// Stops everything that was started; nothing of it runs afterwards.
    func close()
    /// Prepares for reading one unchanging state, in which some known tables will be read.
    ///
    /// Not called in a turn of the log: this may wait for other connections.
    func prepareSnapshot(_ connection: Connection, of tables: () -> Set<String>) throws(RepositoryError)
    /// Begins to read one unchanging state, and returns the commits that it shows and the log does not have.
    ///
    /// Called in a turn of the log, so that this program commits nothing in between; `number` is the log's last commit.
    func beginSnapshot(_ connection: Connection, after number: Int) throws(RepositoryError) -> [UnnumberedCommit]
}

extension CommitSource {
    package func start(_ log: CommitLog, poll: @escaping @Sendable () -> Void) {}

    package func passes(_ error: RepositoryError) -> Bool { if case .busy = error { true } else { false } }

    package func poll() -> Bool { false }

    package func catchUp() {}

    package func close() {}

    package func prepareSnapshot(_ connection: Connection, of tables: () -> Set<String>) throws(RepositoryError) {}
}
