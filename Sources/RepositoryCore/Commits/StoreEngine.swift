import Foundation

/// A database engine that a repository runs on.
///
/// Each engine is a separate module, whose types conform to `StoreEngine`, `StoreWriter`, `CommitSource`,
/// `StoreConnection`, `StoreStatement`, `Dialect` and `StoreTables`.
package protocol StoreEngine: AnyObject, Sendable {
    associatedtype Connection: StoreConnection

    var dialect: any Dialect { get }
    /// The connection for all reads and writes of an in-memory store; `nil` if the store has separate readers.
    var onlyConnection: Connection? { get }
    func makeReader() throws(RepositoryError) -> Connection
    /// Makes the writer; called once. Returns `nil` if the store was opened for reading only.
    func makeWriter(now: @escaping @Sendable () -> Date) -> (any StoreWriter)?
    /// Makes a new writer after the last one was closed; returns `nil` if the store was opened for reading only.
    func reopenWriter(now: @escaping @Sendable () -> Date) throws(RepositoryError) -> (any StoreWriter)?
    /// Makes the source that reports external commits (commits by other connections) to the commit log.
    func makeCommitSource() -> any CommitSource<Connection>
    /// Notifies the engine that its last reading connection is closed.
    func readersClosed()
}

/// The only connection that writes; all methods except `announceClose()` are called on the writer's queue.
package protocol StoreWriter: AnyObject, Sendable {
    var session: Session { get }
    /// Runs one transaction from beginning to end, and records its commit in `log`.
    func perform(
        _ transaction: WriteTransaction, log: CommitLog, _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError>
    /// Checks for external commits (commits by other connections); called between two transactions.
    func poll(_ log: CommitLog)
    /// Records all commits that the database has and the commit log lacks; called between two transactions.
    func catchUp()
    /// Whether maintenance is due between two transactions.
    var isMaintenanceDue: Bool { get }
    /// Does the maintenance that is due; called between two transactions.
    func runMaintenance()
    /// Announces that this repository will soon close the store; called on any thread.
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

/// A source that reports external commits (commits by other connections) to the commit log.
package protocol CommitSource<Connection>: AnyObject {
    associatedtype Connection: StoreConnection

    /// The reason why a commit's changed rows cannot be reported; `nil` if they can.
    var refusal: RepositoryError? { get }
    /// Starts to report commits to `log` as the database announces them; `poll` asks the writer to check for others.
    func start(_ log: CommitLog, poll: @escaping @Sendable () -> Void)
    /// Returns whether the failure of a read is temporary, so that live queries retry the read.
    func passes(_ error: RepositoryError) -> Bool
    /// Checks for commits by other connections; returns `false` if the caller must open a snapshot to find them.
    func poll() -> Bool
    /// Records all commits that the database has and the commit log lacks.
    func catchUp()
    /// Stops everything that `start(_:poll:)` began; none of it runs after this call.
    func close()
    /// Prepares for reading one unchanging state (a snapshot), in which `tables` will probably be read.
    ///
    /// This may wait for other connections, so it is called before the commit log blocks commits for the snapshot.
    func prepareSnapshot(_ connection: Connection, of tables: () -> Set<String>) throws(RepositoryError)
    /// Begins a snapshot, and returns the commits that the snapshot shows but the commit log does not have.
    ///
    /// The commit log blocks commits of this program during the call; `number` is the number of its last commit.
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
