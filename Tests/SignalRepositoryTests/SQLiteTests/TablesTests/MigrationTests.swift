import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Migrations in SQLite's dialect, which compare the bytes of the file; `SchemaOpenerTests` tests PostgreSQL.
@Suite("Migrations", .timeLimit(.minutes(10))) struct MigrationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(
        _ entities: [any Entity.Type], _ migrations: [Migration] = [], access: StoreAccess = .readWrite
    ) throws(RepositoryError) -> OpenedStore {
        try OpenedStore(.file(folder.file()), access: access, entities: entities, migrations: migrations)
    }

    /// Opens for writing, passes the connection to the body, and closes.
    private func write(
        _ entities: [any Entity.Type], _ migrations: [Migration] = [], _ body: (Connection) throws -> Void = { _ in }
    ) throws {
        let writer = try #require(try open(entities, migrations).writer)
        try body(writer)
        writer.close()
    }

    /// Makes a store of the first version, with two films and a review of one of them.
    private func makeOld() throws {
        try write([OldFilm.self, OldNotice.self]) { writer throws in
            try writer.execute("INSERT INTO OldFilm VALUES (1, 'one', ' Gramercy ', 15), (2, 'two', NULL, 25)")
            try writer.execute("INSERT INTO Review VALUES (7, 1)")
        }
    }

    /// The contents of the folder, except the lock file.
    private func contents() throws -> [String: Data] {
        try folder.contents().filter { !$0.key.hasSuffix("-lock") }
    }

    private func failure(
        _ entities: [any Entity.Type], _ migrations: [Migration], access: StoreAccess = .readWrite
    ) throws -> RepositoryError {
        let before = try contents()
        let error = try thrown { () throws(RepositoryError) in try open(entities, migrations, access: access) }
        #expect(try contents() == before)
        return error
    }

    /// The migrations from the first version to the second.
    private static let steps = [
        Migration("OldFilm becomes Film") { store in
            try store.execute("ALTER TABLE OldFilm RENAME TO Film")
            try store.execute("ALTER TABLE Film RENAME COLUMN gross TO cents")
        },
        Migration("gross in cents") { store in
            let count = try store.execute("UPDATE Film SET cents = cents * ?", 100)
            #expect(count == 2)
            for row in try store.rows("SELECT id, studio FROM Film WHERE studio IS NOT NULL") {
                guard case .integer(let id) = row[0], case .text(let studio) = row[1] else { continue }
                let trimmed = studio.trimmingCharacters(in: .whitespaces)
                try store.execute("UPDATE Film SET studio = ? WHERE id = ?", trimmed, id)
            }
        },
    ]

    @Test("Migrations run in order before the rest is inferred, and a rename keeps the values")
    func inOrder() throws {
        try makeOld()
        try write([Reel.self, Notice.self], Self.steps) { writer throws in
            let films = try writer.cached("SELECT id, title, studio, cents, rating FROM Film ORDER BY id")
            #expect(
                try films.items(Reel.schema) == [
                    Reel(id: 1, title: "one", studio: "Gramercy", cents: 1500, rating: 5),
                    Reel(id: 2, title: "two", studio: nil, cents: 2500, rating: 5),
                ])
            let shape = try FileShape(writer, tables: ["Film"]).item(named: "Film")?.shape
            #expect(shape?.indexes.map(\.name).sorted() == ["index_Film(cents)", "unique_Film(title)"])
            #expect(try FileShape(writer, tables: []).item(named: "OldFilm") == nil)
            // The other table's reference follows the new name, and is enforced again.
            let error = try thrown { () throws(RepositoryError) in try writer.execute("DELETE FROM Film WHERE id = 1") }
            guard case .constraint(.foreignKey, _, _, _) = error else { return #expect(Bool(false), "\(error)") }
        }
    }

    @Test("A migration runs once; a new one runs alone, wherever it is in the list")
    func once() throws {
        try makeOld()
        try write([Reel.self, Notice.self], Self.steps)
        let before = try contents()
        try write([Reel.self, Notice.self], Self.steps)
        #expect(try contents() == before)
        let added = Migration("titles in capitals") { try $0.execute("UPDATE Film SET title = upper(title)") }
        try write([Reel.self, Notice.self], [added] + Self.steps) { writer throws in
            #expect(try writer.rows("SELECT title, cents FROM Film WHERE id = 1") == [[.text("ONE"), .integer(1500)]])
        }
    }

    @Test("A new store records every migration and runs none", arguments: [true, false])
    func new(isFile: Bool) throws {
        let unwanted = Self.steps + [Migration("never") { _ in Issue.record("A migration ran on a new store.") }]
        let place = isFile ? StoreLocation.file(folder.file()) : .inMemory
        let entities: [any Entity.Type] = [Reel.self, Notice.self]
        let writer = try #require(try OpenedStore(place, entities: entities, migrations: unwanted).writer)
        #expect(
            try writer.rows("SELECT name FROM signal_repository_migrations ORDER BY number")
                == unwanted.map { [.text($0.name)] })
        writer.close()
        if isFile { try write(entities, unwanted) }
    }

    @Test("R12 A migration that fails is named, and every byte of the file stays")
    func failing() throws {
        struct Refused: Error {}
        try makeOld()
        let cases: [(body: @Sendable (MigrationTransaction) throws -> Void, isExpected: (any Error) -> Bool)] = [
            ({ _ in throw Refused() }, { $0 is Refused }),
            ({ try $0.execute("UPDATE Film SET id = 1") }, { ($0 as? RepositoryError)?.isConstraint == true }),
            ({ try $0.execute("UPDATE OldFilm SET id = 1") }, { ($0 as? RepositoryError)?.isMisuse == true }),
            ({ try $0.execute("COMMIT") }, { ($0 as? RepositoryError)?.isMisuse == true }),
            ({ try $0.execute("SAVEPOINT a") }, { ($0 as? RepositoryError)?.isMisuse == true }),
            ({ _ = try $0.rows("DELETE FROM Film RETURNING id") }, { ($0 as? RepositoryError)?.isMisuse == true }),
        ]
        for example in cases {
            let steps = Self.steps + [Migration("the third", example.body)]
            let error = try failure([Reel.self, Notice.self], steps)
            guard case .migrationFailed("the third", let reason) = error, example.isExpected(reason.error) else {
                return #expect(Bool(false), "\(error)")
            }
            #expect("\(error)".hasPrefix(#"A migration failed, and the store was left as it is: "the third": "#))
        }
        try write([Reel.self, Notice.self], Self.steps)
    }

    @Test("If a change cannot be inferred after the migrations, they are rolled back")
    func inferenceFails() throws {
        try makeOld()
        let rename = Migration("a wrong name") { try $0.execute("ALTER TABLE Film RENAME COLUMN title TO name") }
        let error = try failure([Reel.self, Notice.self], Self.steps + [rename])
        guard case .schemaMismatch(let detail) = error,
            detail.hasPrefix("Film.title is not in the file, and name of the same type is no longer declared")
        else {
            return #expect(Bool(false), "\(error)")
        }
    }

    @Test("A table can be replaced: references to it stay, and are checked at the end")
    func replacing() throws {
        try makeOld()
        let replace: @Sendable (MigrationTransaction) throws -> Void = { store in
            try store.execute(
                """
                CREATE TABLE Made (id INTEGER PRIMARY KEY NOT NULL, title TEXT NOT NULL, studio TEXT,
                cents INTEGER NOT NULL, rating INTEGER NOT NULL DEFAULT 5) STRICT
                """)
            try store.execute("INSERT INTO Made SELECT id, title, studio, gross, 4 FROM OldFilm")
            try store.execute("DROP TABLE OldFilm")
            try store.execute("ALTER TABLE Made RENAME TO OldFilm")
            try store.execute("ALTER TABLE OldFilm RENAME TO Film")
        }
        let lost = Migration("replaced") { store in
            try replace(store)
            try store.execute("DELETE FROM Film WHERE id = 1")
        }
        let error = try failure([Reel.self, Notice.self], [lost])
        guard case .schemaMismatch(let detail) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == "after the migrations 1 of Review would refer to rows of Film that do not exist")
        try write([Reel.self, Notice.self], [Migration("replaced", replace)]) { writer throws in
            #expect(try writer.rows("SELECT * FROM Review") == [[.integer(7), .integer(1)]])
            #expect(try writer.integer("SELECT sum(rating) FROM Film") == 8)
            #expect(try writer.integer("PRAGMA foreign_keys") == 1)
        }
    }

    @Test(
        "R12 A program that lacks a migration of the store is too old for it",
        arguments: [StoreAccess.readWrite, .readOnly])
    func tooOld(access: StoreAccess) throws {
        try makeOld()
        let mark = Migration("2.0")
        try write([Reel.self, Notice.self], Self.steps + [mark])
        for known in [Self.steps, [mark], []] {
            let error = try failure([Reel.self, Notice.self], known, access: access)
            guard case .schemaMismatch(let detail) = error else { return #expect(Bool(false), "\(error)") }
            #expect(detail.hasSuffix("this program is older than the store, or opens it without its migrations"))
        }
        try write([Reel.self, Notice.self], Self.steps + [mark]) { writer throws in
            #expect(try writer.integer("SELECT sum(cents) FROM Film") == 4000)
        }
    }

    @Test("R12 Opening read-only runs no migration, and names the one that is due")
    func reading() throws {
        try makeOld()
        let error = try failure([Reel.self, Notice.self], Self.steps, access: .readOnly)
        guard case .schemaMismatch(let detail) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail.hasPrefix("the migration \"OldFilm becomes Film\" was not run"))
        try write([Reel.self, Notice.self], Self.steps)
        let reader = try open([Reel.self, Notice.self], Self.steps, access: .readOnly).makeReader()
        #expect(try reader.integer("SELECT sum(cents) FROM Film") == 4000)
    }

    @Test("An interrupted migration leaves no trace when the store opens again")
    func cutOff() throws {
        try makeOld()
        let copy = try TemporaryFolder()
        let source = folder.path
        let cut = Migration("cut off") { store in
            // More rows than the cache holds, so that a part is in the log before the commit.
            for number in 3..<600 {
                let text = String(repeating: "x", count: 10_000) + "\(number)"
                try store.execute("INSERT INTO Film VALUES (?, ?, NULL, 0)", number, text)
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: source) {
                try FileManager.default.copyItem(atPath: "\(source)/\(name)", toPath: copy.file(name))
            }
        }
        try write([Reel.self, Notice.self], Self.steps + [cut]) { writer throws in
            #expect(try writer.integer("SELECT count(*) FROM Film") == 599)
        }
        let log = try #require(FileManager.default.contents(atPath: copy.file("store.sqlite-wal")))
        #expect(log.count > 1 << 20)
        let old = try OpenedStore(.file(copy.file()), entities: [OldFilm.self, OldNotice.self])
        let writer = try #require(old.writer)
        #expect(try writer.rows("SELECT id, gross FROM OldFilm ORDER BY id").count == 2)
        #expect(try writer.integer("SELECT sum(gross) FROM OldFilm") == 40)
        #expect(try writer.rows("PRAGMA integrity_check") == [[.text("ok")]])
        writer.close()
    }

    @Test("A repository opens with its migrations, and works on their result")
    func repository() async throws {
        try makeOld()
        let repository = try SQLiteRepository(
            .file(folder.file()), entities: Reel.self, Notice.self, migrations: Self.steps)
        let total = repository.sumSubscription(of: \Reel.cents).record()
        #expect(await total.values(1) == [4000])
        try await repository.create(Reel(id: 3, title: "three", studio: nil, cents: 1, rating: 1)).value()
        #expect(await total.values(2) == [4000, 4001])
        await closed(repository)
        let error = try thrown { () throws(RepositoryError) in
            try SQLiteRepository(.file(folder.file()), entities: [OldFilm.self, OldNotice.self])
        }
        guard case .schemaMismatch = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("Two migrations with the same name, or one with an empty name, are a misuse")
    func names() throws {
        for migrations in [[Migration("a"), Migration("b"), Migration("a")], [Migration("")]] {
            guard case .misuse = try failure([Reel.self], migrations) else { return #expect(Bool(false)) }
        }
    }

    @Test("R16 A migration's handle ends with its body")
    func handle() throws {
        try makeOld()
        let kept = Kept()
        let keep = Migration("keep") { kept.store = $0 }
        try write([Reel.self, Notice.self], Self.steps + [keep])
        let store = try #require(kept.store)
        let error = try thrown { () throws(RepositoryError) in try store.execute("DELETE FROM Film") }
        #expect(error.isTransactionEnded)
    }

    /// The handle of a migration; safe because only one thread uses it.
    private final class Kept: @unchecked Sendable {
        var store: MigrationTransaction?
    }
}
