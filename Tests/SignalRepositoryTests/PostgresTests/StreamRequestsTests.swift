import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// Requests from passes, writers and a close, to a stream that has sent nothing.
@Suite("R4 R12 R14 Requests to a stream", .timeLimit(.minutes(10))) struct StreamRequestsTests {
    private let store: String
    private let connection: PostgresConnection
    private let reader: PostgresConnection

    init() throws {
        store = try TestServer.shared.get().store()
        (connection, reader) = (try PostgresConnection(store), try PostgresConnection(store))
        try connection.run("CREATE TABLE \"A\" (x bigint); CREATE TABLE \"B\" (x bigint)")
    }

    /// Activates a stream that knows a table `A`, which has been recreated since.
    private func activate(_ stream: PostgresStream, at position: WALPosition = .zero) throws {
        let reading = SnapshotReading(snapshot: try #require(ServerSnapshot("1:1:")), inserted: .zero, isFlushed: true)
        let relation = StreamedRelation(number: 7, schema: "public", name: "A", columns: [])
        stream.state.withLock { state in
            state.keep([7: StreamedTable(relation, key: [], version: "1")])
            state.activate(reading)
            state.position = position
        }
    }

    /// Waits until all work on the stream's queue is done.
    private func drain(_ stream: PostgresStream) {
        let isDone = Gate()
        stream.queue.async { isDone.open() }
        isDone.wait()
    }

    /// The tables of the commits that a new snapshot shows.
    private func commits(_ stream: PostgresStream) throws -> [DirtyTables] {
        try stream.prepareSnapshot(reader, of: { [] })
        let commits = try stream.beginSnapshot(reader, after: 0)
        try reader.rollback()
        return commits.map(\.tables)
    }

    @Test("A snapshot locks the tables of the stream, or those that are read; after a drop, the stream polls once")
    func locks() throws {
        let stream = try PostgresStream(connection, .all, SilenceLimits())
        defer { stream.close() }
        let goesOn = Gate()
        stream.queue.async { goesOn.wait() }
        func locked() throws -> Set<String> {
            try stream.prepareSnapshot(reader, of: { ["A", "B"] })
            let tables = reader.locked?.tables ?? []
            try reader.rollback()
            return tables
        }
        func isPollDue() -> Bool { stream.state.withLock { $0.isPollDue } }
        stream.expect(["B"])
        #expect(try locked() == ["B"])
        try activate(stream)
        #expect(try locked() == ["A"])
        #expect(!isPollDue())
        try connection.run("DROP TABLE \"A\"")
        #expect(try locked() == [])
        #expect(isPollDue())
        #expect(stream.poll() && isPollDue())
        goesOn.open()
        drain(stream)
        #expect(!isPollDue())
    }

    @Test("Without a stream, a snapshot shows the state at its beginning, and everything is read in it")
    func withoutStream() throws {
        let stream = try PostgresStream(connection, .all, SilenceLimits())
        defer { stream.close() }
        try stream.prepareSnapshot(reader, of: { [] })
        let commits = try stream.beginSnapshot(reader, after: 0)
        try connection.run("INSERT INTO \"A\" VALUES (1)")
        let rows = try reader.rows("SELECT count(*) FROM \"A\"")
        #expect(commits.map(\.tables) == [.all] && rows == [[.integer(0)]])
        try reader.rollback()
    }

    @Test("A stream that is behind again is awaited no longer than the shorter of both limits")
    func patience() throws {
        let limits = [
            SilenceLimits(waited: .zero, waitedAgain: .seconds(100_000)),
            SilenceLimits(waited: .seconds(100_000), waitedAgain: .zero),
        ]
        for silence in limits {
            let stream = try PostgresStream(connection, .all, silence)
            defer { stream.close() }
            try activate(stream)
            stream.state.withLock { $0.hasReaders = true }
            let told = try commits(stream)
            let waiters = stream.state.withLock { $0.waiters.count }
            #expect(told == [.all] && waiters == 0)
        }
    }

    @Test("After a commit to a recreated table, the tables are queried, and live queries of it are read again")
    func otherTables() throws {
        try connection.publish("A")
        let stream = try PostgresStream(connection, .all, SilenceLimits())
        defer { stream.close() }
        let received = ReceivedLog()
        stream.state.withLock { $0.log = received.log }
        try activate(stream, at: WALPosition(.max))
        let first = try commits(stream)
        drain(stream)
        #expect(first.isEmpty && received.take().isEmpty)
        stream.state.withLock { $0.hasNewTables = true }
        let second = try commits(stream)
        drain(stream)
        #expect(second.isEmpty && received.take() == [DirtyTables.some(["A"])])
        let (numbers, names) = stream.state.withLock { (Set($0.capture.tables.keys), $0.tableNames) }
        #expect(!numbers.contains(7) && names == ["A"])
    }

    @Test("The log learns the position of a snapshot when a reader wants earlier commits")
    func catchUp() throws {
        let stream = try PostgresStream(connection, .all, SilenceLimits())
        defer { stream.close() }
        let received = ReceivedLog()
        func hear() {
            stream.state.withLock { state in
                state.log = received.log
                state.add(
                    StreamedCommit(
                        transaction: 3, end: WALPosition(10),
                        commit: UnnumberedCommit(tables: .some(["A"]), rows: .unknown), weight: 1,
                        hasNewTables: false))
            }
        }
        hear()
        stream.catchUp()
        #expect(received.take().isEmpty)
        try activate(stream, at: WALPosition(.max))
        stream.state.withLock { $0.pending = [] }
        hear()
        stream.catchUp()
        #expect(received.take() == [DirtyTables.some(["A"])])
        stream.catchUp()
        #expect(received.take().isEmpty)
    }

    @Test("Closing waits for work under way; commits of the stream wait for no standby")
    func closing() throws {
        let stream = try PostgresStream(connection, .all, SilenceLimits())
        let settings = try stream.control.perform { control throws(RepositoryError) in
            try control.rows("SELECT current_setting('synchronous_commit')")
        }
        #expect(settings == [[.text("local")]])
        let (goesOn, ended, closes) = (Gate(), Gate(), Counter())
        stream.queue.async { goesOn.wait() }
        Thread {
            stream.close()
            closes.add()
            ended.open()
        }.start()
        // Gives the thread every chance to end.
        for _ in 0..<10_000 { sched_yield() }
        #expect(closes.value == 0)
        goesOn.open()
        ended.wait()
        #expect(closes.value == 1 && stream.epoch == nil)
    }
}
