import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Columns that become optional", .timeLimit(.minutes(10))) struct RelaxedColumnTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ entities: [any Entity.Type], access: StoreAccess = .readWrite) throws -> SQLiteRepository {
        try SQLiteRepository(
            .file(folder.file()), entities: entities, configuration: RepositoryConfiguration(access: access))
    }

    private func with<Result>(
        _ entities: [any Entity.Type], _ body: (SQLiteRepository) async throws -> Result
    ) async throws -> Result {
        let repository = try open(entities)
        let result = try await body(repository)
        await closed(repository)
        return result
    }

    private func schema() throws -> [[SQLValue]] {
        let reader = try OpenedStore(.file(folder.file()), access: .readOnly, entities: [Choir.self]).makeReader()
        return try reader.rows("SELECT name, sql FROM sqlite_schema WHERE name <> 'Singer' ORDER BY name")
    }

    // This test reads the bytes and the catalog of a file.
    @Test("A column that is declared as optional becomes optional, and nothing else changes", arguments: [1, 2, 1000])
    func relaxed(count: Int) async throws {
        let singers = (1...count).map {
            Strict.Singer(id: $0, name: "Singer \($0)", voice: "alto \($0)", choir: 1, pay: Decimal($0) / 100)
        }
        let before = try await with([Choir.self, Strict.Singer.self]) { repository async throws in
            try await repository.create(Choir(id: 1)).value()
            try await repository.insert(singers).value()
            try await repository.transaction { store in
                try store.execute("CREATE TABLE Log (name TEXT)")
                try store.execute("CREATE INDEX own ON Singer (voice, name)")
                try store.execute(
                    "CREATE TRIGGER logs AFTER UPDATE ON Singer BEGIN INSERT INTO Log VALUES (old.voice); END")
            }.value()
            return try await repository.transaction { try $0.rows("SELECT rowid, * FROM Singer") }.value()
        }
        let others = try schema()
        try await with([Choir.self, Relaxed.Singer.self]) { repository async throws in
            let all = try await repository.fetch(Relaxed.Singer.all).value()
            #expect(all.map(\.voice) == singers.map(\.voice))
            #expect(try await repository.transaction { try $0.rows("SELECT rowid, * FROM Singer") }.value() == before)
            try await repository.update(
                Relaxed.Singer.self, set: [.set(\.voice, to: nil), .set(\.choir, to: nil), .set(\.pay, to: nil)]
            ) { $0.id == 1 }.value()
            let first = try await repository.read(Relaxed.Singer.self, id: 1).value()
            #expect(first.voice == nil && first.choir == nil && first.pay == nil && first.name == "Singer 1")
            #expect(
                try await repository.transaction { try $0.rows("SELECT name FROM Log") }.value() == [[.text("alto 1")]])
            // Uniqueness, references and search work as before.
            await expectFailure(\.isConstraint) {
                try await repository.create(Relaxed.Singer(id: 0, name: "Singer 1")).value()
            }
            await expectFailure(\.isConstraint) {
                try await repository.create(Relaxed.Singer(id: 0, name: "new", choir: 9)).value()
            }
            #expect(try await repository.fetch(Relaxed.Singer.matching("singer 1")).value().map(\.item.id) == [1])
        }
        #expect(try schema() == others)
        // The second opening changes nothing.
        let bytes = try folder.contents()["store.sqlite"]
        try await with([Choir.self, Relaxed.Singer.self]) { _ in }
        #expect(try folder.contents()["store.sqlite"] == bytes)
        let reader = try OpenedStore(.file(folder.file()), access: .readOnly, entities: [Choir.self]).makeReader()
        #expect(try reader.rows("PRAGMA integrity_check") == [[.text("ok")]])
    }

    @Test("Making an optional column required is refused", arguments: StoreKind.kept)
    func reverse(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Choir.self, Relaxed.Singer.self]) { _ in }
        let detail = try place.mismatch([Choir.self, Strict.Singer.self])
        let noun = kind == .file ? "file" : "schema"
        #expect(detail.contains("Singer.voice is declared as not optional and is optional in the \(noun)"))
    }

    @Test("A read-only store needs no change, because every stored value fits", arguments: StoreKind.kept)
    func reading(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Choir.self, Strict.Singer.self]) { repository async throws in
            try await repository.create(Choir(id: 1)).value()
            try await repository.create(Strict.Singer(id: 0, name: "a", voice: "b", choir: 1, pay: 1)).value()
        }
        let repository = try place.open([Choir.self, Relaxed.Singer.self], access: .readOnly)
        #expect(try await repository.fetch(Relaxed.Singer.all).value().map(\.voice) == ["b"])
        await closed(repository)
        try await place.with([Choir.self, Strict.Singer.self]) { repository async throws in
            #expect(try await repository.count(Strict.Singer.self).value() == 1)
        }
    }

    @Test("If the opening fails afterwards, the column stays as it was", arguments: StoreKind.kept)
    func undone(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Choir.self, Strict.Singer.self]) { repository async throws in
            try await repository.create(Choir(id: 1)).value()
            try await repository.insert([
                Strict.Singer(id: 1, name: "a", voice: "same", choir: 1, pay: 1),
                Strict.Singer(id: 2, name: "b", voice: "same", choir: 1, pay: 1),
            ]).value()
        }
        #expect(
            try place.mismatch([Choir.self, Late.Singer.self]).contains("unique_Singer(voice) cannot be migrated"))
        try await place.with([Choir.self, Strict.Singer.self]) { repository async throws in
            #expect(try await repository.count(Strict.Singer.self).value() == 2)
            await expectFailure(\.isConstraint) {
                try await repository.transaction { try $0.execute(#"UPDATE "Singer" SET voice = NULL"#) }.value()
            }
        }
    }

    // A server stores no text of a declaration; `SchemaOpenerTests` tests columns that become optional there.
    @Test("A column's NOT NULL is found however the table is declared")
    func texts() {
        let cases: [(text: String, column: String, relaxed: String?)] = [
            (#"CREATE TABLE "T" ("a" TEXT NOT NULL) STRICT"#, "a", #"CREATE TABLE "T" ("a" TEXT) STRICT"#),
            (
                #"CREATE TABLE T (a TEXT NOT NULL, b TEXT NOT NULL, "not null" INT)"#, "b",
                #"CREATE TABLE T (a TEXT NOT NULL, b TEXT, "not null" INT)"#
            ),
            (
                #"CREATE TABLE T (x INT, "b""c" /* NOT NULL, */ TEXT not  null DEFAULT 'NOT NULL, "d"')"#, "b\"c",
                #"CREATE TABLE T (x INT, "b""c" /* NOT NULL, */ TEXT DEFAULT 'NOT NULL, "d"')"#
            ),
            (
                "CREATE TABLE T (x INT CHECK (x NOT NULL), [b] TEXT DEFAULT ('a' NOT NULL) -- NOT NULL\n NOT NULL)",
                "B",
                "CREATE TABLE T (x INT CHECK (x NOT NULL), [b] TEXT DEFAULT ('a' NOT NULL) -- NOT NULL\n)"
            ),
            ("CREATE TABLE T (a TEXT, `b` TEXT NOT NULL)", "b", "CREATE TABLE T (a TEXT, `b` TEXT)"),
            ("CREATE TABLE T (a TEXT, b TEXT NOT NULL)", "a", nil),
            ("CREATE TABLE T (a TEXT, b TEXT NOT NULL)", "c", nil),
            ("CREATE TABLE T (a TEXT", "a", nil),
            ("CREATE TABLE T (a_b TEXT, a_ TEXT NOT NULL)", "a_", "CREATE TABLE T (a_b TEXT, a_ TEXT)"),
            ("CREATE TABLE T (a_ TEXT, a$b TEXT NOT NULL)", "a$b", "CREATE TABLE T (a_ TEXT, a$b TEXT)"),
            (
                #"CREATE TABLE "größe" ("größe" TEXT NOT NULL, "e\#u{301}" TEXT NOT NULL)"#, "e\u{301}",
                #"CREATE TABLE "größe" ("größe" TEXT NOT NULL, "e\#u{301}" TEXT)"#
            ),
        ]
        for example in cases {
            #expect(DroppedNotNull.relaxed(example.text, column: example.column) == example.relaxed)
        }
    }

    // The declarations are in SQLite's dialect.
    @Test("A table that another program declared is changed too, or refused as a whole")
    func ownDeclarations() async throws {
        for (declaration, isFine) in [
            ("CREATE TABLE Choir (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL) STRICT", true),
            ("CREATE TABLE Choir (id INTEGER PRIMARY KEY NOT NULL, name TEXT CONSTRAINT c NOT NULL) STRICT", true),
            (
                "CREATE TABLE Choir (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL ON CONFLICT FAIL) STRICT",
                false
            ),
        ] {
            let folder = try TemporaryFolder()
            let first = try #require(try OpenedStore(.file(folder.file()), entities: [Choir.self]).writer)
            try first.execute("DROP TABLE Choir")
            try first.execute(declaration)
            try first.execute("INSERT INTO Choir VALUES (1, 'one')")
            first.close()
            let before = try folder.contents()["store.sqlite"]
            if isFine {
                let again = try #require(try OpenedStore(.file(folder.file()), entities: [Named.self]).writer)
                try again.execute("INSERT INTO Choir VALUES (2, NULL)")
                #expect(try again.rows("SELECT name FROM Choir") == [[.text("one")], [.null]])
                again.close()
            } else {
                #expect(throws: RepositoryError.self) {
                    try OpenedStore(.file(folder.file()), entities: [Named.self])
                }
                #expect(try folder.contents()["store.sqlite"] == before)
            }
        }
    }
}

