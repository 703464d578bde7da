import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("changes", .timeLimit(.minutes(10))) struct ChangesTests {
    /// A way of changing films, and the expected report.
    ///
    /// The films 1 "a", 2 "b" and 3 "c" are stored before.
    struct Change: Sendable, CustomStringConvertible {
        let description: String
        let told: String
        let work: @Sendable (WriteTransaction) throws -> Void
    }

    static func film(_ number: Int, _ title: String) -> Film {
        Film.numbered(number, title: title, studio: "S\(number)")
    }

    static let changes: [Change] = [
        Change(description: "create", told: "+4 d") { try $0.create(film(4, "d")) },
        Change(description: "update", told: "~1 a>A") { try $0.update(film(1, "A")) },
        Change(description: "upsert of both kinds", told: "+4 d, ~1 a>A") {
            try $0.upsert(film(1, "A"))
            try $0.upsert(film(4, "d"))
        },
        Change(description: "delete", told: "-2 b") { try $0.delete(Film.self, id: Film.id(2)) },
        Change(description: "batch", told: "+4 d, +5 e, +6 f") {
            try $0.insert([film(4, "d"), film(5, "e"), film(6, "f")])
        },
        Change(description: "raw update", told: "~1 a>z, ~2 b>z") {
            try $0.execute("UPDATE Film SET title = 'z' WHERE title < 'c'")
        },
        Change(description: "raw insert", told: "+9 a") {
            try $0.execute(
                "INSERT INTO Film SELECT ?, title, releaseDate, boxOffice, NULL FROM Film ORDER BY title LIMIT 1",
                Film.id(9))
        },
        Change(description: "delete all", told: "-1 a, -2 b, -3 c") { try $0.execute("DELETE FROM Film") },
        Change(description: "replace", told: "-2 b, ~1 a>A") {
            try $0.execute("UPDATE OR REPLACE Film SET studio = 'S2', title = 'A' WHERE title = 'a'")
        },
        Change(description: "replace of the same key", told: "~2 b>B") {
            try $0.execute("REPLACE INTO Film SELECT id, 'B', 0.0, 0, studio FROM Film WHERE title = 'b'")
        },
        Change(description: "upsert by raw SQL", told: "~3 c>c!") {
            try $0.execute(
                """
                INSERT INTO Film SELECT * FROM Film WHERE title = 'c'
                ON CONFLICT (id) DO UPDATE SET title = excluded.title || '!'
                """)
        },
        Change(description: "trigger", told: "+7 by trigger") {
            try $0.execute("INSERT INTO Log VALUES (?)", Film.id(7))
        },
        Change(description: "cascade", told: "-3 c") { try $0.execute("DELETE FROM Maker WHERE name = 'S3'") },
        Change(description: "a change of the key", told: "+8 a, -1 a") {
            try $0.execute("UPDATE Film SET id = ? WHERE title = 'a'", Film.id(8))
        },
        Change(description: "keys that move up", told: "-1 a, ~2 b>a") {
            try $0.execute("DELETE FROM Film WHERE id = ?", Film.id(2))
            try $0.execute("UPDATE Film SET id = ? WHERE id = ?", Film.id(2), Film.id(1))
        },
        Change(description: "insert, then update", told: "+4 D") {
            try $0.create(film(4, "d"))
            try $0.update(film(4, "D"))
        },
        Change(description: "delete, then insert", told: "~1 a>x") {
            try $0.delete(Film.self, id: Film.id(1))
            try $0.create(film(1, "x"))
        },
        Change(description: "update, then delete", told: "-1 a") {
            try $0.update(film(1, "A"))
            try $0.delete(Film.self, id: Film.id(1))
        },
        Change(description: "a nested transaction that stays", told: "+4 d, +5 e") { store in
            try store.create(film(4, "d"))
            try store.transaction { try $0.create(film(5, "e")) }
        },
        Change(description: "a nested transaction that is undone", told: "+4 d, +6 f") { store in
            try store.create(film(4, "d"))
            try store.transaction { inner in
                try inner.create(film(6, "f"))
                try? inner.transaction { innermost in
                    try innermost.update(film(6, "F"))
                    try innermost.delete(Film.self, id: Film.id(1))
                    innermost.cancel()
                }
            }
            try? store.transaction { inner in
                try inner.create(film(5, "e"))
                inner.cancel()
            }
        },
        Change(description: "a failed statement", told: "+4 d") { store in
            try store.create(film(4, "d"))
            do {
                try store.execute("UPDATE Film SET studio = 'same', title = 'gone'")
            } catch RepositoryError.constraint {}
        },
        Change(description: "a statement that keeps its changes from before it failed", told: "~1 a>kept") { store in
            do {
                try store.execute("UPDATE OR FAIL Film SET studio = 'same', title = 'kept'")
            } catch RepositoryError.constraint {}
        },
        Change(description: "failed items among many", told: "+4 d, +5 e") { store in
            try store.create([film(4, "d"), film(1, "taken"), film(5, "e")])
        },
    ]

    // Only a local store always knows the rows that raw SQL changes.
    @Test("R14 Every kind of write is reported by its net changes", arguments: StoreKind.local, changes)
    func telling(kind: StoreKind, change: Change) async throws {
        try await withRepository(kind) { repository in
            try await Self.prepare(repository)
            let recorder = repository.changes(of: Film.self).record()
            try await repository.transaction { try change.work($0) }.value()
            try await repository.create(Self.film(99, "end")).value()
            let lines = try await recorder.values(2).map { try ChangeLine($0).description }
            #expect(lines == [change.told, "+99 end"])
            recorder.cancel()
        }
    }

    // Only a local store always knows the rows that raw SQL changes.
    @Test("R5 A write that is rolled back, fails or has no net effect is not reported", arguments: StoreKind.local)
    func nothing(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await Self.prepare(repository)
            let recorder = repository.changes().record()
            await expectFailure(\.isCancelled) {
                try await repository.transaction { store in
                    try store.create(Self.film(4, "d"))
                    store.cancel()
                }.value()
            }
            await expectFailure(\.isConstraint) {
                try await repository.insert([Self.film(5, "e"), Self.film(1, "x")]).value()
            }
            await expectFailure(\.isConstraint) {
                try await repository.transaction { store in
                    try store.create(Self.film(4, "d"))
                    try store.execute("INSERT OR ROLLBACK INTO Film SELECT * FROM Film")
                }.value()
            }
            _ = try await repository.transaction { store in
                try store.create(Self.film(4, "d"))
                try store.delete(Film.self, id: Film.id(4))
                try store.update(Self.film(1, "a"))
                try store.execute("UPDATE Film SET title = title")
                try store.execute("UPDATE Film SET title = upper(title)")
                try store.execute("UPDATE Film SET title = lower(title)")
            }.value()
            _ = try await repository.transaction { store in
                try? store.transaction { inner in
                    try inner.execute("CREATE TABLE Passing (line INTEGER)")
                    try inner.execute("INSERT INTO Passing VALUES (1)")
                    inner.cancel()
                }
            }.value()
            try await repository.create(Self.film(99, "end")).value()
            #expect(try await recorder.values(1).map { try ChangeLine($0).description } == ["+99 end"])
            recorder.cancel()
        }
    }

    @Test("R16 The author of a transaction covers everything in it, batches too", arguments: StoreKind.allCases)
    func author(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let recorder = repository.changes().record()
            let before = Date()
            _ = try await repository.transaction(author: "import") { store in
                try store.insert((0..<2000).map { Film.numbered($0) })
                try store.transaction { try $0.create(Film.numbered(3000)) }
            }.value()
            try await repository.create(Film.numbered(3001)).value()
            let sets = await recorder.values(2)
            #expect(sets.map(\.author) == ["import", nil])
            #expect(try sets[0].inserted(of: Film.self).count == 2001)
            #expect(sets.allSatisfy { $0.time >= before && $0.time <= Date() && $0.tables == ["Film"] })
            recorder.cancel()
        }
    }

    @Test("R6 R13 A batch is one change set, with the commit number of live queries", arguments: StoreKind.allCases)
    func numbers(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let recorder = repository.changes().record()
            let counts = repository.follow(LiveQuery { try $0.count(Film.self) }).record()
            _ = await counts.values(1)
            for (index, count) in [3, 1, 500].enumerated() {
                let films = (0..<count).map { Film.numbered(index * 1000 + $0) }
                try await repository.insert(films).value()
                let (sets, live) = (await recorder.values(index + 1), await counts.values(index + 2))
                #expect(sets.last?.commit == live.last?.commit)
                #expect(try sets.last?.inserted(of: Film.self) == films)
            }
            #expect(recorder.values.count == 3)
            recorder.cancel()
            counts.cancel()
        }
    }

    /// Stores films 1 "a", 2 "b" and 3 "c" with a studio each, and creates tables whose triggers change films.
    static func prepare(_ repository: any Repository) async throws {
        _ = try await repository.transaction { store in
            try store.insert([film(1, "a"), film(2, "b"), film(3, "c")])
            try store.execute("CREATE UNIQUE INDEX studios ON Film(studio)")
            try store.execute("CREATE TABLE Log (id BLOB)")
            try store.execute("CREATE TABLE Maker (name TEXT PRIMARY KEY)")
            try store.execute("INSERT INTO Maker SELECT studio FROM Film")
            try store.execute(
                """
                CREATE TRIGGER logged AFTER INSERT ON Log BEGIN
                    INSERT INTO Film VALUES (new.id, 'by trigger', 0.0, 0, NULL);
                END
                """)
            try store.execute(
                "CREATE TRIGGER made AFTER DELETE ON Maker BEGIN DELETE FROM Film WHERE studio = old.name; END")
        }.value()
    }
}
