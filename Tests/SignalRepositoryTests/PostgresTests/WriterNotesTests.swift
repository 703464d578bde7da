import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// A server's writer with a source of commits that notes each call.
@Suite("R12 R14 The reports of a server's writer", .timeLimit(.minutes(10))) struct WriterNotesTests {
    private let proxy: ServerProxy
    private let connection: PostgresConnection
    private let other: PostgresConnection
    private let log = CommitLog()

    init() throws {
        (proxy, connection, other) = try ServerProxy.connections()
        try other.run("CREATE TABLE n (i bigint)")
    }

    private func writer(_ source: NotedSource) -> PostgresWriter {
        PostgresWriter(connection, source, lockTimeout: .seconds(3_600), now: { Date() })
    }

    private func perform(
        _ writer: PostgresWriter, author: String? = nil, as kind: TransactionKind = .write,
        _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError> {
        let transaction = WriteTransaction(writer.session, CancellationFlag(), author: author, as: kind)
        return writer.perform(transaction, log: log, body)
    }

    @Test("A commit with an unknown outcome is recorded as one that may have changed everything")
    func unknown() throws {
        // The commit status source is gone by then.
        let writer = writer(NotedSource(epoch: 7, outcomes: [nil, nil]))
        proxy.cut(.amid("COMMIT\0"))
        let unknown = perform(writer) { _ in try connection.run("INSERT INTO n VALUES (1)") }
        guard case .failure(.commitOutcomeUnknown) = unknown else {
            Issue.record("\(unknown)")
            return
        }
        #expect(log.number == 1)
        proxy.cut(.before("COMMIT\0"))
        let aborted = perform(writer) { _ in try connection.run("INSERT INTO n VALUES (2)") }
        guard case .failure(.io) = aborted else {
            Issue.record("\(aborted)")
            return
        }
        #expect(log.number == 1)
        #expect(try other.rows("SELECT i FROM n") == [[.integer(1)]])
    }

    @Test("The source learns the connection at once, and again in each transaction before anything is done")
    func begins() throws {
        let source = NotedSource(reportsAuthors: true)
        let writer = writer(source)
        let first = connection.number
        #expect(source.notes.begun == [first] && connection.commitStatusSource != nil)
        // The next connection has another number.
        try other.run("SELECT pg_terminate_backend(\(first), 10000)")
        let result = perform(writer, author: "Ann") { _ in
            #expect(connection.number != first && source.notes.begun == [first, connection.number])
            let isCommitting = connection.committing != nil
            let prepared = source.notes.calls.count { $0.hasPrefix("prepare") }
            #expect(prepared == 1 && source.notes.recorded.isEmpty && isCommitting)
            try connection.run("INSERT INTO n VALUES (1)")
        }
        try result.get()
        #expect(source.notes.recorded == [DirtyTables.none] && source.notes.committed == [DirtyTables.none])
        let isCommitting = connection.committing != nil
        #expect(!isCommitting && connection.author == nil)
        #expect(try other.rows("SELECT i FROM n") == [[.integer(1)]])
    }

    @Test("A body that throws its own error is run once")
    func failing() throws {
        struct Oops: Error {}
        let writer = writer(NotedSource())
        var runs = 0
        let result = perform(writer) { _ in
            runs += 1
            if runs == 1 { throw Oops() }
        }
        #expect(runs == 1)
        #expect(throws: RepositoryError.self) { try result.get() }
        #expect(!connection.isInTransaction && !RepositoryError.closed.isConflict)
    }

    @Test("A statement that is its own commit is recorded with its table, if it has changed a row")
    func statement() throws {
        let source = NotedSource()
        let writer = writer(source)
        try other.run("INSERT INTO n VALUES (1)")
        let cases: [(number: Int64, tables: DirtyTables)] = [(9, .some([])), (1, .some(["n"]))]
        for (number, tables) in cases {
            let update: SQLText = "UPDATE \(changing: "n") SET i = i + 1 WHERE i = \(bind: .integer(number))"
            try perform(writer, as: .writingStatement) { _ in try connection.statement(update).run() }.get()
            #expect(source.notes.recorded.last == tables)
        }
        #expect(source.notes.recorded.count == 2)
        #expect(try other.rows("SELECT i FROM n") == [[.integer(2)]])
    }

    @Test("Between two transactions the source polls and catches up, and at the end the connection is closed")
    func between() {
        let source = NotedSource()
        let writer = writer(source)
        _ = source.takeCalls()
        writer.poll(log)
        #expect(source.takeCalls() == ["look"])
        writer.catchUp()
        #expect(source.takeCalls() == ["catch up"])
        #expect(!writer.isMaintenanceDue && connection.isOpen)
        writer.close()
        #expect(!connection.isOpen && connection.number == 0 && connection.statements.isEmpty)
    }

    @Test("All connections of a store have the same timeouts, and share the changes of the schema")
    func connections() throws {
        let declaration = try StoreDeclaration([Film.self], [], dropping: [], whenNew: nil, in: PostgresTypes())
        let engine = try PostgresStore(
            TestServer.shared.get().store(), declaration, liveSource: .notifications, rules: .all,
            silence: SilenceLimits(lost: .seconds(77)), configuration: RepositoryConfiguration())
        let reader = try engine.makeReader()
        let newWriter = engine.makeWriter(now: { Date() })
        let writer = try #require(newWriter)
        let writing = try #require(writer.session.connection as? PostgresConnection)
        #expect(engine.onlyConnection == nil)
        for connection in [reader, writing] { #expect(connection.parameters.silence == .seconds(77)) }
        let changes = try #require(reader.schemaChanges)
        #expect(writing.schemaChanges === changes)
        reader.close()
        writer.close()
        engine.source.close()
    }
}
