import Foundation

/// What an engine gives to a repository that runs on it.
///
/// An engine is a room or a module of its own that conforms to these protocols, and to those of `Store/`; nothing else
/// knows which one it is.
package protocol StoreEngine: AnyObject {
    var dialect: any Dialect { get }
    var canHaveReaders: Bool { get }
    func makeReader() throws(RepositoryError) -> any StoreConnection
    /// Makes the writer; `nil` when the store was opened for reading only. Called once.
    func makeWriter(now: @escaping @Sendable () -> Date) -> (any StoreWriter)?
    /// Makes a writer again, after the last one was closed; `nil` when the store was opened for reading only.
    func reopenWriter(now: @escaping @Sendable () -> Date) throws(RepositoryError) -> (any StoreWriter)?
    /// Makes what tells the log of commits by others, as one connection sees them.
    func makeCommitSource() -> any CommitSource
    /// Notifies that the last reader is closed.
    func readersClosed()
}

/// The one connection that writes; all of it is called on the writer's queue, but `announceClose()`.
package protocol StoreWriter: AnyObject, Sendable {
    var session: Session { get }
    /// Runs one transaction from beginning to end, and has its commit recorded.
    func perform(
        _ transaction: WriteTransaction, log: CommitLog, _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError>
    /// Checks whether others have committed, between two transactions.
    func look(_ log: CommitLog)
    /// Has the log hear of what was committed before, between two transactions.
    func catchUp()
    /// Whether there is work to be done between two transactions.
    var isUpkeepDue: Bool { get }
    /// Does the work that is due between two transactions.
    func keepUp()
    /// Announces that the store will be released soon; called on any thread.
    func announceClose()
    func close()
}

extension StoreEngine {
    package func reopenWriter(now: @escaping @Sendable () -> Date) throws(RepositoryError) -> (any StoreWriter)? {
        throw .misuse(detail: "a repository on a server is not suspended: close it, and open it again")
    }
}

extension StoreWriter {
    package func catchUp() {}
}

/// Where the log learns of commits by others.
package protocol CommitSource: AnyObject {
    /// Why it cannot be told which rows a commit changed; `nil` where it can.
    var refusal: RepositoryError? { get }
    /// Begins to add commits to the log as it hears of them; `look` has the writer look too.
    func start(_ log: CommitLog, look: @escaping @Sendable () -> Void)
    /// Whether a failure of a read is one that passes, so that live queries wait for that.
    func passes(_ error: RepositoryError) -> Bool
    /// Looks for commits by others; false where a snapshot is opened for that.
    func look() -> Bool
    /// Has the log hear of what was committed before.
    func catchUp()
    /// Ends what was started; nothing of it is at work afterwards.
    func close()
    /// Prepares for reading one unchanging state, of which it is known that some tables will be read.
    ///
    /// Not in a turn of the log: this may wait for others.
    func prepareSnapshot(
        _ connection: any StoreConnection, of tables: () -> Set<String>
    ) throws(RepositoryError)
    /// Begins to read one unchanging state, and returns the commits that it shows and the log does not have.
    ///
    /// Called in a turn of the log, so that this program commits nothing in between; `number` is that of the log's last
    /// commit.
    func beginSnapshot(
        _ connection: any StoreConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit]
}

extension CommitSource {
    package func start(_ log: CommitLog, look: @escaping @Sendable () -> Void) {}

    package func passes(_ error: RepositoryError) -> Bool { if case .busy = error { true } else { false } }

    package func look() -> Bool { false }

    package func catchUp() {}

    package func close() {}

    package func prepareSnapshot(
        _ connection: any StoreConnection, of tables: () -> Set<String>
    ) throws(RepositoryError) {}
}
