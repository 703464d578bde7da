import RepositoryCore

/// The interface of a commit source to the writer; the source records the writer's commits in the commit log.
protocol PostgresSource: CommitSource<PostgresConnection>, Sendable {
    var reportsAuthors: Bool { get }
    /// Adds tables that the store reads: the declared tables at first, and later the tables that raw SQL reads.
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
    /// Records the tables that the writer's commit has changed in addition to `tables`.
    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog)
    /// Checks for commits by other connections, between two transactions of the writer.
    func poll(_ connection: PostgresConnection, _ log: CommitLog)

    /// The generation of the source's connection, if open; read it before a COMMIT to pass it to `outcome` later.
    var epoch: Int? { get }
    /// Queries a transaction's outcome on the connection with the generation `epoch`; `nil` if that connection is gone.
    func outcome(of number: Int64, epoch: Int) -> TransactionOutcome?
}

extension PostgresSource {
    func prepare(_ connection: PostgresConnection, _ log: CommitLog) {}

    func passes(_ error: RepositoryError) -> Bool {
        if case .busy = error { true } else { error.isLost }
    }
}
