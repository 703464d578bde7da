import CPostgres
import RepositoryCore
import Signals

/// The connection on which `PostgresStream` queries snapshots, positions in the write-ahead log and tables.
///
/// If the connection is lost, its next use opens a new one.
final class StreamControl: Sendable {
    private struct State {
        /// Whether a query for a snapshot is unanswered.
        ///
        /// Only the thread that uses the connection changes this.
        var isRequested = false
        var isClosed = false
    }

    private let state = Lock(State())
    private let connection: SharedConnection
    private let connect: @Sendable () throws(RepositoryError) -> PostgresConnection

    init(connect: @escaping @Sendable () throws(RepositoryError) -> PostgresConnection) throws(RepositoryError) {
        self.connect = connect
        connection = SharedConnection(try connect())
    }

    /// Runs a query on the connection; other callers wait until it ends.
    func perform<Answer>(
        _ query: (PostgresConnection) throws(RepositoryError) -> Answer
    ) throws(RepositoryError) -> Answer {
        try connection.use { connection throws(RepositoryError) in
            discardSnapshot(of: connection)
            return try query(current(&connection))
        }
    }

    /// Sends the query for a snapshot without waiting.
    ///
    /// The next `snapshot()` receives the answer, unless another query discards it first.
    ///
    /// Does nothing while the connection is in use.
    func requestSnapshotAhead() {
        connection.useIfFree { connection in
            guard !state.withLock(\.isRequested) else { return }
            let isRequested = connection.sendForSnapshot()
            state.withLock { $0.isRequested = isRequested }
        }
    }

    /// Returns the snapshot that `requestSnapshotAhead()` requested, or a new snapshot.
    func snapshot() throws(RepositoryError) -> ServerSnapshot {
        try connection.use { connection throws(RepositoryError) in
            // Needs no check that the connection is alive: receiving the answer fails if it is not.
            if takeRequested(), let connection { return try connection.receiveSnapshot() }
            let connection = try current(&connection)
            guard connection.sendForSnapshot() else { throw connection.lost(nil) }
            return try connection.receiveSnapshot()
        }
    }

    /// Discards a snapshot that was requested ahead, because it would be too old for the next caller.
    func discardSnapshot() { connection.use { connection in discardSnapshot(of: connection) } }

    /// Receives and discards a snapshot that was requested ahead, so that the connection can run another query.
    private func discardSnapshot(of connection: PostgresConnection?) {
        if takeRequested() { _ = try? connection?.receiveSnapshot() }
    }

    private func takeRequested() -> Bool {
        state.withLock { state in
            defer { state.isRequested = false }
            return state.isRequested
        }
    }

    /// Returns the current connection, or a new one if the current one is lost.
    private func current(_ connection: inout PostgresConnection?) throws(RepositoryError) -> PostgresConnection {
        guard !state.withLock(\.isClosed) else { throw .closed }
        if let connection, connection.isAlive() { return connection }
        connection.take()?.close()
        state.withLock { $0.isRequested = false }
        let new: PostgresConnection
        do throws(RepositoryError) {
            new = try connect()
        } catch {
            throw error.asLost
        }
        connection = new
        return new
    }

    func close() {
        state.withLock { $0.isClosed = true }
        connection.use { $0.take() }?.close()
    }

    var epoch: Int? { connection.epoch }

    func outcome(of number: Int64, epoch: Int) -> TransactionOutcome? {
        connection.outcome(of: number, epoch: epoch) { connection in discardSnapshot(of: connection) }
    }
}

/// A snapshot, and the end of the write-ahead log when it was taken.
///
/// All commits that the snapshot sees are before that end.
struct SnapshotReading {
    let snapshot: ServerSnapshot
    let inserted: WALPosition
    /// Whether the write-ahead log was on disk up to `inserted`.
    ///
    /// The server streams only the part that is on disk.
    let isFlushed: Bool
}

extension PostgresConnection {
    static let authorPrefix = "signal_repository.author"

    /// Reads the snapshot in which the query itself runs, and the end of the write-ahead log.
    func readSnapshot() throws(RepositoryError) -> SnapshotReading {
        let rows = try rows(
            """
            SELECT pg_current_snapshot()::text, (pg_current_wal_insert_lsn() - '0/0')::bigint, \
            (pg_current_wal_flush_lsn() - '0/0')::bigint
            """)
        guard case .text(let text)? = rows.first?[0], let snapshot = ServerSnapshot(text),
            case .integer(let inserted)? = rows.first?[1], case .integer(let flushed)? = rows.first?[2]
        else { throw lost("SELECT pg_current_snapshot()") }
        return SnapshotReading(
            snapshot: snapshot, inserted: WALPosition(UInt64(bitPattern: inserted)), isFlushed: flushed >= inserted)
    }

    private static let snapshotStatement = "signal_repository_snapshot"

    /// Prepares the query that `sendForSnapshot()` sends, because it is sent often.
    func prepareForSnapshots() throws(RepositoryError) {
        try run("PREPARE \(Self.snapshotStatement) AS SELECT pg_current_snapshot()::text")
    }

    /// Sends the query for a snapshot without waiting for the answer; returns false if the connection is lost.
    func sendForSnapshot() -> Bool {
        PQsendQueryPrepared(handle, Self.snapshotStatement, 0, nil, nil, nil, 0) == 1
    }

    func receiveSnapshot() throws(RepositoryError) -> ServerSnapshot {
        let query = "EXECUTE \(Self.snapshotStatement)"
        let result = try answer(try open(), query)
        defer { PQclear(result) }
        guard let text = PQgetvalue(result, 0, 0), let snapshot = ServerSnapshot(String(cString: text)) else {
            throw lost(query)
        }
        return snapshot
    }

    /// Reads a snapshot that another connection has exported.
    ///
    /// It reads no rows, only which transactions the snapshot sees.
    func readSnapshot(exportedAs name: String) throws(RepositoryError) -> ServerSnapshot {
        defer { try? rollback() }
        try run(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT \(Identifier.literal(name))")
        return try readSnapshot().snapshot
    }

    /// Commits a message without a table, so that the server flushes its write-ahead log and sends all earlier commits.
    func fence() throws(RepositoryError) {
        try run("SELECT pg_logical_emit_message(true, 'signal_repository', '')")
    }
}