private struct Choir: Entity, Equatable {
    let id: Int
    static let schema = Schema(Column("id", \Choir.id), make: Choir.init)
}

private struct Named: Entity {
    static let entityName = "Choir"
    let id: Int
    var name: String?
    static let schema = Schema(Column("id", \Named.id), Column("name", \.name), make: Named.init)
}

private enum Strict {
    struct Singer: Entity, Equatable {
        var id: Int
        var name: String
        var voice: String
        var choir: Int
        var pay: Decimal
        static let entityName = "Singer"
        static let schema = Schema(
            Column("id", \Singer.id, .generated), Column("name", \.name, .unique), Column("voice", \.voice, .indexed),
            Column("choir", \.choir, .references(Choir.self)), Column("pay", \.pay, .scale(2)),
            search: [\Singer.name, \.voice], make: Singer.init)
    }
}

private enum Relaxed {
    struct Singer: Entity, Equatable {
        var id: Int
        var name: String
        var voice: String?
        var choir: Int?
        var pay: Decimal?
        static let entityName = "Singer"
        static let schema = Schema(
            Column("id", \Singer.id, .generated), Column("name", \.name, .unique), Column("voice", \.voice, .indexed),
            Column("choir", \.choir, .references(Choir.self)), Column("pay", \.pay, .scale(2)),
            search: [\Singer.name, \.voice], make: Singer.init)

        init(id: Int, name: String, voice: String? = nil, choir: Int? = nil, pay: Decimal? = nil) {
            (self.id, self.name, self.voice, self.choir, self.pay) = (id, name, voice, choir, pay)
        }
    }
}

private enum Late {
    struct Singer: Entity {
        var id: Int
        var name: String
        var voice: String?
        var choir: Int?
        var pay: Decimal
        static let entityName = "Singer"
        static let schema = Schema(
            Column("id", \Singer.id, .generated), Column("name", \.name, .unique), Column("voice", \.voice, .unique),
            Column("choir", \.choir, .references(Choir.self)), Column("pay", \.pay, .scale(2)),
            search: [\Singer.name, \.voice], make: Singer.init)
    }
}
