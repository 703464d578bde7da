/// A session with its engine's source of commits, which begins the snapshots that live queries read.
struct SnapshotSession {
    let session: Session
    /// See `CommitSource.prepareSnapshot(_:of:)`.
    let prepareSnapshot: (_ tables: () -> Set<String>) throws(RepositoryError) -> Void
    /// See `CommitSource.beginSnapshot(_:after:)`.
    let beginSnapshot: (_ number: Int) throws(RepositoryError) -> [UnnumberedCommit]

    /// Creates a session that reads with a connection.
    init<Connection: StoreConnection>(
        _ session: Session, _ connection: Connection, _ source: any CommitSource<Connection>
    ) {
        self.session = session
        prepareSnapshot = { tables throws(RepositoryError) in try source.prepareSnapshot(connection, of: tables) }
        beginSnapshot = { number throws(RepositoryError) in try source.beginSnapshot(connection, after: number) }
    }
}
