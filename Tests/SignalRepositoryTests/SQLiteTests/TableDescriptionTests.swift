import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Tables of other programs whose declarations decide how values are stored, compared and reported.
@Suite("Descriptions of other programs' tables", .timeLimit(.minutes(10))) struct TableDescriptionTests {
    @Test("B1 Live values of a UTF-16 file are in the store's order", arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func encodings(encoding: String) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.adopt(
            """
            PRAGMA encoding = '\(encoding)';
            CREATE TABLE Word (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
            """, Spelled.self)
        let list = store.fetchSubscription(Spelled.all.sorted(by: \.name)).map { $0.map(\.name) }.record()
        let count = store.countSubscription(Spelled.self) { $0.name > "é" }.record()
        let greatest = store.maxSubscription(of: \Spelled.name).record()
        let groups = store.follow(Spelled.all.count(groupedBy: \.name)).record()
        _ = await (list.values(1), count.values(1), greatest.values(1), groups.values(1))
        let names = ["b", "ā", "z", "\u{10000}", "\u{FFFD}", "é", "e\u{301}"]
        for (id, name) in names.enumerated() {
            try await store.create(Spelled(id: id, name: name)).value()
            let fresh = try await store.fetch(Spelled.all.sorted(by: \.name)).value().map(\.name)
            #expect(await list.last(where: { $0.count == id + 1 }) == fresh)
        }
        let freshCount = try await store.count(Spelled.self) { $0.name > "é" }.value()
        #expect(await count.last(where: { $0 == freshCount }) == freshCount)
        let freshGreatest = try await store.max(of: \Spelled.name).value()
        #expect(await greatest.last(where: { $0 == freshGreatest }) == freshGreatest)
        let freshGroups = try await store.fetch(Spelled.all.count(groupedBy: \.name)).value()
        #expect(await groups.last(where: { $0 == freshGroups }) == freshGroups)
        await closed(store)
    }

    @Test("A live aggregate ignores a NULL in a column whose property is not optional")
    func unexpectedNulls() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.adopt(
            """
            CREATE TABLE Reading (id INTEGER PRIMARY KEY, value INTEGER) STRICT;
            INSERT INTO Reading VALUES (1, 10), (2, NULL);
            """, Reading.self)
        let average = store.averageSubscription(of: \Reading.value).record()
        let count = store.aggregateSubscription(.count, of: \Reading.value).record()
        #expect(await average.values(1) == [10])
        #expect(await count.values(1) == [1])
        try await store.create(Reading(id: 3, value: 20)).value()
        _ = try await store.transaction { try $0.execute("UPDATE Reading SET value = 30 WHERE id = 2") }.value()
        #expect(await average.last(where: { $0 == 20 }) == 20)
        #expect(await count.last(where: { $0 == 3 }) == 3)
        await closed(store)
    }

    @Test("B1 A text that UTF-16 does not preserve is returned as it is stored")
    func nonCharacters() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.adopt(
            """
            PRAGMA encoding = 'UTF-16le';
            CREATE TABLE Word (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
            """, Spelled.self)
        let created = try await store.create(Spelled(id: 1, name: "a\u{FFFF}\u{FFFE}b\0c\u{FEFF}")).value()
        #expect(try await store.read(Spelled.self, id: 1).value() == created)
        let updated = try await store.update(Spelled(id: 1, name: "\u{FEFF}\u{FFFF}")).value()
        #expect(try await store.read(Spelled.self, id: 1).value() == updated)
        await closed(store)
    }

    @Test(
        "B2 Rows that are older than a column have the value that SQLite gives them",
        arguments: ["", "STRICT"])
    func defaults(kind: String) async throws {
        let folder = try TemporaryFolder()
        let clauses = [
            "INTEGER NOT NULL DEFAULT '5'", "INTEGER NOT NULL DEFAULT 5.0", "INTEGER NOT NULL DEFAULT 5e0",
            "INTEGER NOT NULL DEFAULT \"5\"", "INTEGER NOT NULL DEFAULT +5", "INTEGER NOT NULL DEFAULT (5)",
            "INTEGER NOT NULL DEFAULT 0x5",
        ]
        for clause in clauses {
            let store = try folder.adopt(
                """
                CREATE TABLE Sized (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '') \(kind);
                INSERT INTO Sized (id) VALUES (1), (2), (3), (4);
                ALTER TABLE Sized ADD COLUMN size \(clause);
                """, SizedPlace.self)
            try await expectOldRowsFollowed(in: store, "\(clause) \(kind)")
            await closed(store)
        }
    }

    @Test("B2 Undo restores an old row with the default that SQLite gives it")
    func undoneDefault() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("own.db")
        let first = try SQLiteRepository(.file(path), entities: NarrowPlace.self)
        try await first.insert([NarrowPlace(id: 1, name: "a"), NarrowPlace(id: 2, name: "b")]).value()
        await closed(first)
        let step = Migration("sizes") {
            try $0.execute("ALTER TABLE \"Sized\" ADD COLUMN \"size\" INTEGER NOT NULL DEFAULT '5'")
        }
        let store = try SQLiteRepository(
            .file(path), entities: [SizedPlace.self], migrations: [step],
            configuration: RepositoryConfiguration(history: .kept(for: .seconds(1_000_000), isUndoable: true)))
        let total = store.sumSubscription(of: \SizedPlace.size).record()
        #expect(await total.values(1) == [10])
        try await store.transaction(author: "ann") { try $0.delete(SizedPlace.self, id: 1) }.value()
        #expect(await total.last(where: { $0 == 5 }) == 5)
        try await store.undo(author: "ann").value()
        #expect(await total.last(where: { $0 == 10 }) == 10)
        #expect(try await store.read(SizedPlace.self, id: 1).value().size == 5)
        await closed(store)
    }

    /// Changes rows that have only the default of a column, and compares live values and change sets.
    private func expectOldRowsFollowed(in store: SQLiteRepository, _ what: String) async throws {
        let count = store.countSubscription(SizedPlace.self) { $0.size == 5 }.record()
        let list = store.fetchSubscription(SizedPlace.all.sorted(by: \.size)).record()
        let changes = store.changes().record()
        #expect(await count.values(1) == [4], "\(what)")
        _ = await list.values(1)
        try await store.delete(SizedPlace.self, id: 1).value()
        try await store.update(SizedPlace(id: 2, name: "x", size: 7)).value()
        let fresh = try await store.fetch(SizedPlace.all.sorted(by: \.size)).value()
        #expect(fresh.map(\.size) == [5, 5, 7], "\(what)")
        #expect(await list.last(where: { $0 == fresh }) == fresh, "\(what)")
        #expect(await count.last(where: { $0 == 2 }) == 2, "\(what)")
        let sets = await changes.values(2)
        #expect(try sets[0].deleted(of: SizedPlace.self).map(\.size) == [5], "\(what)")
        #expect(try sets[1].updated(of: SizedPlace.self).map(\.old.size) == [5], "\(what)")
    }

    @Test("B2 A text column keeps the text of its default, and an untyped column the value that SQLite computes")
    func textDefaults() async throws {
        let folder = try TemporaryFolder()
        for (clause, expected) in [
            ("TEXT NOT NULL DEFAULT 1.50", "1.50"), ("TEXT NOT NULL DEFAULT \"dq\"", "dq"),
            ("TEXT NOT NULL DEFAULT x", "x"), ("TEXT NOT NULL DEFAULT -7", "-7"), ("TEXT NOT NULL DEFAULT '5'", "5"),
            ("VARCHAR(9) NOT NULL DEFAULT 1e3", "1e3"), ("NOT NULL DEFAULT (CAST(5 AS TEXT))", "5"),
        ] {
            let store = try folder.adopt(
                """
                CREATE TABLE Word (id INTEGER PRIMARY KEY);
                INSERT INTO Word VALUES (1), (2);
                ALTER TABLE Word ADD COLUMN name \(clause);
                """, Spelled.self)
            let changes = store.changes().record()
            let old = try await store.read(Spelled.self, id: 1).value()
            try await store.delete(Spelled.self, id: 1).value()
            #expect(try await changes.values(1)[0].deleted(of: Spelled.self) == [old], "\(clause)")
            #expect(old.name == expected, "\(clause)")
            await closed(store)
        }
    }

    @Test("B4 A unique index on an expression, or on some rows only, is not a key")
    func keys() async throws {
        let folder = try TemporaryFolder()
        let table = "CREATE TABLE Word (id INTEGER NOT NULL, name TEXT NOT NULL);"
        for index in ["(id, lower(name))", "(id) WHERE id > 5", "(lower(id))", "(id, name)"] {
            #expect(throws: RepositoryError.self, "\(index)") {
                try folder.adopt("\(table) CREATE UNIQUE INDEX u ON Word \(index);", Spelled.self)
            }
        }
        let store = try folder.adopt("\(table) CREATE UNIQUE INDEX u ON Word (id DESC);", Spelled.self)
        try await store.upsert(Spelled(id: 1, name: "a")).value()
        #expect(try await store.upsert(Spelled(id: 1, name: "b")).value().name == "b")
        await closed(store)
    }

    @Test("B4 A unique index with another collation than its column is not a key, since no upsert could use it")
    func collatedKey() throws {
        let folder = try TemporaryFolder()
        #expect(throws: RepositoryError.self) {
            try folder.adopt(
                """
                CREATE TABLE Named (id TEXT NOT NULL, name TEXT NOT NULL);
                CREATE UNIQUE INDEX u ON Named (id COLLATE NOCASE);
                """, Named.self)
        }
    }

    @Test("B5 A column declared PRIMARY KEY DESC is not the rowid, and SQLite generates no value for it")
    func descendingKey() async throws {
        let folder = try TemporaryFolder()
        let script = "CREATE TABLE Numbered (id INTEGER PRIMARY KEY DESC, name TEXT);"
        #expect(throws: RepositoryError.self) { try folder.adopt(script, Numbered.self) }
        let store = try folder.adopt(script, Unnumbered.self)
        #expect(try await store.create(Unnumbered(id: 7, name: nil)).value().id == 7)
        await closed(store)
        // In a table constraint, DESC has no such effect, and the key is the rowid.
        let other = "CREATE TABLE Numbered (id INTEGER, name TEXT, PRIMARY KEY (id DESC));"
        let numbered = try folder.adopt(other, Numbered.self)
        #expect(try await numbered.create(Numbered(id: 0, name: nil)).value().id == 1)
        await closed(numbered)
    }

    @Test("B7 Lists in natural order are followed in tables without rowids", arguments: ["", "STRICT, "])
    func withoutRowID(kind: String) async throws {
        let folder = try TemporaryFolder()
        let store = try folder.adopt(
            """
            CREATE TABLE Named (id TEXT PRIMARY KEY, name TEXT NOT NULL) \(kind)WITHOUT ROWID;
            INSERT INTO Named VALUES ('b', 'x'), ('a', 'y');
            """, Named.self)
        let all = store.fetchSubscription(Named.all).record()
        let some = store.fetchSubscription(Named.where { $0.name != "y" }.limit(3)).record()
        let first = store.firstSubscription(Named.all).record()
        let list = store.listSubscription(Named.all).map { $0.items.map(\.id) }.record()
        #expect(await all.values(1).map { $0.map(\.id) } == [["a", "b"]])
        #expect(await some.values(1).map { $0.map(\.id) } == [["b"]])
        #expect(await first.values(1).map { $0?.id } == ["a"])
        #expect(await list.values(1) == [["a", "b"]])
        try await store.create(Named(id: "A", name: "z")).value()
        let fresh = try await store.fetch(Named.all).value()
        #expect(fresh.map(\.id) == ["A", "a", "b"])
        #expect(await all.last(where: { $0 == fresh }) == fresh)
        #expect(await list.last(where: { $0.count == 3 }) == ["A", "a", "b"])
        #expect(await some.last(where: { $0.count == 2 })?.map(\.id) == ["A", "b"])
        let found = await first.last(where: { $0?.id == "A" })
        #expect(found??.id == "A")
        await closed(store)
    }

    @Test("B7 A column named like the rowid does not decide the order of the rows")
    func shadowed() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.adopt(
            """
            CREATE TABLE Shadow (id INTEGER PRIMARY KEY, _rowid_ INTEGER NOT NULL);
            INSERT INTO Shadow VALUES (1, 9), (2, 8), (3, 7);
            """, Shadow.self)
        let all = store.fetchSubscription(Shadow.all).map { $0.map(\.id) }.record()
        #expect(await all.values(1) == [[1, 2, 3]])
        try await store.update(Shadow(id: 2, row: 0)).value()
        #expect(try await store.fetch(Shadow.all).value().map(\.id) == [1, 2, 3])
        await closed(store)
    }

    @Test("B7a Change sets of a table without rowids have the integers that it stores")
    func realPlaces() async throws {
        let folder = try TemporaryFolder()
        let store = try folder.adopt(
            """
            CREATE TABLE Place (c REAL, id INTEGER PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
            INSERT INTO Place VALUES (1, 1, 5), (2.5, 2, 9007199254740993), (3, 9007199254740993, 4);
            """, RealPlace.self)
        let changes = store.changes().record()
        try await store.update(RealPlace(id: 1, c: 7, n: 6)).value()
        try await store.update(RealPlace(id: 2, c: 7, n: 6)).value()
        try await store.delete(RealPlace.self, id: 1).value()
        try await store.update(RealPlace(id: 9_007_199_254_740_993, c: 1, n: 5)).value()
        try await store.delete(RealPlace.self, id: 9_007_199_254_740_993).value()
        let sets = await changes.values(5)
        #expect(try sets[0].updated(of: RealPlace.self).map(\.old) == [RealPlace(id: 1, c: 1, n: 5)])
        #expect(try sets[0].updated(of: RealPlace.self).map(\.new) == [RealPlace(id: 1, c: 7, n: 6)])
        #expect(
            try sets[1].updated(of: RealPlace.self).map(\.old) == [RealPlace(id: 2, c: 2.5, n: 9_007_199_254_740_993)])
        #expect(try sets[2].deleted(of: RealPlace.self) == [RealPlace(id: 1, c: 7, n: 6)])
        // SQLite reports a rounded key, so the row is unknown.
        #expect(sets[3].extent == .unknown(.tables) && sets[4].extent == .unknown(.tables))
        await closed(store)
    }

    @Test("B7a Change sets have values as the columns store them, whatever a statement writes")
    func converted() async throws {
        let folder = try TemporaryFolder()
        for kind in ["", "WITHOUT ROWID"] {
            let store = try folder.adopt(
                """
                CREATE TABLE Place (id INTEGER PRIMARY KEY, c REAL, n INTEGER NOT NULL) \(kind);
                INSERT INTO Place VALUES (1, 1, 5);
                """, RealPlace.self)
            let changes = store.changes().record()
            try await store.transaction { store in
                try store.execute("UPDATE Place SET n = '8', c = '7'")
                try store.execute("INSERT INTO Place VALUES ('4', '3.5', 6.0)")
            }.value()
            let rows = try await store.fetch(RealPlace.all).value()
            let set = try await #require(changes.values(1).first)
            let found = try set.updated(of: RealPlace.self).map(\.new) + set.inserted(of: RealPlace.self)
            #expect(found == rows, "\(kind)")
            await closed(store)
        }
    }

    @Test("B14 Groups come in the order of their column's collation")
    func collatedGroups() async throws {
        let folder = try TemporaryFolder()
        for kind in ["", "STRICT"] {
            let store = try folder.adopt(
                """
                CREATE TABLE Word (id INTEGER PRIMARY KEY, name TEXT NOT NULL COLLATE NOCASE) \(kind);
                INSERT INTO Word VALUES (1, 'b'), (2, '_'), (3, 'A'), (4, 'B');
                """, Spelled.self)
            let fresh = try await store.fetch(Spelled.all.count(groupedBy: \.name)).value()
            #expect(fresh.map(\.key) == ["_", "A", "b"])
            #expect(try await store.follow(Spelled.all.count(groupedBy: \.name)).first().value() == fresh)
            let query = Spelled.all.grouped { $0.name }.aggregate { $0.id.count() }
            let lines = try await store.fetch(query).value()
            let first = try #require(await store.fetchSubscription(query).record().values(1).first)
            #expect(first.elementsEqual(lines) { $0 == $1 })
            await closed(store)
        }
    }
}

