import RepositoryCore

/// The interface of the two commit sources to the writer, whose own commits they record.
protocol PostgresSource: CommitSource<PostgresConnection>, Sendable {
    var reportsAuthors: Bool { get }
    /// Adds tables that the store reads: the declared ones at opening, later those of raw SQL.
    func expect(_ tables: Set<String>)
    /// Prepares the connection on which the writer is about to begin a transaction.
    func prepare(_ connection: PostgresConnection, _ log: CommitLog)
    /// Notes the connection on which the writer has begun a transaction.
    func begins(on connection: PostgresConnection)
    /// Commits with `commit`, which returns the changed tables, and ensures that the log records the commit.
    func record(
        _ author: String?, captureVersion: Int, in log: CommitLog,
        _ commit: () throws(RepositoryError) -> DirtyTables
    ) throws(RepositoryError)
    /// Records what else the writer's commit has changed.
    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog)
    /// Checks for commits by others, between two transactions of the writer.
    func poll(_ connection: PostgresConnection, _ log: CommitLog)

    /// The epoch of the current connection, or `nil`; read it before a COMMIT whose outcome may be queried later.
    var epoch: Int? { get }
    /// The server's verdict on a transaction, by the connection of an epoch; `nil` if that connection is gone.
    func outcome(of number: Int64, epoch: Int) -> TransactionOutcome?
}

extension PostgresSource {
    func prepare(_ connection: PostgresConnection, _ log: CommitLog) {}

    func passes(_ error: RepositoryError) -> Bool {
        if case .busy = error { true } else { error.isLost }
    }
}
