import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// One connection by itself: its statements, its transactions, its notifications, and its loss.
@Suite("R12 A connection to a server", .timeLimit(.minutes(10))) struct PostgresConnectionTests {
    let store: String
    let connection: PostgresConnection
    /// Another program's connection.
    let other: PostgresConnection

    init() throws {
        store = try TestServer.shared.get().store()
        (connection, other) = (try PostgresConnection(store), try PostgresConnection(store))
        try other.run("CREATE TABLE n (i bigint); CREATE TABLE m (i bigint)")
    }

    func raw(_ sql: String) throws(RepositoryError) -> PostgresStatement {
        try connection.statement("\(raw: sql)")
    }

    static func value(_ row: any StoreStatement) throws(RepositoryError) -> SQLValue { try row.value(at: 0) }

    func run(_ sql: String) throws(RepositoryError) { try raw(sql).run() }

    /// Ends the connection as an administrator would, and waits until it is gone.
    func end() throws { try other.run("SELECT pg_terminate_backend(\(connection.number), 10000)") }

    // Statements.

    @Test("A statement reports how many rows it has changed, and a read reports none")
    func changes() throws {
        let statements: [(sql: String, changes: Int)] = [
            ("INSERT INTO n VALUES (1), (2), (3)", 3), ("SELECT i FROM n", 0),
            ("UPDATE n SET i = i + 1 WHERE i > 1", 2),
            ("CREATE TABLE o (i bigint)", 0), ("INSERT INTO n VALUES (9) RETURNING i", 1),
            ("DELETE FROM n WHERE i = 100", 0), ("DELETE FROM n", 4),
        ]
        var total = 0
        try connection.begin(.write)
        for (sql, changes) in statements {
            try run(sql)
            total += changes
            #expect(connection.changes == changes && connection.totalChanges == total, "\(sql)")
        }
    }

    @Test("A hundred statements are kept prepared, and one that is held is not forgotten")
    func capacity() throws {
        let held = try raw("SELECT -1::bigint")
        for number in 0..<250 {
            #expect(try raw("SELECT \(number)::bigint").first(Self.value) == .integer(Int64(number)))
        }
        #expect(connection.statements.count == connection.capacity)
        let kept = try connection.rows("SELECT count(*) FROM pg_prepared_statements")
        #expect(kept == [[.integer(Int64(connection.capacity))]])
        #expect(try held.first(Self.value) == .integer(-1))
        #expect(try raw("SELECT -1::bigint") === held)
        connection.forgetStatements()
        #expect(try raw("SELECT -1::bigint") !== held)
    }

    @Test("Statements and values that cannot be sent are refused, and the connection goes on")
    func refused() throws {
        func refusal(_ sql: SQLText) throws -> RepositoryError {
            try thrown { () throws(RepositoryError) in try connection.statement(sql).run() }
        }
        #expect(try refusal("\(raw: "SELECT ?, ?")").isMisuse)
        #expect(try refusal("\(raw: "SELECT 1\0")").isMisuse)
        #expect(try refusal("\(raw: " -- nothing")").isMisuse)
        #expect(try refusal("\(raw: "SELECT i FROM nowhere")").isMisuse)
        #expect(try refusal("SELECT \(bind: .text("a\0b"))::text").isEncoding)
        #expect(try refusal("SELECT \(bind: .text("\0"))::text").isEncoding)
        #expect(try connection.rows("SELECT 7::bigint") == [[.integer(7)]])
        for sql in ["COMMIT", " /* a */ rollback", "-- a\nSET x TO 1", "SELECT set_config('a.b', 'c', false)"] {
            #expect(try refusal("\(raw: sql)").isMisuse, "\(sql)")
        }
    }

    @Test("The first word of a statement is found behind comments, which may be nested")
    func firstWord() {
        let comments = [
            "", "/**/", "/* a *//*b*/", "/*/**/*/", "/*/*/a*/*/", "--a\n", "-- a\r--b\n", ";", "\t/*'*/ (", "*/",
        ]
        for comment in comments {
            #expect(PostgresConnection.endingWord(of: comment + "commit") == "COMMIT", "\(comment)")
            #expect(PostgresConnection.endingWord(of: comment + "Select commit") == nil, "\(comment)")
            #expect(PostgresConnection.calls(comment + "do $$ BEGIN END $$"), "\(comment)")
            #expect(!PostgresConnection.calls(comment + "SELECT do"), "\(comment)")
        }
        for sql in ["/*commit", "--commit", "/*/**/commit*/", "", "committed"] {
            #expect(PostgresConnection.endingWord(of: sql) == nil, "\(sql)")
        }
    }

    @Test(
        "A cursor returns the rows that a single answer would, whatever their number",
        arguments: [0, 1, 999, 1_000, 1_001, 2_500])
    func cursor(count: Int) throws {
        try connection.begin(.read)
        let rows = try connection.rows(
            of: "SELECT i FROM generate_series(1::bigint, \(bind: .integer(Int64(count)))) AS i")
        #expect(try rows.all(Self.value) == (0..<count).map { .integer(Int64($0 + 1)) })
        try connection.rollback()
    }

    // Tables that statements touch.

    @Test("Raw SQL in a transaction counts as touching the tables that it locks, and reports them")
    func access() throws {
        var received: [Set<String>] = []
        connection.noteRead = { received.append($0) }
        #expect(try raw("SELECT i FROM n WHERE i = 0").access.read.isEmpty && received.isEmpty)
        try connection.begin(.write)
        let reading = try raw("SELECT i FROM n WHERE i = 1").access
        #expect(reading.read == ["n"] && reading.written.isEmpty && !reading.changesSchema && received == [["n"]])
        let writing = try raw("INSERT INTO m VALUES (1)").access
        #expect(writing.read == ["n", "m"] && writing.written == ["m"] && received.last == ["n", "m"])
        // Tables that earlier statements wrote do not count.
        #expect(try raw("WITH a AS (SELECT 1) SELECT i FROM m").access.written.isEmpty)
        #expect(try raw("SELECT i INTO o FROM n").access.written.contains("m"))
        for sql in ["ALTER TABLE n ADD COLUMN j bigint", "CREATE INDEX own ON n (i)", "DROP TABLE m"] {
            #expect(try raw(sql).access.changesSchema, "\(sql)")
        }
        try connection.rollback()
    }

    @Test("The tables that a function reads are known once it has run")
    func functions() throws {
        try other.run(
            """
            CREATE FUNCTION total() RETURNS bigint LANGUAGE plpgsql AS \
            $$ BEGIN RETURN (SELECT count(*) FROM n); END $$
            """
        )
        var received: [Set<String>] = []
        connection.noteRead = { received.append($0) }
        try connection.begin(.read)
        try run("SELECT i FROM m")
        #expect(connection.tablesOfFunctions().isEmpty)
        try run("SELECT total()")
        #expect(connection.tablesOfFunctions() == ["n", "m"] && received.last == ["n", "m"])
        try connection.rollback()
        #expect(connection.tablesOfFunctions().isEmpty)
        try connection.begin(.read)
        #expect(connection.tablesOfFunctions().isEmpty)
        try connection.rollback()
    }

    @Test("Triggers of others on a table are queried once, and again after the statements were forgotten")
    func triggers() throws {
        func written() throws(RepositoryError) -> Set<String> {
            try connection.statement("INSERT INTO \(changing: "n") VALUES (\(bind: .integer(1)))").writtenByTriggers
        }
        #expect(try written().isEmpty)
        try other.run(
            """
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$; \
            CREATE TRIGGER signal_repository_notify AFTER INSERT ON n FOR EACH ROW EXECUTE FUNCTION f(); \
            CREATE TRIGGER t BEFORE INSERT ON m FOR EACH ROW EXECUTE FUNCTION f()
            """)
        connection.forgetStatements()
        #expect(try written().isEmpty)
        try other.run("CREATE TRIGGER t BEFORE INSERT ON n FOR EACH ROW EXECUTE FUNCTION f()")
        connection.statements.removeAll()
        #expect(try written().isEmpty)
        connection.forgetStatements()
        #expect(try written() == ["n"])
        try other.run("ALTER TABLE n DISABLE TRIGGER t")
        connection.forgetStatements()
        #expect(try written().isEmpty)
    }

    @Test("A view reads the tables of the views that it reads, in other schemas too")
    func views() throws {
        let elsewhere = "\(connection.schema)_elsewhere"
        try other.run(
            """
            CREATE SCHEMA \(elsewhere); CREATE TABLE \(elsewhere).far (i bigint); \
            CREATE VIEW first AS SELECT i FROM n; CREATE VIEW second AS SELECT i FROM first UNION SELECT i FROM m; \
            CREATE VIEW third AS SELECT i FROM \(elsewhere).far
            """)
        let tables = try connection.tablesOfViews()
        #expect(tables == ["first": ["n"], "second": ["n", "m"], "third": ["\(elsewhere).far"]])
        connection.viewTables = tables
        #expect(connection.foreignLayouts(of: ["n", "m"])?.isEmpty == true)
        #expect(connection.foreignLayouts(of: ["n", "first"]) == nil)
        #expect(try connection.statement("SELECT i FROM \(table: "second")").access.read == ["n", "m"])
    }

    // One statement as a transaction.

    @Test("A single-statement transaction refuses a second statement, and is a full one if it reads before it writes")
    func oneStatement() throws {
        try connection.begin(.readingStatement)
        try run("SELECT i FROM n")
        #expect(!connection.needsReread && !connection.isInTransaction)
        #expect(try thrown { () throws(RepositoryError) in try run("SELECT i FROM m") }.isUnexpected)
        #expect(connection.needsReread)
        try connection.begin(.writingStatement)
        #expect(!connection.needsReread)
        let insertion: SQLText = "INSERT INTO \(changing: "n") VALUES (1)"
        try connection.statement(insertion).run()
        #expect(!connection.isInTransaction)
        try run("SELECT i FROM n")
        #expect(
            try thrown { () throws(RepositoryError) in try connection.statement(insertion).run() }.isUnexpected)
        try connection.begin(.writingStatement)
        try run("SELECT i FROM n")
        #expect(connection.isInTransaction && connection.statementKind == nil)
        try run("INSERT INTO n VALUES (3)")
        try run("INSERT INTO n VALUES (4)")
        #expect(try other.rows("SELECT count(*) FROM n") == [[.integer(1)]])
        try connection.commit()
        #expect(try other.rows("SELECT count(*) FROM n") == [[.integer(3)]])
        try connection.begin(.writingStatement)
        try connection.savepoint(.begin, depth: 1)
        #expect(connection.isInTransaction)
        try run("INSERT INTO n VALUES (5)")
        try connection.savepoint(.rollback, depth: 1)
        try connection.commit()
        #expect(try other.rows("SELECT count(*) FROM n") == [[.integer(3)]])
    }
}

