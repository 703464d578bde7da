import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The state of a connection between transactions, and after it is replaced.
@Suite("R12 What a connection knows about itself", .timeLimit(.minutes(10))) struct ConnectionStateTests {
    private let server: TestServer
    private let connection: PostgresConnection
    /// Another program's connection.
    private let other: PostgresConnection

    init() throws {
        server = try TestServer.shared.get()
        let store = try server.store()
        (connection, other) = (try PostgresConnection(store), try PostgresConnection(store))
        try other.run("CREATE TABLE n (i bigint); CREATE TABLE m (i bigint)")
    }

    private func raw(_ sql: String) throws(RepositoryError) -> PostgresStatement {
        try connection.statement("\(raw: sql)")
    }

    private static func value(_ row: any StoreStatement) throws(RepositoryError) -> SQLValue { try row.value(at: 0) }

    private func run(_ sql: String) throws(RepositoryError) { try raw(sql).run() }

    /// Ends the connection as an administrator would, and waits until it is gone.
    private func end() throws { try other.run("SELECT pg_terminate_backend(\(connection.number), 10000)") }

    // Connections.

    @Test("A new connection has done nothing yet")
    func fresh() throws {
        // The parameters include the session, so the connection sends no query.
        let connection = try PostgresConnection(self.connection.parameters)
        #expect(connection.changes == 0 && connection.totalChanges == 0 && connection.lastKey == 0)
        #expect(!connection.needsReread && !connection.hasChangedSchema && !connection.isChangingSchema)
        #expect(!connection.hasCalled && connection.capacity == 100 && !connection.isListening)
        connection.close()
    }

    @Test("A setting that the server refuses is not repeated on later connections")
    func refusedSetting() throws {
        #expect(throws: RepositoryError.self) { try connection.keep("SET nothing TO 1") }
        try connection.reconnect()
        #expect(connection.isOpen && connection.generation == 2)
    }

    @Test("Interrupted work is dropped with its connection; otherwise the next statement ends it, once")
    func interrupted() throws {
        var ends = 0
        connection.interrupted = { ends += 1 }
        connection.triggeredTables = ["n"]
        try connection.reconnect()
        try connection.run("SELECT 1")
        #expect(ends == 0 && connection.triggeredTables == nil)
        connection.interrupted = { ends += 1 }
        for _ in 0..<2 { try connection.run("SELECT 1") }
        #expect(ends == 1)
    }

    @Test("Without a connection no transaction is under way, and a commit fails as .io")
    func disconnected() throws {
        try connection.begin(.write)
        connection.disconnect()
        #expect(!connection.isInTransaction && !connection.isOpen && !connection.isAlive() && connection.number == 0)
        let error = try thrown { () throws(RepositoryError) in try connection.commit() }
        #expect(error.isIO && "\(error)".contains("the connection was lost"), "\(error)")
        try connection.rollback()
        connection.close()
        #expect(connection.statements.isEmpty)
    }

    @Test("If the server cannot be reached, there is no connection")
    func unreachable() throws {
        let proxy = try ServerProxy(to: server.socket)
        let connection = try PostgresConnection(server.store(host: proxy.folder.path))
        try FileManager.default.removeItem(atPath: proxy.folder.path + "/.s.PGSQL.5432")
        let error = try thrown { () throws(RepositoryError) in try connection.reconnect() }
        #expect(error.isIO && error.isLost && connection.handle == nil, "\(error)")
    }

    @Test("A database with another encoding than UTF8 is refused")
    func encoding() throws {
        let name = "ascii_\(connection.schema)"
        try other.run("CREATE DATABASE \(name) ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        let parameters = server.parameters.replacing("dbname=postgres", with: "dbname=\(name)")
        let error = try thrown { () throws(RepositoryError) in try PostgresConnection(parameters) }
        #expect(error.isCannotOpen && "\(error)".contains("encoding is not UTF8"), "\(error)")
    }

    @Test("A notified connection is alive, and one that fails to listen is not listening")
    func notified() throws {
        try connection.setListening(true)
        // Either call may be the first to read the notification.
        for _ in 0..<30 {
            try other.run("NOTIFY signal_repository, '\(connection.schema).n'")
            var isAlive = true
            repeat {
                isAlive = connection.isAlive()
            } while isAlive && connection.notifiedTables(by: { _ in true }).isEmpty
            #expect(isAlive)
        }
        try connection.setListening(false)
        try end()
        #expect(throws: RepositoryError.self) { try connection.setListening(true) }
        #expect(!connection.isListening)
    }

    @Test("COPY TO STDOUT ends the connection, because its rows would be taken for answers")
    func copied() throws {
        let error = try thrown { () throws(RepositoryError) in try connection.run("COPY n TO STDOUT") }
        #expect(error.isMisuse && !connection.isOpen, "\(error)")
    }

    @Test("If the settings cannot be restored, a transaction fails, and a single statement takes effect")
    func settings() throws {
        try other.run("CREATE TABLE kept (i bigint)")
        // This can be repeated only while the table exists.
        try connection.keep("TABLE kept")
        func isThere() throws -> Bool { try other.rows("SELECT to_regclass('kept')::text") != [[.null]] }
        let drop = "DO $$ BEGIN EXECUTE 'DROP TABLE kept'; END $$"
        try connection.begin(.write)
        #expect(throws: RepositoryError.self) { try run(drop) }
        #expect(connection.isOpen && connection.isInTransaction)
        try connection.rollback()
        #expect(try isThere())
        try run(drop)
        #expect(!connection.isOpen)
        #expect(try !isThere())
    }
}

// Transactions.
extension ConnectionStateTests {
    @Test("Nothing of a transaction is left in the next one, whether that locks tables or not")
    func anew() throws {
        for isLocking in [false, true] {
            (connection.needsReread, connection.hasCalled, connection.isChangingSchema) = (true, true, true)
            connection.touched = ["gone"]
            connection.savepointDepth = 3
            connection.locked = (tables: ["gone"], possible: ["gone"])
            connection.statementKind = .readingStatement
            if isLocking { try connection.begin(locking: [], of: ["n"]) } else { try connection.begin(.read) }
            #expect(!connection.needsReread && !connection.hasCalled && !connection.isChangingSchema)
            #expect(connection.touched.isEmpty && connection.savepointDepth == 0 && connection.statementKind == nil)
            let locked: Set<String>? = isLocking ? [] : nil
            #expect(connection.locked?.tables == locked)
            try connection.rollback()
        }
    }

    @Test("A table can be locked during a transaction, and one that cannot be locked is left to its query")
    func locks() throws {
        let locked = """
            SELECT c.relname::text FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
            WHERE l.pid = \(connection.number) AND l.mode = 'AccessShareLock' AND c.relname IN ('n', 'm') ORDER BY 1
            """
        try connection.begin(locking: ["n"], of: ["n", "m", "gone"])
        try connection.lock(["m"])
        #expect(try other.rows(locked) == [[.text("m")], [.text("n")]])
        try connection.lock(["gone"])
        #expect(connection.locked?.tables == ["n", "m", "gone"])
        // The transaction goes on.
        #expect(try connection.rows("SELECT 7::bigint") == [[.integer(7)]])
        try connection.rollback()
    }

    @Test("A lock that takes too long fails as .busy, at the beginning of a transaction and later")
    func waiting() throws {
        func isBusy(_ body: () throws(RepositoryError) -> Void) throws -> Bool {
            guard case .busy = try thrown(by: body) else { return false }
            return true
        }
        try connection.run("SET lock_timeout TO 1")
        try other.run("BEGIN; LOCK TABLE m IN ACCESS EXCLUSIVE MODE")
        try connection.begin(locking: ["n"], of: ["n", "m"])
        #expect(try isBusy { () throws(RepositoryError) in try connection.lock(["m"]) })
        try connection.rollback()
        #expect(
            try isBusy { () throws(RepositoryError) in
                _ = try connection.begin(ofExisting: ["m"], locking: ["m"])
            })
        try connection.rollback()
        try other.run("ROLLBACK")
    }

    @Test("A released savepoint does not exist on the server", arguments: ["level1", "attempt1"])
    func released(name: String) throws {
        try connection.begin(.write)
        if name == "level1" {
            try connection.savepoint(.begin, depth: 1)
            try connection.savepoint(.release, depth: 1)
        } else {
            try connection.attempt { () throws(RepositoryError) in try run("INSERT INTO n VALUES (1)") }
        }
        #expect(throws: RepositoryError.self) { try connection.run("ROLLBACK TO SAVEPOINT \(name)") }
        try connection.rollback()
    }

    @Test("A cursor over a recreated table begins again, with the rows of the new table")
    func cursor() throws {
        try other.run("INSERT INTO m VALUES (1)")
        try connection.begin(.read)
        try connection.takeSnapshot()
        try other.run("BEGIN; TRUNCATE m; INSERT INTO m VALUES (2); COMMIT")
        let rows = try connection.rows(of: "SELECT i FROM \(table: "m")")
        #expect(!connection.needsReread && connection.isInTransaction)
        #expect(try rows.all(Self.value) == [.integer(2)])
        // Fetched rows are read, not changed.
        #expect(connection.changes == 0 && connection.totalChanges == 0)
        try connection.rollback()
    }
}

