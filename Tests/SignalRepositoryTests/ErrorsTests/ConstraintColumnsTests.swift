import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("R12 The columns of a constraint") struct ConstraintColumnsTests {
    private static let names = [
        "a", "a.b", "a, b", "T.a", "UNIQUE constraint failed: x", "a\"b", "\u{301}", " ", "x failed: y", "é",
        "index 'a'",
    ]

    private func columns(
        _ connection: Connection, _ kind: ConstraintKind, _ sql: String, location: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let error = try thrown { () throws(RepositoryError) in try connection.execute(sql) }
        guard case .constraint(kind, let columns, _, _) = error else {
            Issue.record("\(error)", sourceLocation: location)
            return []
        }
        return columns
    }

    @Test("R12 columns are named as they are declared, whatever their names are", arguments: names, names)
    func anyName(table: String, column: String) throws {
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        let (one, other) = (column + "1", column + "2")
        let (t, a, b) = (Identifier.quoted(table), Identifier.quoted(one), Identifier.quoted(other))
        try connection.execute(
            """
            CREATE TABLE \(t) \
            (id INTEGER PRIMARY KEY, \(a) TEXT NOT NULL, \(b) TEXT UNIQUE, UNIQUE (\(a), \(b))) STRICT
            """
        )
        try connection.execute("CREATE UNIQUE INDEX both ON \(t) (\(b), \(a))")
        try connection.execute("INSERT INTO \(t) VALUES (1, 'x', 'y')")
        #expect(try columns(connection, .primaryKey, "INSERT INTO \(t) VALUES (1, 'p', 'q')") == ["id"])
        #expect(try columns(connection, .notNull, "INSERT INTO \(t) VALUES (2, NULL, 'q')") == [one])
        #expect(try columns(connection, .unique, "INSERT INTO \(t) VALUES (2, 'p', 'y')") == [other])
        #expect(try columns(connection, .other, "INSERT INTO \(t) VALUES (2, x'00', 'q')") == [one])
        try connection.execute("CREATE TABLE U (id INTEGER)")
        try connection.execute(
            "CREATE TRIGGER copies AFTER INSERT ON U BEGIN INSERT INTO \(t) VALUES (new.id, 'p', 'y'); END")
        #expect(try columns(connection, .unique, "INSERT INTO U VALUES (7)") == [other])
    }

    @Test("R12 a set of columns is named in its order, and so is a key of several columns")
    func sets() throws {
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        for sql in [
            "CREATE TABLE T (a, b, c, PRIMARY KEY (c, a)) WITHOUT ROWID", "CREATE UNIQUE INDEX cb ON T (b, c)",
            "INSERT INTO T VALUES (1, 2, 3)", "CREATE TABLE Plain (a)", "INSERT INTO Plain VALUES (1)",
            "CREATE TABLE Sums (a, b)", "CREATE UNIQUE INDEX total ON Sums (a + b)", "INSERT INTO Sums VALUES (1, 2)",
            "CREATE TABLE Checked (a CHECK (a <> 'x: y'), b CONSTRAINT \"b: positive\" CHECK (b > 0))",
        ] {
            try connection.execute(sql)
        }
        #expect(try columns(connection, .primaryKey, "INSERT INTO T VALUES (1, 9, 3)") == ["c", "a"])
        #expect(try columns(connection, .unique, "INSERT INTO T VALUES (8, 2, 3)") == ["b", "c"])
        #expect(try columns(connection, .primaryKey, "INSERT INTO Plain (rowid, a) VALUES (1, 1)") == ["rowid"])
        #expect(try columns(connection, .unique, "INSERT INTO Sums VALUES (2, 1)").isEmpty)
        #expect(try columns(connection, .check, "INSERT INTO Checked VALUES ('x: y', 1)") == ["a <> 'x: y'"])
        #expect(try columns(connection, .check, "INSERT INTO Checked VALUES (1, 0)") == ["b: positive"])
    }

    @Test("R12 a refusal by a trigger is distinguished from one by a reference")
    func triggers() throws {
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        for sql in [
            "CREATE TABLE P (id INTEGER PRIMARY KEY)", "CREATE TABLE C (p REFERENCES P ON DELETE RESTRICT)",
            """
            CREATE TRIGGER guard BEFORE INSERT ON P WHEN new.id < 0 \
            BEGIN SELECT RAISE(ABORT, 'FOREIGN KEY, or so'); END
            """,
            "INSERT INTO P VALUES (1)", "INSERT INTO C VALUES (1)",
        ] {
            try connection.execute(sql)
        }
        #expect(try columns(connection, .trigger, "INSERT INTO P VALUES (-1)").isEmpty)
        #expect(try columns(connection, .foreignKey, "DELETE FROM P") == ["C.p"])
    }
}
