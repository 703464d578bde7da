/// The session in which live queries read; the engine's `CommitSource` begins its snapshots.
struct SnapshotSession {
    let session: Session
    /// See `CommitSource.prepareSnapshot(_:of:)`.
    let prepareSnapshot: (_ tables: () -> Set<String>) throws(RepositoryError) -> Void
    /// See `CommitSource.beginSnapshot(_:after:)`.
    let beginSnapshot: (_ number: Int) throws(RepositoryError) -> [UnnumberedCommit]

    /// Combines a session, the connection that it reads with, and the commit source of the engine.
    init<Connection: StoreConnection>(
        _ session: Session, _ connection: Connection, _ source: any CommitSource<Connection>
    ) {
        self.session = session
        prepareSnapshot = { tables throws(RepositoryError) in try source.prepareSnapshot(connection, of: tables) }
        beginSnapshot = { number throws(RepositoryError) in try source.beginSnapshot(connection, after: number) }
    }
}
