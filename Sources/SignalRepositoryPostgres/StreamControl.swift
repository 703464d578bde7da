import CPostgres
import SignalRepository
import Signals

/// The connection by which a stream asks what it is not told: snapshots, positions and tables.
///
/// One that is lost is made again when it is next used.
final class StreamControl: Sendable {
    private struct State {
        /// Whether a snapshot was asked for ahead, of which nobody has the answer; changed in a turn of the connection.
        var isAsked = false
        var isClosed = false
    }

    private let state = Lock(State())
    private let connection: SharedConnection
    private let connect: @Sendable () throws(RepositoryError) -> PostgresConnection

    init(connect: @escaping @Sendable () throws(RepositoryError) -> PostgresConnection) throws(RepositoryError) {
        self.connect = connect
        connection = SharedConnection(try connect())
    }

    /// Asks something; whoever asks next waits.
    func ask<Answer>(
        _ question: (PostgresConnection) throws(RepositoryError) -> Answer
    ) throws(RepositoryError) -> Answer {
        try connection.use { connection throws(RepositoryError) in
            forgetAnswer(of: connection)
            return try question(current(&connection))
        }
    }

    /// Asks for a snapshot without waiting for it: it is what whoever wants one next receives, if nothing else is asked
    /// before.
    ///
    /// Where the connection is in use, nothing is asked.
    func askAhead() {
        connection.useIfFree { connection in
            guard !state.withLock(\.isAsked) else { return }
            let isAsked = connection.sendForSnapshot()
            state.withLock { $0.isAsked = isAsked }
        }
    }

    /// Says what can be read now, or could when it was asked ahead.
    func snapshot() throws(RepositoryError) -> ServerSnapshot {
        try connection.use { connection throws(RepositoryError) in
            // Whether the connection is still there shows in the answer.
            if takeAsked(), let connection { return try connection.receiveSnapshot() }
            let connection = try current(&connection)
            guard connection.sendForSnapshot() else { throw connection.lost(nil) }
            return try connection.receiveSnapshot()
        }
    }

    /// Receives what was asked for ahead, if it is still there: later it would be too old.
    func forgetAnswer() { connection.use { connection in forgetAnswer(of: connection) } }

    /// Receives what was asked for ahead, which nobody wants any more, so that something else can be asked.
    private func forgetAnswer(of connection: PostgresConnection?) {
        if takeAsked() { _ = try? connection?.receiveSnapshot() }
    }

    private func takeAsked() -> Bool {
        state.withLock { state in
            defer { state.isAsked = false }
            return state.isAsked
        }
    }

    /// The connection there is, or a new one in the place of one that was lost.
    private func current(_ connection: inout PostgresConnection?) throws(RepositoryError) -> PostgresConnection {
        guard !state.withLock(\.isClosed) else { throw .closed }
        if let connection, connection.isAlive() { return connection }
        connection.take()?.close()
        state.withLock { $0.isAsked = false }
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

    var view: Int? { connection.view }

    func outcome(of number: Int64, view: Int) -> TransactionOutcome? {
        connection.outcome(of: number, view: view) { connection in forgetAnswer(of: connection) }
    }
}

/// What a snapshot sees, and how far the log reached when it was taken: what it sees was in the log by then.
struct SnapshotReading {
    let snapshot: ServerSnapshot
    let inserted: WALPosition
    /// Whether all of that was on the disk, so that it is sent.
    let isFlushed: Bool
}

extension PostgresConnection {
    static let authorPrefix = "signal_repository.author"

    /// Says which snapshot the statement, or its transaction, has.
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

    /// Has the server know the question that is asked for each commit.
    func prepareForSnapshots() throws(RepositoryError) {
        try run("PREPARE \(Self.snapshotStatement) AS SELECT pg_current_snapshot()::text")
    }

    /// Asks which commits can be read, and does not wait for the answer; false when the connection is lost.
    func sendForSnapshot() -> Bool {
        PQsendQueryPrepared(handle, Self.snapshotStatement, 0, nil, nil, nil, 0) == 1
    }

    func receiveSnapshot() throws(RepositoryError) -> ServerSnapshot {
        let question = "EXECUTE \(Self.snapshotStatement)"
        let result = try answer(try open(), question)
        defer { PQclear(result) }
        guard let text = PQgetvalue(result, 0, 0), let snapshot = ServerSnapshot(String(cString: text)) else {
            throw lost(question)
        }
        return snapshot
    }

    /// Says what a snapshot sees that another connection has exported.
    ///
    /// Nothing is read in it: the snapshot of a slot has no transaction of its own that would keep what it shows.
    func readSnapshot(exportedAs name: String) throws(RepositoryError) -> ServerSnapshot {
        defer { try? rollback() }
        try run(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT \(Identifier.literal(name))")
        return try readSnapshot().snapshot
    }

    /// Commits something that is in no table, so that everything before it is written to the disk and sent.
    func fence() throws(RepositoryError) {
        try run("SELECT pg_logical_emit_message(true, 'signal_repository', '')")
    }
}
