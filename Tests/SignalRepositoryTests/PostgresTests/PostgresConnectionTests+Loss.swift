import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

// Loss.
extension PostgresConnectionTests {
    @Test("A lost connection is replaced, with its settings, if nothing was sent")
    func revived() throws {
        try connection.keep("SET lock_timeout TO 1234")
        let held = try raw("SELECT current_setting('lock_timeout')")
        try connection.setListening(true)
        let number = connection.number
        try end()
        #expect(!connection.isAlive())
        try connection.revive()
        #expect(connection.generation == 2 && connection.number != number && !connection.isListening)
        #expect(try held.first(Self.value) == .text("1234ms"))
        // An intact connection is left alone.
        try connection.revive()
        #expect(connection.generation == 2)
        connection.close()
        #expect(connection.number == 0 && !connection.isAlive())
        #expect(throws: RepositoryError.closed) { try connection.revive() }
        #expect(throws: RepositoryError.closed) { try connection.reconnect() }
        #expect(throws: RepositoryError.closed) { try connection.run("SELECT 1") }
    }

    @Test("The first statement of a transaction is repeated on a new connection, and a later one fails")
    func lostTransactions() throws {
        for kind in [TransactionKind.read, .write, .readingStatement, .writingStatement] {
            try end()
            try connection.begin(kind)
            #expect(try connection.rows("SELECT 7::bigint") == [[.integer(7)]])
            try connection.rollback()
        }
        // The first read of a single statement is repeated too.
        try connection.begin(.readingStatement)
        try end()
        #expect(try connection.rows("SELECT 7::bigint") == [[.integer(7)]])
        for kind in [TransactionKind.read, .write, .writingStatement] {
            try connection.begin(kind)
            try end()
            #expect(throws: RepositoryError.self) { try run("INSERT INTO n VALUES (1)") }
            #expect(!connection.isOpen && !connection.isInTransaction)
        }
        #expect(try other.rows("SELECT count(*) FROM n") == [[.integer(0)]])
    }

    @Test("A COMMIT that was not sent is known to have done nothing")
    func unsent() throws {
        connection.author = "Ann"
        try connection.begin(.write)
        try run("INSERT INTO n VALUES (1)")
        try connection.commit()
        try connection.begin(.write)
        try run("INSERT INTO n VALUES (2)")
        try end()
        #expect(!connection.isAlive())
        let error = try thrown { () throws(RepositoryError) in try connection.commit() }
        #expect(error.isIO, "\(error)")
        #expect(try other.rows("SELECT i FROM n") == [[.integer(1)]])
    }

    @Test("A statement whose columns have changed is prepared again when it is next used")
    func otherColumns() throws {
        #expect(!connection.takeRecompilation())
        let held = try raw("SELECT * FROM n")
        try other.run("ALTER TABLE n ADD COLUMN j text")
        try end()
        try connection.revive()
        let error = try thrown { () throws(RepositoryError) in try held.run() }
        #expect(error.isConflict && connection.needsReread && connection.takeRecompilation(), "\(error)")
        #expect(!connection.takeRecompilation())
        connection.forgetStatements()
        #expect(try raw("SELECT * FROM n").columnNames == ["i", "j"])
    }

    @Test("A schema that was dropped is not replaced by the next one of the search path")
    func schema() throws {
        try other.run("DROP SCHEMA \(connection.schema) CASCADE")
        try end()
        let error = try thrown { () throws(RepositoryError) in try connection.revive() }
        #expect(error.isIO && "\(error)".contains("the schema \(connection.schema) is gone"), "\(error)")
        #expect(!connection.isOpen)
    }

    // Notifications.

    @Test("While it listens, it is notified once of each table of its schema that the given connections change")
    func notifications() throws {
        func notify() throws {
            for table in ["\(connection.schema).n", "elsewhere.m", "\(connection.schema)m"] {
                try other.run("NOTIFY signal_repository, '\(table)'")
            }
            try connection.run("NOTIFY signal_repository, '\(connection.schema).m'")
        }
        func received(_ isConcerned: (Int32) -> Bool = { _ in true }) throws -> Set<String> {
            try connection.run("SELECT 1")
            return connection.notifiedTables(by: isConcerned)
        }
        try notify()
        #expect(try received().isEmpty && !connection.isListening)
        for _ in 0..<2 { try connection.setListening(true) }
        #expect(connection.isListening)
        try notify()
        #expect(try received() == ["n", "m"])
        #expect(try received().isEmpty)
        try notify()
        #expect(try received { $0 == connection.number } == ["m"])
        #expect(try received().isEmpty)
        for _ in 0..<2 { try connection.setListening(false) }
        try notify()
        #expect(try received().isEmpty && !connection.isListening)
    }

    @Test("A3 Two threads that use a connection at once trap", .prompt) func confined() async {
        await #expect(processExitsWith: .failure) {
            // Unsafe on purpose: the connection must notice it.
            nonisolated(unsafe) let connection = try PostgresConnection(TestServer.shared.get().parameters)
            let done = DispatchSemaphore(value: 0)
            connection.withCancellation(nil) {
                Thread {
                    _ = try? connection.run("SELECT 1")
                    done.signal()
                }.start()
                done.wait()
            }
        }
    }

    @Test("A3 Two threads that use a stream at once trap", .prompt) func confinedStream() async {
        await #expect(processExitsWith: .failure) {
            let parameters = try ConnectionString(TestServer.shared.get().parameters)
            // Unsafe on purpose, too.
            nonisolated(unsafe) let stream = try ReplicationConnection(parameters, WakePipe())
            let plain = try PostgresConnection(parameters)
            try plain.run("CREATE PUBLICATION nothing")
            try stream.start(try stream.makeSlot("nothing"), of: "nothing")
            try plain.run("SELECT pg_logical_emit_message(true, '', '')")
            while try !stream.read({ _ in
                let done = DispatchSemaphore(value: 0)
                Thread {
                    stream.close()
                    done.signal()
                }.start()
                done.wait()
            }) { try stream.waitForMore(milliseconds: -1) }
        }
    }

    @Test("Several threads use one connection in turn, and a thread that does not wait gets nothing")
    func shared() throws {
        let shared = SharedConnection(try PostgresConnection(store))
        let epoch = try #require(shared.epoch)
        #expect(epoch == shared.generation)
        var uses = 0
        shared.useIfFree { _ in uses += 1 }
        #expect(uses == 1)
        shared.use { connection in
            shared.useIfFree { _ in uses += 1 }
            #expect(uses == 1 && connection != nil)
            connection?.disconnect()
        }
        #expect(shared.epoch == nil && shared.generation == epoch)
        #expect(shared.outcome(of: 1, epoch: epoch) == nil)
        try shared.use { connection throws(RepositoryError) in connection = try PostgresConnection(store) }
        #expect(shared.epoch == epoch + 1 && shared.generation == epoch + 1)
        var prepared = 0
        #expect(shared.outcome(of: 3, epoch: epoch, prepare: { _ in prepared += 1 }) == nil && prepared == 0)
        #expect(shared.outcome(of: 3, epoch: epoch + 1, prepare: { _ in prepared += 1 }) == .unknown && prepared == 1)
        shared.use { $0.take() }?.close()
        #expect(shared.epoch == nil)
        shared.useIfFree { _ in uses += 1 }
        #expect(uses == 1)
    }
}
