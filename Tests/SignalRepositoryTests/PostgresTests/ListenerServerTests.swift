import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// A listener that nothing polls at intervals: it receives only the server's notifications.
@Suite("R12 R14 A listener that is left to itself", .timeLimit(.minutes(10))) struct ListenerServerTests {
    private let store: String
    private let schema: String

    init() throws {
        store = try TestServer.shared.get().store()
        schema = try #require(store.split(separator: "=").last.map(String.init))
    }

    private func open(_ name: String = "listening") throws -> PostgresListener {
        try PostgresListener(ConnectionString("\(store) application_name=\(name)"), interval: .seconds(1_000))
    }

    /// Makes the listener listen, as a reader does before it reads.
    private func listen(_ listener: PostgresListener) throws {
        let reader = try PostgresConnection(store)
        try listener.prepareSnapshot(reader, of: { [] })
        #expect(reader.isInTransaction)
        reader.close()
    }

    private func notify(_ connection: PostgresConnection, _ table: String) throws {
        try connection.run("NOTIFY signal_repository, '\(schema).\(table)'")
    }

    @Test("A notification that arrives with a query's answer is received, though the socket has nothing more to read")
    func broughtAlong() async throws {
        let other = try PostgresConnection(store)
        let (listener, received, looks) = (try open(), ReceivedLog(), Counter())
        listener.start(received.log, poll: { looks.add() })
        try listen(listener)
        try notify(other, "first")
        #expect(await received.next() == [DirtyTables.some(["first"])])
        // From here on, the listener is busy.
        received.reader.hold(true)
        try notify(other, "second")
        await received.reader.woken.opened()
        received.reader.hold(false)
        try notify(other, "third")
        let epoch = try #require(listener.epoch)
        #expect(listener.outcome(of: 3, epoch: epoch) == .unknown)
        received.reader.goesOn.open()
        #expect(await received.next().last == DirtyTables.some(["third"]))
        // Each time, the writer polls too.
        #expect(looks.value >= 2)
        listener.close()
        #expect(listener.epoch == nil)
    }

    @Test("Notifications of the writer's own connection are ignored until that connection is gone")
    func own() async throws {
        let (writer, other) = (try PostgresConnection(store), try PostgresConnection(store))
        let gone = try PostgresConnection(store)
        let (listener, received) = (try open(), ReceivedLog())
        listener.start(received.log, poll: {})
        try listen(listener)
        try writer.setListening(true)
        listener.begins(on: writer)
        try notify(writer, "own")
        try notify(other, "foreign")
        #expect(await received.next() == [DirtyTables.some(["foreign"])])
        // That notification belongs to no recorded commit, so it is a trigger's.
        try writer.run("SELECT 1")
        listener.poll(writer, received.log)
        #expect(await received.next() == [DirtyTables.some(["own"])])
        try notify(writer, "own")
        try notify(other, "foreign")
        #expect(await received.next() == [DirtyTables.some(["foreign"])])
        // Another connection may get the number of one that is gone.
        gone.disconnect()
        listener.poll(gone, received.log)
        try notify(writer, "own")
        #expect(await received.next() == [DirtyTables.some(["own"])])
        listener.close()
    }

    @Test("Tables without notifications are polled once per interval, however often a reader asks")
    func unreported() async throws {
        let other = try PostgresConnection(store)
        let (listener, received) = (try open(), ReceivedLog())
        listener.start(received.log, poll: {})
        try listen(listener)
        listener.expect(["ghost"])
        #expect(!listener.poll())
        #expect(await received.next() == [DirtyTables.some(["ghost"])])
        try other.run("CREATE TABLE t (x bigint)")
        #expect(!listener.poll())
        // The next notification is this one, so the poll has recorded nothing.
        try notify(other, "n")
        #expect(await received.next() == [DirtyTables.some(["n"])])
        listener.close()
    }

    @Test("On a new connection, it listens before a read, receives commits, and has every query read again")
    func lost() async throws {
        let name = "lost_\(schema)"
        let other = try PostgresConnection(store)
        let (listener, received) = (try open(name), ReceivedLog())
        func end() throws {
            try other.run(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = '\(name)'")
        }
        // Ended before the listener starts: reads do not fail because of that.
        try end()
        try listen(listener)
        #expect(listener.epoch == nil)
        for _ in 0..<20 { _ = try other.rows("SELECT 1") }
        listener.start(received.log, poll: {})
        #expect(await received.next() == [.all])
        for table in ["a", "b"] {
            let epoch = listener.epoch
            #expect(epoch != nil && listener.isListening)
            try notify(other, table)
            #expect(await received.next() == [DirtyTables.some([table])])
            try end()
            #expect(await received.next() == [.all])
            #expect(listener.epoch != epoch)
        }
        listener.close()
    }

    @Test("Closing ends every thread that has watched the connection")
    func startedAgain() async throws {
        let (listener, received) = (try open(), ReceivedLog())
        // The second start stands for the first one's turn on the queue after a lost connection was replaced.
        for _ in 0..<2 { listener.start(received.log, poll: {}) }
        listener.close()
    }

    @Test("A snapshot shows the state at its beginning, not at the first read")
    func snapshot() throws {
        let (reader, other) = (try PostgresConnection(store), try PostgresConnection(store))
        try other.run("CREATE TABLE t (x bigint)")
        let listener = try open()
        try listener.prepareSnapshot(reader, of: { ["t"] })
        let commits = try listener.beginSnapshot(reader, after: 0)
        try other.run("INSERT INTO t VALUES (1)")
        let rows = try reader.rows("SELECT count(*) FROM t")
        #expect(commits.isEmpty && rows == [[.integer(0)]])
        try reader.rollback()
        listener.close()
    }

    @Test("Closing waits for work under way, and starts none")
    func closing() async throws {
        let (listener, received) = (try open(), ReceivedLog())
        let (ended, closes) = (Gate(), Counter())
        listener.expect(["ghost"])
        listener.start(received.log, poll: {})
        received.reader.hold(true)
        #expect(!listener.poll())
        await received.reader.woken.opened()
        Thread {
            listener.close()
            closes.add()
            ended.open()
        }.start()
        // Gives the thread every chance to end.
        for _ in 0..<10_000 { sched_yield() }
        #expect(closes.value == 0)
        received.reader.goesOn.open()
        await ended.opened()
        #expect(closes.value == 1 && listener.epoch == nil)
        for _ in 0..<20 {
            let brief = try open()
            brief.start(CommitLog(), poll: {})
            brief.close()
            #expect(brief.epoch == nil)
        }
    }
}
