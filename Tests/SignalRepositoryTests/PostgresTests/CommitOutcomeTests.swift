import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// A connection that breaks when a transaction begins or ends, and the outcome that is then assumed.
@Suite("R12 The outcome of a COMMIT whose answer is lost", .timeLimit(.minutes(10))) struct CommitOutcomeTests {
    private let proxy: ServerProxy
    /// Reaches the server through the proxy.
    private let connection: PostgresConnection
    private let other: PostgresConnection

    init() throws {
        (proxy, connection, other) = try ServerProxy.connections()
        try other.run("CREATE TABLE n (i bigint)")
    }

    /// Begins a transaction that writes, and returns its number.
    private func write(_ number: Int) throws -> [[SQLValue]] {
        try connection.begin(.write)
        try connection.run("INSERT INTO n VALUES (\(number))")
        return try connection.rows("SELECT pg_current_xact_id()::text::bigint")
    }

    private func commit() -> Result<Void, RepositoryError> {
        Result { () throws(RepositoryError) in try connection.commit() }
    }

    private func refusal() throws -> RepositoryError {
        try thrown { () throws(RepositoryError) in try connection.commit() }
    }

    @Test("A source that was connected before is queried until it knows the outcome, and is trusted")
    func witnessed() throws {
        for (index, outcome) in [TransactionOutcome.committed, .aborted].enumerated() {
            let source = NotedSource(epoch: 7, outcomes: [.inProgress, .unknown, outcome])
            connection.commitStatusSource = source
            let number = try write(index)
            proxy.cut(.amid("COMMIT\0"))
            switch commit() {
            case .success: #expect(outcome == .committed)
            case .failure(let error): #expect(outcome == .aborted && error.isIO, "\(error)")
            }
            let requested = source.notes.requested
            #expect(requested.count == 3)
            for one in requested { #expect([[SQLValue.integer(one)]] == number) }
        }
    }

    @Test("Without a source, a new connection is queried, and trusted only if it says that nothing was committed")
    func requested() throws {
        // The commit status source is missing, was connected later, or has ended.
        let sources: [NotedSource?] = [nil, NotedSource(), NotedSource(epoch: 7, outcomes: [nil])]
        for (index, source) in sources.enumerated() {
            connection.commitStatusSource = source
            _ = try write(10 * index)
            proxy.cut(.amid("COMMIT\0"))
            let unknown = try refusal()
            #expect(unknown.isOutcomeUnknown, "\(unknown)")
            _ = try write(10 * index + 1)
            proxy.cut(.before("COMMIT\0"))
            let aborted = try refusal()
            #expect(aborted.isIO, "\(aborted)")
        }
        #expect(try other.rows("SELECT array_agg(i ORDER BY i)::text FROM n") == [[.text("{0,10,20}")]])
    }

    @Test("A transaction that has written nothing has no number to query")
    func unwritten() throws {
        let source = NotedSource(epoch: 7)
        connection.commitStatusSource = source
        try connection.begin(.write)
        #expect(try connection.rows("SELECT count(*) FROM n") == [[.integer(0)]])
        proxy.cut(.amid("COMMIT\0"))
        let error = try refusal()
        #expect(error.isIO && source.notes.requested.isEmpty, "\(error)")
    }

    @Test("A refused COMMIT is named in the error, and ends the transaction")
    func refused() throws {
        try other.run("CREATE TABLE once (i bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        try connection.begin(.write)
        try connection.run("INSERT INTO once VALUES (1), (1)")
        let error = try refusal()
        guard case .constraint(_, _, let diagnosis, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(diagnosis.sql == "COMMIT")
        #expect(connection.isOpen && !connection.isInTransaction)
        _ = try write(1)
        try connection.commit()
        #expect(try other.rows("SELECT i FROM n") == [[.integer(1)]])
    }

    @Test("A BEGIN whose answer is lost is repeated on a new connection")
    func begun() throws {
        for (index, kind) in [TransactionKind.read, .write].enumerated() {
            proxy.cut(.amid("BEGIN\0"))
            try connection.begin(kind)
            #expect(connection.isInTransaction && connection.generation == index + 2)
            try connection.rollback()
        }
    }

    @Test("A commit counts as a schema change only if its own transaction changed the schema")
    func schemaChanges() throws {
        let changes = SchemaChanges()
        connection.schemaChanges = changes
        func execute(_ sql: String) throws {
            try connection.begin(.write)
            try connection.statement("\(raw: sql)").run()
        }
        try execute("INSERT INTO n VALUES (1)")
        try connection.commit()
        #expect(changes.count == 0 && !connection.takeRecompilation())
        try execute("CREATE TABLE o (i bigint)")
        #expect(connection.isChangingSchema && connection.hasChangedSchema && changes.count == 0)
        try connection.commit()
        #expect(changes.count == 1 && connection.takeRecompilation())
        // The connection knows its own changes.
        #expect(!connection.takeRecompilation())
        try execute("INSERT INTO n VALUES (2)")
        try connection.commit()
        #expect(changes.count == 1)
        try execute("CREATE TABLE p (i bigint)")
        try connection.rollback()
        #expect(changes.count == 1)
    }
}
