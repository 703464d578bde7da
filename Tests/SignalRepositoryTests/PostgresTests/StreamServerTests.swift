import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The queries of a stream and of a listener, and the commits that they record.
@Suite("R12 R14 A stream and a listener by themselves", .timeLimit(.minutes(10))) struct StreamServerTests {
    private final class Reader: LogReader {
        func wake() {}
        func logClosed() {}
    }

    /// A log, and a reader of all its commits.
    private struct Heard {
        let log = CommitLog()
        let reader = Reader()

        init() { #expect(log.subscribe(reader, capturing: .none, includesUncaptured: true)) }

        func tables() -> [DirtyTables] { log.take(reader, capturing: .none).records.map(\.tables) }
    }

    private let server: TestServer
    private let store: String
    private let connection: PostgresConnection

    init() throws {
        server = try TestServer.shared.get()
        store = try server.store()
        connection = try PostgresConnection(store)
    }

    // The stream.

    /// Activates a stream that has reported nothing, and knows the table `A`.
    private func activate(_ stream: PostgresStream) throws {
        let reading = SnapshotReading(snapshot: try #require(ServerSnapshot("1:1:")), inserted: .zero, isFlushed: true)
        let relation = StreamedRelation(number: 7, schema: "public", name: "A", columns: [])
        stream.state.withLock { state in
            state.keep([7: StreamedTable(relation, key: [], version: "1")])
            state.activate(reading)
        }
    }

    @Test("A writer's commit is recorded as far as the stream does not report it, even if the stream ends")
    func recorded() throws {
        let stream = try PostgresStream(connection, .all, SilenceLimits())
        defer { stream.close() }
        let received = Heard()
        func record(_ tables: DirtyTables, meanwhile change: () throws -> Void = {}) throws -> [DirtyTables] {
            try stream.record(nil, captureVersion: 0, in: received.log) { () throws(RepositoryError) in
                do { try change() } catch { throw RepositoryError.closed }
                return tables
            }
            return received.tables()
        }
        func end() { stream.state.withLock { $0.end() } }
        func begin() throws { try activate(stream) }
        func resetTransaction() throws {
            end()
            try begin()
        }
        // Without a stream nobody knows what triggers have changed.
        #expect(!stream.isActive)
        #expect(try record(.some(["A"])) == [.all])
        #expect(try record(.none) == [])
        // It begins during the commit, and reports the rest.
        #expect(try record(.some(["A"]), meanwhile: begin) == [])
        end()
        #expect(try record(.some(["A", "B"]), meanwhile: begin) == [DirtyTables.some(["B"])])
        #expect(stream.isActive)
        #expect(try record(.some(["A"])) == [])
        #expect(try record(.some(["A", "B"])) == [DirtyTables.some(["B"])])
        #expect(try record(.none) == [])
        #expect(try record(.all) == [.all])
        // It ended during the commit, whether or not another has begun.
        #expect(try record(.some(["A"]), meanwhile: resetTransaction) == [.all])
        #expect(try record(.none, meanwhile: resetTransaction) == [])
        #expect(try record(.some(["A"]), meanwhile: end) == [.all])
    }

    @Test("Without a stream, everything is read again if something was written, and only then")
    func lookedAt() throws {
        // Nobody else writes there.
        let server = try TestServer(durableWith: "autovacuum = off")
        let connection = try PostgresConnection(server.store())
        let stream = try PostgresStream(connection, .all, SilenceLimits())
        defer { stream.close() }
        let received = Heard()
        stream.state.withLock { $0.log = received.log }
        func poll() -> [DirtyTables] {
            let done = DispatchSemaphore(value: 0)
            stream.queue.async {
                stream.pollNow()
                done.signal()
            }
            done.wait()
            return received.tables()
        }
        #expect(poll() == [.all])
        // The server sometimes writes by itself.
        var isQuiet = false
        for _ in 0..<1_000 where !isQuiet { isQuiet = poll().isEmpty }
        #expect(isQuiet)
        try connection.run("CREATE TABLE t (x bigint)")
        #expect(poll() == [.all])
        var isFlushed = false
        for _ in 0..<1_000 where !isFlushed { isFlushed = try connection.readSnapshot().isFlushed }
        #expect(isFlushed)
        connection.close()
        withExtendedLifetime(server) {}
    }

    @Test("Tables are known by their numbers, with the columns of their keys in the key's order") func tables() throws {
        try connection.run(
            "CREATE TABLE \"Pair\" (a bigint NOT NULL, b text, c bigint NOT NULL, PRIMARY KEY (c, a)); "
                + "CREATE TABLE bare (x bigint); CREATE TABLE unpublished (x bigint)")
        for table in ["Pair", "bare", "Pair"] { try connection.publish(table) }
        let tables = try connection.streamedTables(of: connection.publication)
        let pair = try #require(tables.values.first { $0.name == "Pair" })
        let bare = try #require(tables.values.first { $0.name == "bare" })
        #expect(tables.count == 2 && tables[pair.number] === pair && tables[bare.number] === bare)
        #expect(pair.layout.key == [2, 0] && bare.layout.key.isEmpty)
        let columns = pair.relation.columns
        #expect(columns.map(\.name) == ["a", "b", "c"] && columns.map(\.type) == [20, 25, 20])
        #expect(pair.relation.schema == connection.schema && pair.version != bare.version)
        let nothing = try connection.streamedTables(of: "nothing")
        #expect(nothing.isEmpty)
        // The tables that nothing reports.
        let names: Set<String> = ["Pair", "bare", "unpublished", "gone"]
        let unreported = try connection.unreported(of: names, by: .replication)
        #expect(unreported.unreported == ["unpublished", "gone"] && unreported.position > 0)
        let notified = try connection.unreported(of: names, by: .notifications)
        #expect(notified.unreported == names && notified.position >= unreported.position)
        let none = try connection.unreported(of: [], by: .replication)
        #expect(none.unreported.isEmpty && none.position >= notified.position)
    }

    @Test("A publication has the name of its schema if the server keeps all of that")
    func publications() throws {
        for length in [45, 46] {
            let schema = "p" + UUID().uuidString.replacing("-", with: "").lowercased()
            let name = schema + String(repeating: "x", count: length - schema.count)
            try server.run("CREATE SCHEMA \(name)", on: server.parameters)
            let publication = try PostgresConnection("\(server.parameters) options=-csearch_path=\(name)").publication
            #expect((publication == "signal_repository:\(name)") == (length == 45), "\(publication)")
            #expect(publication.hasPrefix("signal_repository:") && publication.utf8.count <= 63, "\(publication)")
        }
    }

    @Test("A request ahead is received before a transaction is queried; a failed connection counts as a lost server")
    func control() throws {
        let connections = Counter()
        let control = try StreamControl { [store] () throws(RepositoryError) in
            guard connections.add() == 1 else {
                throw RepositoryError.cannotOpen(path: "here", reason: "there is no server")
            }
            let connection = try PostgresConnection(store)
            try connection.prepareForSnapshots()
            return connection
        }
        defer { control.close() }
        let epoch = try #require(control.epoch)
        control.requestSnapshotAhead()
        #expect(control.outcome(of: 3, epoch: epoch) == .unknown)
        control.requestSnapshotAhead()
        control.discardSnapshot()
        #expect(try control.snapshot().end > 0)
        try control.perform { connection throws(RepositoryError) in connection.disconnect() }
        for _ in 0..<2 {
            let error = try thrown { () throws(RepositoryError) in
                try control.perform { connection throws(RepositoryError) in connection.number }
            }
            #expect(error.isIO && error.isLost, "\(error)")
        }
        #expect(connections.value == 3 && control.epoch == nil)
    }

    @Test("A server answers a status if it is asked to, and keeps what was not confirmed")
    func status() throws {
        // It does not answer unasked.
        let server = try TestServer(durableWith: "autovacuum = off\nwal_sender_timeout = 0")
        let parameters = try ConnectionString(server.parameters)
        let plain = try PostgresConnection(parameters)
        try plain.run("CREATE PUBLICATION nothing")
        let stream = try ReplicationConnection(parameters, WakePipe())
        let other = try ReplicationConnection(parameters, WakePipe())
        let slot = try stream.makeSlot("status")
        #expect(slot.name == "status" && !slot.snapshot.isEmpty)
        // A refusal has the server's code, and the connection goes on.
        let refusal = try thrown { () throws(RepositoryError) in try other.makeSlot("status") }
        if case .io(let diagnosis) = refusal { #expect(diagnosis.code == "42710") } else { Issue.record("\(refusal)") }
        #expect(try other.makeSlot("other").name == "other")
        other.close()
        try stream.start(slot, of: "nothing")
        var (position, answers) = (WALPosition.zero, 0)
        func answer(_ reached: WALPosition) throws {
            try stream.sendStatus(reached, requestsReply: true)
            let before = answers
            while answers == before {
                try stream.waitForMore(milliseconds: -1)
                while try stream.read({ bytes throws(RepositoryError) in
                    guard case .keepalive(let sent, _)? = try? ReplicationFrame(bytes) else { return }
                    position = max(position, sent)
                    answers += 1
                }) {}
            }
        }
        try answer(.zero)
        try plain.run("SELECT pg_logical_emit_message(true, 'a', ''); CREATE TABLE t (x bigint)")
        for _ in 0..<3 { try answer(.zero) }
        let reached = position
        // Messages from before are soon read.
        for _ in 0..<20 { try answer(reached) }
        let confirmed = try plain.rows(
            "SELECT (confirmed_flush_lsn - '0/0')::bigint FROM pg_replication_slots WHERE slot_name = 'status'")
        #expect(reached > .zero && confirmed == [[.integer(Int64(bitPattern: reached.number))]])
        stream.close()
        plain.close()
        withExtendedLifetime(server) {}
    }

    @Test("A source that cannot be removed as a whole is left as it was")
    func removal() throws {
        let role = "half_\(connection.schema)"
        try connection.run("CREATE TABLE \"A\" (x bigint); CREATE TABLE \"B\" (x bigint); CREATE ROLE \(role) LOGIN")
        for table in ["A", "B"] { try connection.publish(table) }
        try connection.run("ALTER TABLE \"A\" OWNER TO \(role)")
        let half = try PostgresConnection(store.replacing("user=main", with: "user=\(role)"))
        for _ in 0..<2 {
            let error = try thrown { () throws(RepositoryError) in try half.remove(.replication) }
            #expect(error.isReadOnly && !half.isInTransaction, "\(error)")
        }
        let identities = try connection.rows(
            "SELECT relreplident::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace")
        #expect(identities == [[.text("f")], [.text("f")]])
        try connection.remove(.replication)
        let left = try connection.rows(
            "SELECT 1 FROM pg_publication WHERE pubname = '\(connection.publication)'")
        #expect(left.isEmpty && !connection.isInTransaction)
    }
}

// Notifications.
extension StreamServerTests {
    private func notify(_ connection: PostgresConnection, _ tables: String...) throws {
        for table in tables { try connection.run("NOTIFY signal_repository, '\(connection.schema).\(table)'") }
    }

    @Test("A writer's connection is notified of what else its commit has changed; without one, everything is read")
    func committed() throws {
        let other = try PostgresConnection(store)
        let listener = try PostgresListener(connection.parameters, interval: .seconds(1_000))
        defer { listener.close() }
        let received = Heard()
        func committed(_ tables: DirtyTables) -> [DirtyTables] {
            listener.committed(on: connection, tables, in: received.log)
            return received.tables()
        }
        #expect(committed(.some(["n"])) == [])
        try connection.setListening(true)
        try notify(other, "o")
        try notify(connection, "n", "m")
        try connection.run("SELECT 1")
        #expect(committed(.some(["n"])) == [DirtyTables.some(["m"])])
        #expect(committed(.some(["n"])) == [] && committed(.none) == [])
        // The notified table is the committed one.
        try notify(connection, "n")
        #expect(committed(.some(["n"])) == [])
        connection.disconnect()
        #expect(committed(.some(["n"])) == [.all])
        #expect(committed(.none) == [])
        try listener.record(nil, captureVersion: 0, in: received.log) { () throws(RepositoryError) in .some(["n"]) }
        #expect(received.tables() == [DirtyTables.some(["n"])])
        #expect(!listener.reportsAuthors && listener.refusal?.isMisuse == true && listener.epoch != nil)
        #expect(!listener.poll())
        other.close()
    }

    @Test("A writer's connection listens while somebody follows, and its earlier commits are read again")
    func prepared() throws {
        let listener = try PostgresListener(connection.parameters, interval: .seconds(1_000))
        defer { listener.close() }
        let (log, reader) = (CommitLog(), Reader())
        listener.start(log, poll: {})
        listener.prepare(connection, log)
        #expect(!connection.isListening && log.number == 0)
        #expect(log.subscribe(reader, capturing: .none, includesUncaptured: true))
        for _ in 0..<2 {
            listener.prepare(connection, log)
            #expect(connection.isListening && log.number == 1)
        }
        log.unsubscribe(reader)
        for _ in 0..<2 {
            listener.prepare(connection, log)
            #expect(!connection.isListening && log.number == 1)
        }
        #expect(log.subscribe(reader, capturing: .none, includesUncaptured: true))
        connection.disconnect()
        listener.prepare(connection, log)
        #expect(log.number == 1)
    }
}
