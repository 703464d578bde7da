import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// A stream by itself, without a repository that polls at intervals.
@Suite("R4 R12 R14 The life of a stream", .timeLimit(.minutes(10))) struct StreamLifeTests {
    @Test("It reports its beginning, commits that nobody followed, new columns and its end, and confirms the rest")
    func wholeLife() async throws {
        // The server sends nothing by itself.
        let server = try TestServer(durableWith: "autovacuum = off\nwal_sender_timeout = 0")
        let store = try server.store()
        let (plain, other) = (try PostgresConnection(store), try PostgresConnection(store))
        try plain.run("CREATE TABLE \"A\" (x bigint)")
        try plain.publish("A")
        let silence = SilenceLimits(
            waited: .seconds(60), waitedAgain: .seconds(60), requested: .seconds(100_000), lost: .seconds(200_000))
        let stream = try PostgresStream(plain, .all, silence)
        let received = ReceivedLog()
        stream.start(received.log, poll: {})
        #expect(await received.next() == [.all])
        #expect(stream.isActive)
        // A new column: the commit arrives, and then the change of the table.
        try plain.run("ALTER TABLE \"A\" ADD COLUMN y bigint")
        try plain.run("INSERT INTO \"A\" VALUES (1, 2)")
        var tables = await received.next()
        if tables.count == 1 { tables += await received.next() }
        #expect(tables == [DirtyTables.some(["A"]), .some(["A"])])
        let columns = stream.state.withLock { $0.capture.tables.values.first?.relation.columns.map(\.name) ?? [] }
        #expect(columns == ["x", "y"])
        // Commits without a reader are kept for the next one.
        received.log.unsubscribe(received.reader)
        try plain.run("INSERT INTO \"A\" VALUES (3, 4)")
        while stream.state.withLock({ $0.pending.isEmpty }) { await Task.yield() }
        received.subscribe()
        #expect(await received.next() == [DirtyTables.some(["A"])])
        // The server need not keep what has arrived.
        let end = Int64(bitPattern: stream.state.withLock { $0.position.number })
        let confirmed = "SELECT 1 FROM pg_replication_slots WHERE (confirmed_flush_lsn - '0/0')::bigint >= \(end)"
        while try plain.rows(confirmed).isEmpty { await Task.yield() }
        // It cannot begin again while another transaction is open.
        try other.run("BEGIN; SELECT pg_current_xact_id()")
        try plain.run(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE backend_type = 'walsender'")
        #expect(await received.next() == [.all])
        #expect(!stream.isActive)
        try other.run("COMMIT")
        #expect(await received.next() == [.all])
        #expect(stream.isActive)
        stream.close()
        #expect(stream.epoch == nil && !stream.isActive)
        for connection in [plain, other] { connection.close() }
        #expect(try server.isLeft())
    }
}
