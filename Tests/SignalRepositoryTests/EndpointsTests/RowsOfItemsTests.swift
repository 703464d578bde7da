import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("rows of items", .timeLimit(.minutes(10))) struct RowsOfItemsTests {
    @Test("A common table expression and a window function return items, everywhere", arguments: StoreKind.allCases)
    func everywhere(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...6).map { Film.numbered($0, studio: $0 % 2 == 0 ? "A" : nil) }).value()
            let straight: SQL = #"SELECT * FROM "Film" WHERE "boxOffice" >= ? ORDER BY "boxOffice" DESC"#
            let top: SQL = #"""
                WITH ranked AS (
                    SELECT *, row_number() OVER (PARTITION BY studio ORDER BY "releaseDate" DESC) AS place FROM "Film")
                SELECT place, studio, "boxOffice", "releaseDate", title, id FROM ranked
                WHERE place <= ? ORDER BY coalesce(studio, ''), place
                """#
            for (sql, value, numbers) in [(top, 2, [5, 3, 6, 4]), (straight, 40_000, [6, 5, 4])] {
                let expected = numbers.map { Film.numbered($0, studio: $0 % 2 == 0 ? "A" : nil) }
                let read: @Sendable (ReadTransaction) throws -> [Film] = { try $0.rows(sql, value, as: Film.self) }
                #expect(try await repository.rows(sql, value, as: Film.self).value() == expected)
                #expect(try await repository.read(read).value() == expected)
                #expect(try await repository.transaction { try read($0) }.value() == expected)
                #expect(try await repository.transaction { try $0.transaction { try read($0) } }.value() == expected)
            }
        }
    }

    @Test("R4 A live query follows every table that its statement reads", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withRepository(kind, [Film.self, Pick.self]) { repository in
            try await repository.insert((1...3).map { Film.numbered($0) }).value()
            let picked = repository.rowsSubscription(
                #"SELECT "Film".* FROM "Film" JOIN "Pick" ON "Pick".film = "Film".id WHERE "Pick".id > ?"#, 0,
                as: Film.self
            ).record()
            #expect(await picked.values(1) == [[]])
            try await repository.create(Pick(id: 1, film: Film.id(2))).value()
            #expect(await picked.values(2).last == [.numbered(2)])
            try await repository.update(Film.numbered(2, title: "Other")).value()
            #expect(await picked.values(3).last == [.numbered(2, title: "Other")])
            try await repository.update(Film.numbered(1, title: "Not picked")).value()
            try await repository.delete(Pick.self, id: 1).value()
            #expect(await picked.values(4).last == [])
            #expect(picked.values.count == 4)
            picked.cancel()
        }
    }

    // With a custom full-text index, as only SQLite has them.
    @Test("A search for words returns items, the best first, and is live", arguments: StoreKind.local)
    func words(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let hasWords = try await repository.read { store in
                try store.rows("SELECT sqlite_compileoption_used('ENABLE_FTS5')") == [[.integer(1)]]
            }.value()
            guard hasWords else { return }
            let add: @Sendable (WriteTransaction, Film) throws -> Void = { store, film in
                try store.create(film)
                try store.execute(#"INSERT INTO Words SELECT id, title FROM "Film" WHERE id = ?"#, film.id)
            }
            try await repository.transaction { store in
                try store.execute("CREATE VIRTUAL TABLE Words USING fts5(id UNINDEXED, title)")
                try add(store, .numbered(1, title: "A long title in which the word house stands"))
                try add(store, .numbered(2, title: "House house"))
                try add(store, .numbered(3, title: "Garden"))
            }.value()
            let found = repository.rowsSubscription(
                #"SELECT "Film".* FROM Words JOIN "Film" ON "Film".id = Words.id WHERE Words MATCH ? ORDER BY rank"#,
                "house", as: Film.self
            ).record()
            #expect(await found.values(1).last?.map(\.number) == [2, 1])
            try await repository.transaction { try add($0, .numbered(4, title: "Mouse, house")) }.value()
            #expect(await found.values(2).last?.map(\.number) == [2, 4, 1])
            found.cancel()
        }
    }

    @Test("A statement that cannot return the items is a typed error, even without rows", arguments: StoreKind.allCases)
    func misuse(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let wrong: [SQL] = [
                #"SELECT id, title FROM "Film""#, #"SELECT *, id FROM "Film""#, "SELECT * FROM Nothing",
                #"DELETE FROM "Film""#,
                #"SELECT * FROM "Film" WHERE id = ?"#, #"SELECT 1; SELECT * FROM "Film""#, "",
                #"INSERT INTO "Film" SELECT * FROM "Film" RETURNING *"#,
            ]
            for sql in wrong {
                await expectFailureEverywhere(
                    \.isMisuse, repository, repository.rows(sql, as: Film.self),
                    live: repository.rowsSubscription(sql, as: Film.self),
                    inside: { try $0.rows(sql, as: Film.self) })
            }
            let none = try await repository.rows(#"SELECT * FROM "Film""#, as: Film.self).value()
            #expect(none.isEmpty)
        }
    }

    @Test("A value that the property cannot hold is a decoding error with the item", arguments: StoreKind.allCases)
    func decoding(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let wrong: [SQL] = [
                #"SELECT id, title, "releaseDate", 'a lot' AS "boxOffice", studio FROM "Film""#,
                #"SELECT 'a lot' AS "boxOffice", id, title, "releaseDate", studio FROM "Film""#,
            ]
            for sql in wrong {
                await expectFailure({ $0.isDecoding && $0.item?.id == "\(Film.id(1))" }) {
                    try await repository.rows(sql, as: Film.self).value()
                }
            }
        }
    }
}

private struct Pick: Entity {
    let id: Int
    var film: UUID

    static let schema = Schema(Column("id", \Pick.id), Column("film", \.film), make: Pick.init)
}
