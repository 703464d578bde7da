import SignalRepository

/// What the two sources of commits have in common for the writer, whose own commits are told by either.
protocol PostgresSource: CommitSource, Sendable {
    var tellsAuthors: Bool { get }
    /// Adds to the tables that the store reads: the declared ones when it is open, then those that raw queries read.
    func expect(_ tables: Set<String>)
    /// Prepares the connection on which the writer is about to begin a transaction.
    func prepare(_ connection: PostgresConnection, _ log: CommitLog)
    /// Notes the connection on which the writer has begun a transaction.
    func begins(on connection: PostgresConnection)
    /// Commits with `commit`, which returns the tables that were changed, and has that recorded in the log.
    func record(
        _ author: String?, captureVersion: Int, in log: CommitLog,
        _ commit: () throws(RepositoryError) -> DirtyTables
    ) throws(RepositoryError)
    /// Has recorded what else the writer's commit has changed.
    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog)
    /// Looks for commits of others, between two transactions of the writer.
    func look(_ connection: PostgresConnection, _ log: CommitLog)

    /// Names a connection that is there now, if there is one; it was there before whatever is begun afterwards.
    var view: Int? { get }
    /// What the server says of a transaction on the connection of a view; `nil` when that is gone.
    func outcome(of number: Int64, view: Int) -> TransactionOutcome?
}

extension PostgresSource {
    func prepare(_ connection: PostgresConnection, _ log: CommitLog) {}

    func passes(_ error: RepositoryError) -> Bool {
        if case .busy = error { true } else { error.isLost }
    }
}
