import SignalRepository
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

/// The connection on which a stream sends its queries: requests ahead and other queries, in every order.
@Suite("R12 The queries of a server's stream", .timeLimit(.minutes(10))) struct StreamControlTests {
    /// How many connections have been made.
    private let connections = Counter()

    private func open(_ store: String) throws -> StreamControl {
        try StreamControl { [connections] () throws(RepositoryError) in
            connections.add()
            let connection = try PostgresConnection(store)
            try connection.prepareForSnapshots()
            return connection
        }
    }

    @Test("A snapshot requested ahead is received by the next caller that wants one, or by nobody", arguments: 0...3)
    func ahead(count: Int) throws {
        let store = try TestServer.shared.get().store()
        let control = try open(store)
        defer { control.close() }
        let plain = try PostgresConnection(store)
        try plain.run("CREATE TABLE t (x bigint)")
        for _ in 0..<20 {
            for _ in 0..<count { control.requestSnapshotAhead() }
            // The first snapshot was taken before this commit.
            try plain.run("INSERT INTO t VALUES (1)")
            let early = try control.snapshot()
            let late = try control.snapshot()
            #expect(late.contains(early))
            for _ in 0..<count { control.requestSnapshotAhead() }
            let rows = try control.perform { control throws(RepositoryError) in try control.rows("SELECT 7::bigint") }
            #expect(rows == [[.integer(7)]])
            #expect(try control.snapshot().contains(late))
        }
        #expect(connections.value == 1)
        plain.close()
    }

    @Test("If a connection is lost with a request ahead, that fails once, and the next snapshot comes from a new one")
    func lost() throws {
        let store = try TestServer.shared.get().store()
        let control = try open(store)
        let plain = try PostgresConnection(store)
        for round in 1...3 {
            let number = try control.perform { control throws(RepositoryError) in control.number }
            if round != 2 { control.requestSnapshotAhead() }
            try plain.run("SELECT pg_terminate_backend(\(number), 10000)")
            if round == 3 {
                // Another query does not fail.
                #expect(try control.perform { control throws(RepositoryError) in control.number } != number)
            }
            // A request that was sent before the end may have been answered.
            _ = try? control.snapshot()
            control.requestSnapshotAhead()
            _ = try? control.snapshot()
            #expect(try control.snapshot().end > 0)
        }
        #expect(connections.value == 4)
        let epoch = control.epoch
        control.requestSnapshotAhead()
        control.close()
        control.requestSnapshotAhead()
        #expect(throws: RepositoryError.closed) { try control.snapshot() }
        #expect(epoch != nil && control.epoch == nil)
        plain.close()
    }

    @Test("A snapshot requested ahead shows the state of that moment; after a loss, it is requested again")
    func asOfThen() throws {
        let store = try TestServer.shared.get().store()
        let control = try open(store)
        defer { control.close() }
        let plain = try PostgresConnection(store)
        let number = try control.perform { control throws(RepositoryError) in control.number }
        let answered = """
            SELECT 1 FROM pg_stat_activity \
            WHERE pid = \(number) AND state = 'idle' AND query LIKE '%pg_current_snapshot%'
            """
        /// Asks ahead, and waits until the server has answered.
        func requestSnapshotAhead() throws {
            let rows = try control.perform { control throws(RepositoryError) in try control.rows("SELECT 7::bigint") }
            #expect(rows == [[.integer(7)]])
            control.requestSnapshotAhead()
            while try plain.rows(answered).isEmpty {}
        }
        /// Commits a transaction, and returns its number.
        func commit() throws -> UInt32 {
            let rows = try plain.rows("SELECT pg_current_xact_id()::text::bigint")
            guard case .integer(let number)? = rows.first?.first else { throw RepositoryError.closed }
            return UInt32(truncatingIfNeeded: number)
        }
        try requestSnapshotAhead()
        let first = try commit()
        let (early, late) = (try control.snapshot(), try control.snapshot())
        #expect(!early.sees(first) && late.sees(first))
        try requestSnapshotAhead()
        let second = try commit()
        control.discardSnapshot()
        let anew = try control.snapshot()
        #expect(anew.sees(second))
        // Nothing was requested on the new connection yet.
        try plain.run("SELECT pg_terminate_backend(\(number), 10000)")
        let other = try control.perform { control throws(RepositoryError) in control.number }
        #expect(other != number)
        for _ in 0..<2 {
            let snapshot = try control.snapshot()
            #expect(snapshot.sees(second))
        }
        #expect(connections.value == 2)
        plain.close()
    }
}
