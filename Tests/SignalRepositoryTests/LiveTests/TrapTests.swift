import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Changes that SQLite makes without reporting each row, or that it reports and then takes back.
@Suite("If the changed rows are unknown, live queries are read", .timeLimit(.minutes(10))) struct TrapTests {
    /// Follows a sum, an item, a list and groups through a change, and compares each with a fresh query.
    private func follow(
        _ repository: any Repository, _ change: @escaping () async throws -> Void,
        then: @escaping () async throws -> Void = {}
    ) async throws {
        try await repository.insert((1...6).map { Film.numbered($0, studio: $0 % 2 == 0 ? "A" : nil) }).value()
        let list = Film.where { $0.boxOffice > 1 }.sorted(by: \.title).limit(3)
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        let items = repository.readSubscription(Film.self, id: Film.id(2)).record()
        let lists = repository.listSubscription(list).map { Array($0.items) }.record()
        let all = repository.fetchSubscription(Film.all).record()
        let groups = repository.aggregateSubscription(.max, of: \Film.title, groupedBy: \Film.studio).record()
        _ = await (sums.values(1), items.values(1), lists.values(1), all.values(1), groups.values(1))
        for step in [change, then] {
            try await step()
            // A new query gets its first value after the pass that handles the last commit.
            _ = try await repository.follow(LiveQuery { try $0.count(Film.self) }).value()
            let sum = try await repository.sum(of: \Film.boxOffice).value()
            #expect(await sums.last(where: { $0 == sum }) == sum)
            let item = try await repository.read { try $0.find(Film.self, id: Film.id(2)) }.value()
            #expect(await items.last(where: { $0 == item }) == item)
            let films = try await repository.fetch(list).value()
            #expect(await lists.last(where: { $0 == films }) == films)
            let every = try await repository.fetch(Film.all).value()
            #expect(await all.last(where: { $0 == every }) == every)
            let titles = try await repository.aggregate(.max, of: \Film.title, groupedBy: \Film.studio).value()
            #expect(await groups.last(where: { $0 == titles }) == titles)
        }
        sums.cancel()
        items.cancel()
        lists.cancel()
        all.cancel()
        groups.cancel()
    }

    private static let statements: [[SQL]] = [
        ["DELETE FROM Film"],
        ["DELETE FROM Film", "INSERT INTO Film SELECT zeroblob(16), 'one', 1, 5, NULL"],
        ["REPLACE INTO Film SELECT id, 'Z', releaseDate, 70000, 'B' FROM Film WHERE title < 'Film 4'"],
        ["UPDATE OR REPLACE Film SET id = (SELECT max(id) FROM Film) WHERE title = 'Film 2'"],
        ["INSERT INTO Film SELECT * FROM Film WHERE true ON CONFLICT DO UPDATE SET boxOffice = 1"],
        ["ALTER TABLE Film ADD COLUMN rating INTEGER NOT NULL DEFAULT 5", "UPDATE Film SET title = 'x' || title"],
        [
            "ALTER TABLE Film RENAME TO Old",
            """
            CREATE TABLE Film (studio TEXT, title TEXT NOT NULL, id BLOB PRIMARY KEY NOT NULL,
                releaseDate REAL NOT NULL, boxOffice INTEGER NOT NULL) STRICT
            """,
            "INSERT INTO Film SELECT title, 'x' || title, id, releaseDate, boxOffice FROM Old", "DROP TABLE Old",
        ],
        ["UPDATE Film SET _rowid_ = 100 - _rowid_"],
        ["UPDATE Film SET _rowid_ = 100 - _rowid_, title = title || _rowid_"],
    ]

    private static let failing: SQL =
        "UPDATE Film SET id = CASE title WHEN 'Film 6' THEN ? ELSE id END, title = 'x'"
    private static let failingLate: SQL =
        "UPDATE OR FAIL Film SET id = CASE title WHEN 'Film 6' THEN ? ELSE id END, title = title || 'y'"

    // In SQLite's dialect: these statements change rows without reporting each one.
    @Test("R4 R5 A statement may change the rows in any way", arguments: StoreKind.local)
    func statements(kind: StoreKind) async throws {
        for statements in Self.statements {
            try await withRepository(kind) { repository in
                // Prepared while nobody listens, so that SQLite may compile a statement that reports no rows.
                try await repository.transaction { try $0.execute("DELETE FROM Film") }.value()
                try await follow(repository) {
                    try await repository.transaction { for sql in statements { try $0.execute(sql) } }.value()
                } then: {
                    try await repository.upsert(Film.numbered(2, title: "After")).value()
                    try await repository.delete(Film.self) { $0.title == "Film 3" }.value()
                }
            }
        }
    }

    // In SQLite's dialect: these statements change rows without reporting each one.
    @Test("R5 Changes that a savepoint or a failed statement has undone are not shown", arguments: StoreKind.local)
    func undone(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await follow(repository) {
                try await repository.transaction { store in
                    try store.update(Film.numbered(1, title: "kept"))
                    try? store.transaction { inner in
                        try inner.delete(Film.self, id: Film.id(2))
                        try inner.create(Film.numbered(9, title: "undone"))
                        inner.cancel()
                    }
                    // Three rows are changed before the fourth fails, and all of that is undone.
                    #expect(throws: RepositoryError.self) { try store.execute(Self.failing, Film.id(2)) }
                    // This statement keeps the rows that it changed before it failed.
                    #expect(throws: RepositoryError.self) { try store.execute(Self.failingLate, Film.id(2)) }
                }.value()
            } then: {
                try await repository.update(Film.numbered(2, title: "After")).value()
            }
        }
    }

    @Test("R14 VACUUM and the writes of another connection are noticed")
    func elsewhere() async throws {
        for sql in [
            "VACUUM", "DELETE FROM Film", "UPDATE Film SET boxOffice = 9, title = 'Else'",
            "DELETE FROM Film WHERE title = 'Film 1'; VACUUM",
        ] {
            try await withFolder { folder in
                let path = folder + "/store.sqlite"
                let repository = try SQLiteRepository(.file(path), entities: Film.self)
                try await follow(repository) {
                    let raw = try RawDatabase(path)
                    try raw.run(sql)
                    raw.close()
                } then: {
                    try await repository.upsert(Film.numbered(2, title: "After")).value()
                    try await repository.delete(Film.self) { $0.title == "Film 3" }.value()
                }
                await closed(repository)
            }
        }
    }

    private static let tables: [SQL] = [
        """
        CREATE TABLE Film (ID BLOB PRIMARY KEY NOT NULL, Title TEXT NOT NULL, releasedate REAL NOT NULL,
            boxoffice INTEGER NOT NULL, Studio TEXT) STRICT
        """,
        """
        CREATE TABLE Film (id BLOB PRIMARY KEY NOT NULL, title TEXT NOT NULL COLLATE NOCASE, releaseDate REAL NOT NULL,
            boxOffice INTEGER NOT NULL, studio TEXT COLLATE RTRIM) STRICT
        """,
        """
        CREATE TABLE Film (id BLOB PRIMARY KEY NOT NULL, title TEXT NOT NULL, releaseDate REAL NOT NULL,
            boxOffice INTEGER NOT NULL, studio TEXT)
        """,
        """
        CREATE TABLE Film (id BLOB PRIMARY KEY NOT NULL, studio TEXT, title TEXT NOT NULL, extra TEXT DEFAULT 'x',
            boxOffice INTEGER NOT NULL, releaseDate REAL NOT NULL) STRICT
        """,
        """
        CREATE TABLE Film (number INTEGER PRIMARY KEY, id BLOB UNIQUE NOT NULL, studio TEXT, title TEXT NOT NULL,
            boxOffice INTEGER NOT NULL, releaseDate REAL NOT NULL) STRICT
        """,
    ]

    @Test("R4 Tables that were made by hand are followed, whether updated in place or not", arguments: tables.indices)
    func byHand(_ table: Int) async throws {
        try await withRepository(.file) { repository in
            try await repository.transaction { store in
                try store.execute("DROP TABLE Film")
                try store.execute(Self.tables[table])
            }.value()
            let counted = repository.countSubscription(Film.self) { $0.studio == "A" }.record()
            try await follow(repository) {
                try await repository.update(Film.numbered(2, title: "film 1", studio: "A ")).value()
                try await repository.update(Film.numbered(4, title: "FILM 1", studio: "a")).value()
            } then: {
                try await repository.delete(Film.self, id: Film.id(2)).value()
                try await repository.create(Film.numbered(8, studio: "A")).value()
            }
            let count = try await repository.count(Film.self) { $0.studio == "A" }.value()
            #expect(await counted.last(where: { $0 == count }) == count)
            counted.cancel()
        }
    }

    @Test("R5 A row that is older than a column has the column's default", arguments: StoreKind.allCases)
    func olderThanColumn(kind: StoreKind) async throws {
        let older = SpelledStatements(
            sqlite: ["CREATE TABLE Rating (id INTEGER PRIMARY KEY, piece INTEGER NOT NULL) STRICT"],
            postgres: [#"CREATE TABLE "Rating" (id bigint PRIMARY KEY, piece bigint NOT NULL)"#])
        let column = SpelledStatements(
            sqlite: ["ALTER TABLE Rating ADD COLUMN stars INTEGER NOT NULL DEFAULT 5"],
            postgres: [#"ALTER TABLE "Rating" ADD COLUMN stars bigint NOT NULL DEFAULT 5"#])
        try await withRepository(kind, [Rating.self, Piece.self]) { repository in
            try await repository.transaction { store in
                try store.execute(#"DROP TABLE "Rating""#)
                try older.run(kind, store)
                try store.execute(#"INSERT INTO "Rating" VALUES (1, 1), (2, 1), (3, 1)"#)
                try column.run(kind, store)
            }.value()
            let sums = repository.sumSubscription(of: \Rating.stars).record()
            let five = repository.countSubscription(Rating.self) { $0.stars == 5 }.record()
            #expect(await sums.values(1) == [15])
            #expect(await five.values(1) == [3])
            try await repository.update(Rating(id: 1, piece: 1, stars: 1)).value()
            try await repository.delete(Rating.self, id: 2).value()
            #expect(await sums.last(where: { $0 == 6 }) == 6)
            #expect(await five.last(where: { $0 == 1 }) == 1)
            sums.cancel()
            five.cancel()
        }
    }

    @Test("R6 R14 The next snapshot and the next write notice external commits, without waiting for a poll")
    func withoutTimer() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            var configuration = RepositoryConfiguration()
            configuration.watchInterval = .seconds(3_600)
            let repository = try SQLiteRepository(.file(path), entities: [Film.self], configuration: configuration)
            try await repository.insert((1...6).map { Film.numbered($0) }).value()
            let sums = repository.sumSubscription(of: \Film.boxOffice).record()
            #expect(await sums.values(1) == [21])
            let raw = try RawDatabase(path)
            try raw.run("UPDATE Film SET boxOffice = 10 * boxOffice WHERE title = 'Film 1'")
            // A snapshot for another query.
            _ = try await repository.countSubscription(Film.self).value()
            #expect(await sums.values(2) == [21, 30])
            try raw.run("UPDATE Film SET boxOffice = 10 * boxOffice WHERE title = 'Film 2'")
            // A write, whose own rows would be applied in place.
            try await repository.delete(Film.self, id: Film.id(3)).value()
            #expect(await sums.last(where: { $0 == 45 }) == 45)
            raw.close()
            await closed(repository)
        }
    }

    @Test("R14 A write through a blob handle of another connection is noticed")
    func blob() async throws {
        try await withFolder { folder in
            let path = folder + "/store.sqlite"
            let repository = try SQLiteRepository(.file(path), entities: Film.self)
            try await follow(repository) {
                let raw = try RawDatabase(path)
                try raw.write(Array("Blob".utf8), over: "title", of: "Film", rowID: 2)
                raw.close()
            }
            await closed(repository)
        }
    }
}
