import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Files that other programs made or damaged.
///
/// A file that is refused stays as it was, and so does every byte of its folder.
@Suite("Foreign files") struct ForeignFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func make(_ statements: String) throws {
        let database = try RawDatabase(folder.file())
        try database.run(statements)
        database.close()
    }

    private func refusal(_ access: StoreAccess) throws -> RepositoryError {
        let before = try folder.contents()
        let error = try thrown { () throws(RepositoryError) in
            try OpenedStore(.file(folder.file()), access: access, entities: [Box<Int>.self])
        }
        #expect(try folder.contents() == before)
        return error
    }

    private func expectMismatch(_ detail: String) throws {
        for access in [StoreAccess.readWrite, .readOnly] {
            let error = try refusal(access)
            guard case .schemaMismatch(let found) = error else { return #expect(Bool(false), "\(error)") }
            // If a migration would fix it, the message goes on to name the migration.
            #expect(found == detail || found.hasPrefix(detail + ": register Migration("), "\(found)")
        }
    }

    private static let mark = "PRAGMA application_id = 1399280240; PRAGMA user_version = 1;"

    @Test("A database of another program", arguments: ["", "PRAGMA journal_mode = WAL;"])
    func somethingElse(_ mode: String) throws {
        try make(mode + "CREATE TABLE notes (text); CREATE TABLE tags (name)")
        try expectMismatch("the file is another program's database, with notes, tags")
    }

    @Test("Of many foreign tables, five are named")
    func manyTables() throws {
        try make((1...6).map { "CREATE TABLE t\($0) (a);" }.joined())
        try expectMismatch("the file is another program's database, with t1, t2, t3, t4, t5")
    }

    @Test("A database with another application's mark, with only a view, or with only a version")
    func marks() throws {
        try make("PRAGMA application_id = 77")
        try expectMismatch("the file is another program's database (application 77)")
        try FileManager.default.removeItem(atPath: folder.file())
        try make("CREATE VIEW v AS SELECT 1")
        try expectMismatch("the file is another program's database, with v")
        try FileManager.default.removeItem(atPath: folder.file())
        try make("PRAGMA user_version = 3")
        try expectMismatch("the file is another program's database")
    }

    @Test("A store of a newer version of the library")
    func newer() throws {
        try make(Self.mark + "PRAGMA user_version = 2; CREATE TABLE Box (id INTEGER PRIMARY KEY, value INTEGER) STRICT")
        try expectMismatch("the file was laid out by a newer version of this library (2)")
    }

    private static let drifts: [(sql: String, detail: String)] = [
        ("CREATE VIEW Box AS SELECT 1 AS id, 2 AS value", "Box is a view"),
        ("CREATE VIRTUAL TABLE Box USING fts5(id, value)", "Box is a virtual"),
        (
            "CREATE TABLE Box (id INTEGER PRIMARY KEY NOT NULL, value INTEGER NOT NULL)",
            "Box is a table of another kind"
        ),
        (
            "CREATE TABLE Box (id INTEGER PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT, WITHOUT ROWID",
            "Box is a table of another kind"
        ),
        (
            "CREATE TABLE box (id INTEGER PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT",
            "the table box is declared as Box"
        ),
        (
            "CREATE TABLE Box (id INTEGER PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT",
            "Box.value is declared as INTEGER and stored as TEXT"
        ),
        (
            "CREATE TABLE Box (id INTEGER PRIMARY KEY NOT NULL, value INTEGER) STRICT",
            "Box.value is declared as not optional and is optional in the file"
        ),
        (
            "CREATE TABLE Box (id INTEGER NOT NULL, value INTEGER NOT NULL PRIMARY KEY) STRICT",
            "Box.id is not the key of the stored table; Box.value is the key of the stored table"
        ),
        (
            "CREATE TABLE Box (id INTEGER PRIMARY KEY NOT NULL, value INTEGER NOT NULL AS (id + 1)) STRICT",
            "Box.value is declared as INTEGER and stored as computed INTEGER (id + 1)"
        ),
        (
            "CREATE TABLE Box (id INTEGER PRIMARY KEY NOT NULL, value INTEGER NOT NULL REFERENCES Other) STRICT",
            "Box.value is declared with no reference and stored with REFERENCES \"Other\" ON DELETE NO ACTION"
        ),
    ]

    @Test("A store whose tables were changed by hand", arguments: drifts)
    func drifted(_ drift: (sql: String, detail: String)) throws {
        try make(Self.mark + drift.sql)
        try expectMismatch(drift.detail)
    }

    @Test(
        "A store whose internal tables were changed by hand",
        arguments: [
            "CREATE VIEW signal_repository_migrations AS SELECT 1 AS number, 'x' AS name",
            "CREATE TABLE signal_repository_migrations (number INTEGER PRIMARY KEY) STRICT",
            "CREATE TABLE signal_repository_migrations (number INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT",
            "CREATE TABLE signal_repository_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, c AS (1))",
            "CREATE VIRTUAL TABLE signal_repository_migrations USING fts5(number, name)",
            "CREATE VIEW signal_repository_identity AS SELECT 'x' AS identity",
            "CREATE TABLE signal_repository_identity (name TEXT NOT NULL) STRICT",
            "CREATE TABLE Signal_Repository_Identity (identity BLOB NOT NULL) STRICT",
        ])
    func ownTables(_ sql: String) throws {
        try make(Self.mark + "CREATE TABLE Box (id INTEGER PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT;" + sql)
        for access in [StoreAccess.readWrite, .readOnly] {
            guard case .schemaMismatch(let detail) = try refusal(access) else { return #expect(Bool(false)) }
            #expect(detail.lowercased().contains("signal_repository_"))
        }
    }

    @Test(
        "Files that are not databases", arguments: ["x", "SQLite format 3\0", String(repeating: "text ", count: 5_000)])
    func notADatabase(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file()))
        for access in [StoreAccess.readWrite, .readOnly] {
            guard case .notADatabase(folder.file()) = try refusal(access) else { return #expect(Bool(false)) }
        }
    }

    @Test("A damaged store is an error, never a trap")
    func damaged() throws {
        let store = try OpenedStore(.file(folder.file()), entities: [Box<Data>.self])
        let writer = try #require(store.writer)
        for id in 0..<200 { try writer.execute("INSERT INTO Box VALUES (?, zeroblob(3000))", [.integer(Int64(id))]) }
        writer.close()
        let intact = try #require(try folder.contents()["store.sqlite"])
        var generator = SeededGenerator(seed: 7)
        var corrupt = 0
        for _ in 0..<150 {
            var bytes = intact
            // SQLite trusts the header at the beginning of a page.
            for _ in 0..<8 {
                let page = Int.random(in: 0..<min(40, bytes.count / 4096), using: &generator) * 4096
                bytes[page + Int.random(in: 0..<100, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            try bytes.write(to: URL(fileURLWithPath: folder.file()))
            do {
                let reader = try OpenedStore(.file(folder.file()), access: .readOnly, entities: [Box<Data>.self])
                    .makeReader()
                _ = try reader.cached("SELECT id, value FROM Box").items(Box<Data>.schema)
            } catch {
                if case .corrupt = error { corrupt += 1 }
            }
        }
        #expect(corrupt > 20)
    }

    @Test("The next writer rolls back an interrupted transaction, and a reader reports that it cannot")
    func hotJournal() throws {
        try OpenedStore(.file(folder.file("made")), entities: [Box<Int>.self]).writer?.close()
        let other = try RawDatabase(folder.file("made"))
        try other.run("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 5; INSERT INTO Box VALUES (1, 1)")
        let rows = "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n LIMIT 50000) SELECT i, i FROM n"
        try other.run("BEGIN; INSERT INTO Box \(rows)")
        // As after a crash: half of the transaction is in the file, and the old pages are in the journal.
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: folder.file("made") + suffix, toPath: folder.file() + suffix)
        }
        other.close()
        let error = try thrown { () throws(RepositoryError) in
            try OpenedStore(.file(folder.file()), access: .readOnly, entities: [Box<Int>.self])
        }
        guard case .readOnly = error else { return #expect(Bool(false), "\(error)") }
        let store = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self])
        #expect(try store.writer?.integer("SELECT count(*) FROM Box") == 1)
    }

    @Test("An empty SQLite database becomes a store, because nothing can be lost")
    func emptyDatabase() throws {
        try make("CREATE TABLE t (a); DROP TABLE t")
        let error = try refusal(.readOnly)
        guard case .schemaMismatch("the file is an empty database") = error else {
            return #expect(Bool(false), "\(error)")
        }
        let store = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self])
        #expect(try store.writer?.integer("SELECT count(*) FROM Box") == 0)
    }
}