// Statements.
extension ConnectionStateTests {
    @Test("Changed rows are counted outside a transaction, and without a statement")
    func counted() throws {
        try run("INSERT INTO n VALUES (1), (2)")
        #expect(connection.changes == 2 && connection.totalChanges == 2)
        connection.note(changes: 5)
        #expect(connection.changes == 5 && connection.totalChanges == 7)
    }

    @Test("A statement that may change the connection is recognized by the names in it, quoted or not")
    func setters() throws {
        for name in ["setter", "setter_2", "setter$3", "\"Setter\""] {
            try other.run("CREATE FUNCTION \(name)() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'")
        }
        let setting = [
            "SELECT setter()", "SELECT 1+Setter_2()", "SELECT 1+setter$3()", "SELECT \"Setter\"()",
            "SELECT \"i\", \"Setter\"() FROM n", "SELECT '\"\"', \"Setter\"()", "DO $$ BEGIN END $$",
            "UPDATE PG_SETTINGS SET setting = 'x' WHERE false",
        ]
        for sql in setting { #expect(try raw(sql).mayChangeSettings, "\(sql)") }
        for sql in ["SELECT abs(-1)", "SELECT 1 AS setter2"] {
            #expect(try !raw(sql).mayChangeSettings, "\(sql)")
        }
        // The library's own statements are not checked.
        let own = try connection.statement("SELECT setter() AS own")
        #expect(!own.mayChangeSettings && !own.callsFunctions)
        #expect(try connection.hasFunction("setter()"))
        #expect(try !connection.hasFunction("setter(bigint)"))
    }

    @Test("More statements can be held than are cached, and all are forgotten at once")
    func held() throws {
        let held = try (0..<connection.capacity).map { try raw("SELECT \($0)::bigint") }
        let another = try raw("SELECT -1::bigint")
        #expect(connection.statements.count == connection.capacity + 1)
        #expect(try another.first(Self.value) == .integer(-1))
        #expect(try held[7].first(Self.value) == .integer(7))
        connection.forgetStatements()
        // Only the statement of this query.
        #expect(try connection.rows("SELECT count(*) FROM pg_prepared_statements") == [[.integer(1)]])
    }

    @Test("A statement that is used again before its last row begins again")
    func again() throws {
        let sql = "SELECT i FROM generate_series(1::bigint, 3) AS i"
        let statement = try raw(sql)
        #expect(try statement.step())
        #expect(try raw(sql).all(Self.value) == [.integer(1), .integer(2), .integer(3)])
    }

    @Test("A statement that does not compile, or no longer does, leaves the transaction as it was")
    func uncompiled() throws {
        let held = try raw("SELECT i FROM m")
        try other.run("DROP TABLE m")
        try end()
        try connection.begin(.write)
        let insertion: SQLText = "INSERT INTO \(changing: "gone") VALUES (1)"
        #expect(throws: RepositoryError.self) { _ = try connection.statement(insertion) }
        #expect(try connection.rows("SELECT 7::bigint") == [[.integer(7)]])
        #expect(throws: RepositoryError.self) { try held.run() }
        #expect(try connection.rows("SELECT 8::bigint") == [[.integer(8)]])
        try connection.rollback()
    }
}
