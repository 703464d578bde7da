import CSQLite
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Capture of changed rows") struct ChangeCaptureTests {
    private let session: Session
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", options: ConnectionOptions())
        session = Session(connection)
    }

    /// Runs statements in a transaction and returns the changed rows that would be recorded.
    private func rows(_ statements: [String], capture: ChangeCapture) throws -> ChangedRows {
        try connection.begin(.write)
        capture.begin()
        for sql in statements { try? connection.cached(sql).run() }
        let rows = capture.settle()
        try connection.commit()
        return rows
    }

    /// Runs statements in a transaction and returns their net changes to one table.
    private func net(_ statements: String..., table: String = "t", capture: ChangeCapture) throws -> [RowChange] {
        guard case .known(let tables, _) = try rows(statements, capture: capture) else {
            Issue.record("The rows are not known.")
            return []
        }
        return tables[table]?.changes ?? []
    }

    private func isUnclear(_ statements: String..., capture: ChangeCapture) throws -> Bool {
        if case .unknown = try rows(statements, capture: capture) { true } else { false }
    }

    private func makeCapture() -> ChangeCapture {
        let capture = ChangeCapture(session, connection)
        capture.capture(.all)
        return capture
    }

    @Test("The hook is installed while rows are requested and for a while afterwards, and not otherwise")
    func hook() throws {
        #expect(Connection.hasPreupdateHook)
        let capture = ChangeCapture(session, connection)
        #expect(sqlite3_preupdate_hook(connection.handle, nil, nil) == nil)
        capture.capture(.tables(["t"]))
        #expect(capture.isCapturing && connection.hooks === capture)
        capture.capture(.all)
        #expect(capture.isCapturing)
        capture.capture(.none)
        #expect(!capture.isCapturing && connection.hooks === capture)
        for _ in 0..<64 { capture.capture(.none) }
        #expect(!capture.isCapturing && connection.hooks == nil)
        #expect(sqlite3_preupdate_hook(connection.handle, nil, nil) == nil)
    }

    @Test("R14 A delete of all rows that was prepared before capturing is reported, and is fast again afterwards")
    func truncation() throws {
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        let delete = "DELETE FROM t"
        try connection.cached(delete).run()
        let capture = makeCapture()
        #expect(try net("INSERT INTO t VALUES (1), (2)", capture: capture).count == 2)
        #expect(try net(delete, capture: capture).count == 2)
        capture.stop()
        let plan = "EXPLAIN \(delete)"
        let steps = try connection.rows(plan).map { $0[1] }
        #expect(steps.contains(.text("Clear")))
    }

    @Test(
        "Texts and bytes are captured as they are stored, whatever the file's text encoding",
        arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func encodings(encoding: String) throws {
        try connection.execute("PRAGMA encoding = '\(encoding)'")
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB) STRICT")
        #expect(try connection.rows("PRAGMA encoding") == [[.text(encoding)]])
        let capture = makeCapture()
        defer { capture.stop() }
        func changes(_ sql: String, _ values: [SQLValue]) throws -> [RowChange] {
            try connection.begin(.write)
            capture.begin()
            try connection.execute(sql, values)
            defer { try? connection.commit() }
            guard case .known(let tables, _) = capture.settle() else { return [] }
            return tables["t"]?.changes ?? []
        }
        for (id, text) in TextZoo.texts.enumerated() {
            let row: [SQLValue] = [.integer(Int64(id)), .text(text), .blob(Array(text.utf8))]
            #expect(try changes("INSERT INTO t VALUES (?1, ?2, ?3)", row).map(\.new) == [row])
            let other: [SQLValue] = [row[0], .text(text + "e\u{301}"), .blob([])]
            let updated = try changes("UPDATE t SET text = ?2, bytes = ?3 WHERE id = ?1", other)
            #expect(updated.map(\.old) == [row] && updated.map(\.new) == [other])
            #expect(try changes("DELETE FROM t WHERE id = ?1", [row[0]]).map(\.old) == [other])
        }
    }

    @Test("Values are captured as they are stored: whole numbers in a REAL column, and text that is not Unicode")
    func values() throws {
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, real REAL, free ANY, text TEXT) STRICT")
        let capture = makeCapture()
        defer { capture.stop() }
        let inserted = try net("INSERT INTO t VALUES (1, 7, 7, CAST(x'61FF' AS TEXT))", capture: capture)
        #expect(inserted.map(\.new) == [[.integer(1), .real(7), .integer(7), .blob([0x61, 0xFF])]])
        let updated = try net("UPDATE t SET real = 8", capture: capture)
        #expect(updated.map { $0.old?[1] } == [.real(7)] && updated.map { $0.new?[1] } == [.real(8)])
    }

    @Test("A row that is older than a column has the column's default, and a stored NULL stays NULL")
    func addedColumns() throws {
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT) STRICT")
        try connection.execute("INSERT INTO t VALUES (1, 'x'), (2, 'y')")
        try connection.execute("ALTER TABLE t ADD COLUMN b REAL DEFAULT 5")
        try connection.execute("ALTER TABLE t ADD COLUMN c TEXT NOT NULL DEFAULT 'it''s'")
        try connection.execute("ALTER TABLE t ADD COLUMN d BLOB")
        try connection.execute("INSERT INTO t VALUES (3, 'z', NULL, 'c', NULL)")
        let capture = makeCapture()
        defer { capture.stop() }
        let changes = try net("UPDATE t SET a = 'w' WHERE id <> 2", "DELETE FROM t WHERE id = 2", capture: capture)
        #expect(
            changes.map(\.old) == [
                [.integer(1), .text("x"), .real(5), .text("it's"), .null],
                [.integer(3), .text("z"), .null, .text("c"), .null],
                [.integer(2), .text("y"), .real(5), .text("it's"), .null],
            ])
        #expect(changes[0].new == [.integer(1), .text("w"), .real(5), .text("it's"), .null])
        #expect(try net("UPDATE t SET b = 5, c = 'it''s' WHERE id = 1", capture: capture).isEmpty)
    }

    @Test("R14 Rows are identified by their key, of one column or several, or else by their rowid")
    func keys() throws {
        try connection.execute("CREATE TABLE t (a, b, c, PRIMARY KEY (c, a)) WITHOUT ROWID")
        try connection.execute("CREATE TABLE plain (a)")
        let capture = makeCapture()
        defer { capture.stop() }
        #expect(
            try net("INSERT INTO t VALUES (1, 2, 3)", capture: capture).map(\.key) == [
                .values([.integer(3), .integer(1)])
            ])
        let moved = try net("UPDATE t SET a = 9", capture: capture)
        #expect(moved.map { $0.old?[0] } == [.integer(1), nil] && moved.map { $0.new?[0] } == [nil, .integer(9)])
        #expect(try net("DELETE FROM t", "INSERT INTO t VALUES (9, 2, 3)", capture: capture).isEmpty)
        let plain = try net("INSERT INTO plain VALUES (1), (1)", table: "plain", capture: capture)
        #expect(plain.map(\.key) == [.number(1), .number(2)])
    }

    @Test("Schema changes and rows with virtual columns are reported as unknown; temporary tables are ignored")
    func unknown() throws {
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
        try connection.execute("CREATE TABLE v (a, b AS (a + 1))")
        try connection.execute("CREATE TABLE s (a PRIMARY KEY, b AS (a + 1) STORED)")
        let capture = makeCapture()
        defer { capture.stop() }
        #expect(try isUnclear("CREATE INDEX i ON v(a)", capture: capture))
        #expect(try isUnclear("DROP TABLE t", capture: capture))
        // The way in which SQLite is made to delete row by row could also prevent the drop.
        #expect(try connection.rows("SELECT name FROM sqlite_schema WHERE name = 't'").isEmpty)
        #expect(try isUnclear("INSERT INTO v VALUES (1)", capture: capture))
        #expect(
            try net("INSERT INTO s VALUES (1)", table: "s", capture: capture).map(\.new) == [
                [.integer(1), .integer(2)]
            ])
        #expect(try isUnclear("CREATE TABLE n AS SELECT 1 AS a", capture: capture))
        #expect(try net("UPDATE n SET a = 2", table: "n", capture: capture).map(\.new) == [[.integer(2)]])
        try connection.execute("CREATE TEMP TABLE s (a)")
        #expect(try net("INSERT INTO temp.s VALUES (1)", table: "s", capture: capture).isEmpty)
    }

    @Test("R5 Only the changes left by a statement that fails halfway are reported, whatever runs before and after it")
    func failures() throws {
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)")
        try connection.execute("INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')")
        let capture = makeCapture()
        defer { capture.stop() }
        let aborted = try net("UPDATE t SET a = 'q' WHERE id = 2", "UPDATE t SET a = 'w'", capture: capture)
        #expect(aborted.map(\.new) == [[.integer(2), .text("q")]])
        let failed = try net("UPDATE OR FAIL t SET a = 'w'", "DELETE FROM t WHERE id = 1", capture: capture)
        #expect(failed.map(\.new) == [nil])
        #expect(
            try net("INSERT OR FAIL INTO t VALUES (4, 'n'), (5, 'n')", capture: capture).map(\.key) == [
                .value(.integer(4))
            ])
    }

    @Test("R5 Only the changes left by a statement that fails halfway are reported, with a composite key too")
    func failuresByKey() throws {
        try connection.execute("CREATE TABLE t (a, b UNIQUE, c, PRIMARY KEY (c, a)) WITHOUT ROWID")
        try connection.execute("INSERT INTO t VALUES (1, 'x', 3), (2, 'y', 3)")
        let capture = makeCapture()
        defer { capture.stop() }
        guard case .known(let tables, _) = try rows(["UPDATE t SET b = 'w'"], capture: capture) else {
            Issue.record("The rows are not known.")
            return
        }
        #expect(tables.isEmpty)
        let failed = try net("UPDATE OR FAIL t SET b = 'w'", capture: capture)
        #expect(failed.map(\.key) == [.values([.integer(3), .integer(1)])])
        #expect(failed.map(\.new) == [[.integer(1), .text("w"), .integer(3)]])
    }

    @Test("R17 After a transaction changes too many rows, the next ones get a smaller budget until they change few")
    func budget() throws {
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
        let capture = ChangeCapture(session, connection)
        capture.capture(.useful(["t": 160]))
        defer { capture.stop() }
        /// Whether the changed rows of a transaction that inserts `count` rows are known.
        func isKnown(_ count: Int) throws -> Bool {
            let rows = try rows(
                (0..<count).map { _ in "INSERT INTO t (a) VALUES (1)" } + ["DELETE FROM t WHERE id > 1"],
                capture: capture)
            return rows.changes(of: "t") != nil
        }
        #expect(try isKnown(79))
        #expect(try !isKnown(200))
        // The budget is now a sixteenth, and quadruples after each transaction that stays within it.
        #expect(try !isKnown(20))
        #expect(try isKnown(4))
        #expect(try isKnown(19))
        #expect(try isKnown(79))
        #expect(try !isKnown(200))
        // A new interest resets the budget.
        capture.capture(.useful(["t": 160, "other": 1]))
        #expect(try isKnown(79))
    }
}