// Transactions and their ends.
extension PostgresConnectionTests {
    @Test("Work that fails within a transaction leaves it as it was, nested too")
    func attempts() throws {
        try connection.begin(.write)
        func insert(_ number: Int) throws(RepositoryError) { try run("INSERT INTO n VALUES (\(number))") }
        _ = try? connection.attempt { () throws(RepositoryError) in
            try insert(1)
            _ = try? connection.attempt { () throws(RepositoryError) in
                try insert(2)
                throw RepositoryError.closed
            }
            try connection.attempt { () throws(RepositoryError) in try insert(3) }
        }
        #expect(throws: RepositoryError.self) {
            try connection.attempt { () throws(RepositoryError) in
                try insert(4)
                try run("SELECT 1 / 0")
            }
        }
        #expect(connection.savepointDepth == 0)
        try insert(5)
        try connection.commit()
        #expect(try other.rows("SELECT array_agg(i ORDER BY i)::text FROM n") == [[.text("{1,3,5}")]])
        // Outside a transaction, there is nothing to go back to.
        #expect(throws: RepositoryError.self) {
            try connection.attempt { () throws(RepositoryError) in
                try insert(6)
                throw RepositoryError.closed
            }
        }
        #expect(try other.rows("SELECT count(*) FROM n") == [[.integer(4)]])
    }

    @Test("Each level is released or rolled back by itself")
    func savepoints() throws {
        try connection.begin(.write)
        for (number, steps) in [[SavepointStep.release], [.rollback]].enumerated() {
            try connection.savepoint(.begin, depth: 1)
            try run("INSERT INTO n VALUES (\(number))")
            try connection.savepoint(.begin, depth: 2)
            try run("INSERT INTO m VALUES (\(number))")
            try connection.savepoint(steps[0], depth: 2)
            try connection.savepoint(.release, depth: 1)
        }
        try connection.commit()
        #expect(try other.rows("SELECT array_agg(i ORDER BY i)::text FROM n") == [[.text("{0,1}")]])
        #expect(try other.rows("SELECT array_agg(i ORDER BY i)::text FROM m") == [[.text("{0}")]])
        // A transaction that has ended has no levels.
        try connection.savepoint(.rollback, depth: 1)
    }

    @Test("A transaction that a failure has aborted is not committed, and the commit says so")
    func aborted() throws {
        try connection.begin(.write)
        try run("INSERT INTO n VALUES (1)")
        #expect(throws: RepositoryError.self) { try run("SELECT 1 / (SELECT i - 1 FROM n)") }
        let error = try thrown { () throws(RepositoryError) in try connection.commit() }
        #expect("\(error)".contains("aborted by an earlier failure"), "\(error)")
        #expect(!connection.isInTransaction && connection.isOpen)
        #expect(try other.rows("SELECT count(*) FROM n") == [[.integer(0)]])
    }

    @Test("The server says what became of a transaction by its number")
    func outcomes() throws {
        func number() throws -> Int64 {
            guard
                case .integer(let number)? = try connection.rows("SELECT pg_current_xact_id()::text::bigint").first?[0]
            else { return -1 }
            return number
        }
        try connection.begin(.write)
        let committed = try number()
        #expect(other.outcome(of: committed) == .inProgress)
        try connection.commit()
        try connection.begin(.write)
        let aborted = try number()
        try connection.rollback()
        #expect(other.outcome(of: committed) == .committed && other.outcome(of: aborted) == .aborted)
        #expect(other.outcome(of: aborted + 1_000_000) == .aborted && other.outcome(of: 3) == .unknown)
        other.disconnect()
        #expect(other.outcome(of: committed) == nil)
    }

    @Test("A table is locked before it is read, and one that was rewritten is noticed")
    func locks() throws {
        func locked() throws -> [[SQLValue]] {
            try other.rows(
                """
                SELECT c.relname::text FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
                WHERE l.pid = \(connection.number) AND l.mode = 'AccessShareLock' AND c.relname IN ('n', 'm') ORDER BY 1
                """)
        }
        #expect(try connection.begin(ofExisting: ["n"], locking: ["n", "m"]))
        #expect(try locked() == [[.text("n")]])
        try connection.rollback()
        try connection.begin(locking: ["n"], of: ["n", "m"])
        try connection.takeSnapshot()
        try other.run("BEGIN; TRUNCATE m; INSERT INTO m VALUES (1); COMMIT")
        let error = try thrown { () throws(RepositoryError) in
            try connection.statement("SELECT i FROM \(table: "m")").run()
        }
        #expect(error.isConflict && "\(error)".contains("rewritten"), "\(error)")
        try connection.rollback()
        #expect(try !connection.begin(ofExisting: ["gone"], locking: ["gone"]))
        #expect(connection.isInTransaction && connection.locked == nil)
        try connection.rollback()
        // A transaction that locks nothing in advance checks at its end.
        for isTruncated in [false, true] {
            try connection.begin(.read)
            try connection.takeSnapshot()
            if isTruncated { try other.run("TRUNCATE m") }
            try connection.statement("SELECT i FROM \(table: "m")").run()
            try connection.checkForReread()
            #expect(connection.needsReread == isTruncated)
            let conflict = Result { () throws(RepositoryError) in try connection.checkTables() }
            #expect(((try? conflict.get()) == nil) == isTruncated)
            try connection.rollback()
        }
    }
}

extension RepositoryError {
    fileprivate var isUnexpected: Bool { if case .unexpected = self { true } else { false } }
}