private struct Spelled: Entity, Equatable {
    let id: Int
    var name: String
    static let entityName = "Word"
    static let schema = Schema(Column("id", \Spelled.id), Column("name", \.name), make: Spelled.init)
}

private struct Named: Entity, Equatable {
    let id: String
    var name: String
    static let schema = Schema(Column("id", \Named.id), Column("name", \.name), make: Named.init)
}

private struct SizedPlace: Entity, Equatable {
    let id: Int
    var name: String
    var size: Int
    static let entityName = "Sized"
    static let schema = Schema(
        Column("id", \SizedPlace.id), Column("name", \.name), Column("size", \.size), make: SizedPlace.init)
}

private struct NarrowPlace: Entity {
    let id: Int
    var name: String
    static let entityName = "Sized"
    static let schema = Schema(Column("id", \NarrowPlace.id), Column("name", \.name), make: NarrowPlace.init)
}

private struct Numbered: Entity, Equatable {
    let id: Int
    var name: String?
    static let schema = Schema(Column("id", \Numbered.id, .generated), Column("name", \.name), make: Numbered.init)
}

private struct Unnumbered: Entity, Equatable {
    let id: Int
    var name: String?
    static let entityName = "Numbered"
    static let schema = Schema(Column("id", \Unnumbered.id), Column("name", \.name), make: Unnumbered.init)
}

private struct Shadow: Entity, Equatable {
    let id: Int
    var row: Int
    static let schema = Schema(Column("id", \Shadow.id), Column("_rowid_", \.row), make: Shadow.init)
}

private struct RealPlace: Entity, Equatable {
    let id: Int
    var c: Double?
    var n: Int
    static let entityName = "Place"
    static let schema = Schema(
        Column("id", \RealPlace.id), Column("c", \.c), Column("n", \.n), make: RealPlace.init)
}

private struct Reading: Entity {
    let id: Int
    var value: Int

    static let schema = Schema(Column("id", \Reading.id), Column("value", \.value), make: Reading.init)
}
