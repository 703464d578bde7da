import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Changes that wake live signals", .timeLimit(.minutes(10))) struct WakingTests {
    /// A way of changing the rows of Film, and their number afterwards; there are three before.
    struct Change: Sendable, CustomStringConvertible {
        let description: String
        let count: Int
        let work: @Sendable (WriteTransaction) throws -> Void
    }

    static let changes: [Change] = [
        Change(description: "create", count: 4) { try $0.create(Film.numbered(9)) },
        Change(description: "insert", count: 5) { try $0.insert([Film.numbered(8), .numbered(9)]) },
        Change(description: "upsert", count: 4) { try $0.upsert(Film.numbered(9)) },
        Change(description: "delete", count: 2) { try $0.delete(Film.self, id: Film.id(1)) },
        Change(description: "raw insert from select", count: 4) {
            try $0.execute(
                "INSERT INTO Film SELECT ?, title, releaseDate, boxOffice, studio FROM Film LIMIT 1", Film.id(9))
        },
        Change(description: "raw delete", count: 2) { try $0.execute("DELETE FROM Film WHERE boxOffice > ?", 10_000) },
        Change(description: "delete all", count: 0) { try $0.execute("DELETE FROM Film") },
        Change(description: "replace", count: 2) {
            try $0.execute("CREATE UNIQUE INDEX titles ON Film(studio)")
            try $0.execute("UPDATE OR REPLACE Film SET studio = 'A' WHERE studio IN ('A', 'B')")
        },
        Change(description: "trigger", count: 4) {
            try $0.execute("INSERT INTO Log VALUES (1)")
        },
        Change(description: "a trigger made later than the statement", count: 5) {
            try $0.execute("INSERT INTO Quiet VALUES (1)")
            try $0.execute(
                """
                CREATE TRIGGER later AFTER INSERT ON Quiet BEGIN
                    INSERT INTO Film VALUES (randomblob(16), 'by trigger', 0.0, 0, NULL);
                END
                """)
            try $0.execute("INSERT INTO Quiet VALUES (1)")
            try $0.execute("INSERT INTO Quiet VALUES (1)")
        },
        Change(description: "a view that writes elsewhere", count: 4) {
            try $0.execute("INSERT INTO Names VALUES ('by view')")
        },
        Change(description: "cascade", count: 2) { try $0.execute("DELETE FROM Maker WHERE name = 'A'") },
        Change(description: "dropping the table", count: 1) {
            try $0.execute("ALTER TABLE Film RENAME TO Old")
            try $0.execute("CREATE TABLE Film AS SELECT * FROM Old LIMIT 1")
        },
    ]

    // In SQLite's dialect; a test below has the server's statements.
    @Test(
        "R14 Every way of changing rows wakes the live signals that it affects",
        arguments: StoreKind.local, changes)
    func waking(kind: StoreKind, change: Change) async throws {
        try await withRepository(kind) { repository in
            try await Self.prepare(repository)
            let counts = repository.countSubscription(Film.self).record()
            #expect(await counts.values(1) == [3])
            try await repository.transaction { store in try change.work(store) }.value()
            #expect(await counts.values(2) == [3, change.count])
            counts.cancel()
        }
    }

    // In SQLite's dialect; a test below has the server's statements.
    @Test("R14 Changes in a table without row IDs, and updates by an upsert, are noticed", arguments: StoreKind.local)
    func withoutRowID(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await Self.prepare(repository)
            let words = repository.follow(LiveQuery { try $0.rows("SELECT word, uses FROM Word ORDER BY word") })
                .map(\.value).record()
            #expect(await words.values(1) == [[]])
            for count in 1...2 {
                _ = try await repository.transaction { store in
                    try store.execute(
                        "INSERT INTO Word VALUES ('a', 1) ON CONFLICT (word) DO UPDATE SET uses = uses + 1")
                }.value()
                _ = await words.values(count + 1)
            }
            #expect(words.values.last == [[.text("a"), .integer(2)]])
            words.cancel()
        }
    }

    /// The server's counterparts of `changes`, and the number of films afterwards.
    private static let changesOnServer: [(count: Int, statements: [SQL])] = [
        (
            4,
            [
                """
                INSERT INTO "Film" \
                SELECT gen_random_uuid(), title, "releaseDate", "boxOffice", studio FROM "Film" LIMIT 1
                """
            ]
        ),
        (2, [#"DELETE FROM "Film" WHERE studio = 'A'"#]),
        (2, [#"WITH gone AS (DELETE FROM "Film" WHERE studio = 'A' RETURNING 1) SELECT count(*) FROM gone"#]),
        (0, [#"TRUNCATE "Film""#]),
        (4, ["INSERT INTO Log VALUES (1)"]),
        (2, ["DELETE FROM Maker WHERE name = 'A'"]),
        (4, ["INSERT INTO Names VALUES ('by view')"]),
        (
            5,
            [
                "INSERT INTO Quiet VALUES (1)",
                "CREATE TRIGGER later AFTER INSERT ON Quiet FOR EACH ROW EXECUTE FUNCTION film()",
                "INSERT INTO Quiet VALUES (1)", "INSERT INTO Quiet VALUES (1)",
            ]
        ),
        (
            1,
            [
                #"ALTER TABLE "Film" RENAME TO Old"#, #"CREATE TABLE "Film" AS SELECT * FROM Old LIMIT 1"#,
            ]
        ),
    ]

    @Test("R14 Every way of changing rows on a server wakes the live signals", arguments: changesOnServer)
    func wakingOnServer(_ change: (count: Int, statements: [SQL])) async throws {
        try await withRepository(.postgres) { repository async throws in
            try await repository.insert([Film.numbered(1, studio: "A"), .numbered(2, studio: "B"), .numbered(3)])
                .value()
            let beside: [SQL] = [
                "CREATE TABLE Log (line bigint)", "CREATE TABLE Quiet (line bigint)", "CREATE TABLE Maker (name text)",
                "INSERT INTO Maker VALUES ('A'), ('B')", #"CREATE VIEW Names AS SELECT title FROM "Film""#,
                """
                CREATE FUNCTION film() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                INSERT INTO "Film" VALUES (gen_random_uuid(), 'by trigger', 0, 0, NULL); RETURN new; END $$
                """,
                """
                CREATE FUNCTION made() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                DELETE FROM "Film" WHERE studio = old.name; RETURN NULL; END $$
                """,
                "CREATE TRIGGER logged AFTER INSERT ON Log FOR EACH ROW EXECUTE FUNCTION film()",
                "CREATE TRIGGER made AFTER DELETE ON Maker FOR EACH ROW EXECUTE FUNCTION made()",
                "CREATE TRIGGER named INSTEAD OF INSERT ON Names FOR EACH ROW EXECUTE FUNCTION film()",
            ]
            try await repository.transaction { store in for sql in beside { try store.execute(sql) } }.value()
            let counts = repository.countSubscription(Film.self).record()
            #expect(await counts.values(1) == [3])
            try await repository.transaction { store in
                for sql in change.statements { try store.execute(sql) }
            }.value()
            #expect(await counts.values(2) == [3, change.count])
            counts.cancel()
        }
    }

    @Test("R14 Rows that a foreign key deletes or sets to nil are noticed", arguments: StoreKind.allCases)
    func foreignKeys(kind: StoreKind) async throws {
        try await withRepository(kind, [Owner.self, Pet.self, Toy.self]) { repository in
            try await repository.transaction { store in
                try store.insert([Owner(id: 1), Owner(id: 2)])
                try store.insert([Pet(id: 1, owner: 1), Pet(id: 2, owner: 2)])
                try store.insert([Toy(id: 1, owner: 1), Toy(id: 2, owner: 2)])
            }.value()
            let pets = repository.fetchSubscription(Pet.all).record()
            let toys = repository.fetchSubscription(Toy.all).record()
            _ = await (pets.values(1), toys.values(1))
            try await repository.delete(Owner.self, id: 1).value()
            #expect(await pets.values(2).last == [Pet(id: 2, owner: 2)])
            #expect(await toys.values(2).last == [Toy(id: 1, owner: nil), Toy(id: 2, owner: 2)])
            pets.cancel()
            toys.cancel()
        }
    }

    /// Makes three films, and other tables from which changes lead to films.
    private static func prepare(_ repository: any Repository) async throws {
        let films = [
            Film.numbered(1, studio: "A"), .numbered(2, boxOffice: 1, studio: "B"), .numbered(3, studio: nil),
        ]
        try await repository.transaction { store in
            try store.insert(films)
            try store.execute("CREATE TABLE Log (line INTEGER)")
            try store.execute("CREATE TABLE Quiet (line INTEGER)")
            try store.execute("CREATE TABLE Word (word TEXT PRIMARY KEY, uses INTEGER) WITHOUT ROWID")
            try store.execute("CREATE VIEW Names AS SELECT title FROM Film")
            try store.execute(
                """
                CREATE TRIGGER named INSTEAD OF INSERT ON Names BEGIN
                    INSERT INTO Film VALUES (randomblob(16), new.title, 0.0, 0, NULL);
                END
                """)
            try store.execute("CREATE TABLE Maker (name TEXT PRIMARY KEY)")
            try store.execute("INSERT INTO Maker VALUES ('A'), ('B')")
            try store.execute(
                """
                CREATE TRIGGER logged AFTER INSERT ON Log BEGIN
                    INSERT INTO Film VALUES (randomblob(16), 'by trigger', 0.0, 0, NULL);
                END
                """)
            try store.execute(
                "CREATE TRIGGER made AFTER DELETE ON Maker BEGIN DELETE FROM Film WHERE studio = old.name; END")
        }.value()
    }
}

private struct Owner: Entity, Equatable {
    let id: Int
    static let schema = Schema(Column("id", \Owner.id), make: Owner.init)
}

private struct Pet: Entity, Equatable {
    let id: Int
    let owner: Int
    static let schema = Schema(
        Column("id", \Pet.id), Column("owner", \.owner, .references(Owner.self, onDelete: .cascade)), make: Pet.init)
}

private struct Toy: Entity, Equatable {
    let id: Int
    let owner: Int?
    static let schema = Schema(
        Column("id", \Toy.id), Column("owner", \.owner, .references(Owner.self, onDelete: .nullify)), make: Toy.init)
}
