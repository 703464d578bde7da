import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Tables of a statement") struct TableAccessTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", options: ConnectionOptions())
        for sql in [
            "CREATE TABLE Studio (id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE Film (id INTEGER PRIMARY KEY, title TEXT UNIQUE, studio REFERENCES Studio ON DELETE CASCADE)",
            "CREATE TABLE Review (id INTEGER PRIMARY KEY, film REFERENCES Film ON DELETE SET NULL)",
            "CREATE TABLE Log (text)", "CREATE TABLE Keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID",
            "CREATE TRIGGER logs AFTER INSERT ON Keyed BEGIN INSERT INTO Log VALUES (new.k); END",
            "CREATE VIEW Titles AS SELECT title FROM Film WHERE studio IN (SELECT id FROM Studio)",
            "CREATE TRIGGER retitle INSTEAD OF INSERT ON Titles BEGIN INSERT INTO Film (title) VALUES (new.title); END",
        ] {
            try connection.execute(sql)
        }
    }

    private func access(_ sql: String) throws -> TableAccess { try connection.prepare(sql).access }

    @Test("R14 a read lists the tables of joins, subqueries and views, with the names as declared")
    func reads() throws {
        #expect(try access("SELECT title FROM film").read == ["Film"])
        #expect(try access("SELECT count(*) FROM FILM").read == ["Film"])
        #expect(try access("WITH n(i) AS (SELECT text FROM Log) SELECT count(*) FROM n").read == ["Log"])
        let joined = try access("SELECT 1 FROM Film JOIN STUDIO ON Studio.id = studio").read.sorted()
        #expect(joined == ["Film", "Studio"])
        #expect(try access("SELECT * FROM Titles").read.isSuperset(of: ["Film", "Studio"]))
        #expect(try access("SELECT (SELECT max(text) FROM Log)").read == ["Log"])
        #expect(try access("SELECT title FROM Film").written.isEmpty)
    }

    @Test("R14 a write lists the tables of cascades, triggers and writable views")
    func writes() throws {
        #expect(try access("DELETE FROM Studio").written == ["Studio", "Film", "Review"])
        #expect(try access("DELETE FROM Film WHERE id = 1").written == ["Film", "Review"])
        #expect(try access("REPLACE INTO Studio VALUES (1, 'a')").written == ["Studio", "Film", "Review"])
        #expect(try access("INSERT INTO Keyed VALUES ('a', 1)").written == ["Keyed", "Log"])
        #expect(try access("INSERT INTO Titles VALUES ('a')").written.isSuperset(of: ["Film"]))
        #expect(try access("UPDATE Log SET text = 1").written == ["Log"])
        #expect(
            try access("INSERT INTO Keyed VALUES ('a', 1) ON CONFLICT DO UPDATE SET v = 2").written == ["Keyed", "Log"])
        #expect(try access("DELETE FROM Keyed").written == ["Keyed"])
        #expect(!(try access("DELETE FROM Keyed").changesSchema))
    }

    @Test("Statements that change the schema are recognized, and so are statements that a program must not run")
    func schema() throws {
        #expect(try access("CREATE TABLE New (a)").changesSchema)
        #expect(try access("DROP TABLE Log").changesSchema)
        #expect(try access("ALTER TABLE Log ADD COLUMN more").changesSchema)
        #expect(!(try access("PRAGMA user_version").changesSchema))
        #expect(try access("PRAGMA user_version").refusal == nil)
        #expect(try access("PRAGMA user_version = 3").refusal != nil)
        #expect(try access("BEGIN").refusal != nil)
    }
}
