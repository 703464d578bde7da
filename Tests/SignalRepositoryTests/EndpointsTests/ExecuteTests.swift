import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("execute and rows", .timeLimit(.minutes(10))) struct ExecuteTests {
    @Test("A statement binds its values and returns how many rows it changed", arguments: StoreKind.allCases)
    func execute(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...5).map { Film.numbered($0) }).value()
            let counts = try await repository.transaction { store in
                [
                    // A Decimal is stored with four places.
                    try store.execute(#"UPDATE "Film" SET title = ? WHERE "boxOffice" > ?"#, "it's", 20_000),
                    try store.execute(#"UPDATE "Film" SET title = 'none' WHERE title = 'no such'"#),
                    try store.execute(#"DELETE FROM "Film" WHERE id IN (?, ?)"#, Film.id(1), Film.id(5)),
                    try store.execute(#"SELECT * FROM "Film""#),
                ]
            }.value()
            #expect(counts == [3, 0, 2, 0])
            let titles = try await repository.fetch(Film.all.sorted(by: \.id)).value().map(\.title)
            #expect(titles == ["Film 2", "it's", "it's"])
        }
    }

    @Test("Rows have the stored values, in reads, transactions and live queries", arguments: StoreKind.allCases)
    func rows(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...3).map { Film.numbered($0, studio: $0 == 2 ? "A" : nil) }).value()
            let read: @Sendable (ReadTransaction) throws -> [[SQLValue]] = { store in
                try store.rows(
                    kind == .postgres
                        ? #"""
                        SELECT title, "boxOffice", studio, 0.5::float8, '\x00FF'::bytea FROM "Film" \#
                        WHERE "boxOffice" >= ?
                        """#
                        : #"SELECT title, "boxOffice", studio, 0.5, x'00FF' FROM "Film" WHERE "boxOffice" >= ?"#,
                    Film.bound(2, as: \.boxOffice))
            }
            let expected: [[SQLValue]] = [
                [.text("Film 2"), .integer(20_000), .text("A"), .real(0.5), .blob([0, 255])],
                [.text("Film 3"), .integer(30_000), .null, .real(0.5), .blob([0, 255])],
            ]
            #expect(try await repository.read(read).value() == expected)
            #expect(try await repository.transaction { try read($0) }.value() == expected)
            #expect(try await repository.transaction { try $0.transaction { try read($0) } }.value() == expected)
            let live = repository.follow(LiveQuery(read)).map(\.value).record()
            #expect(await live.values(1) == [expected])
            try await repository.delete(Film.numbered(3)).value()
            #expect(await live.values(2).last == [expected[0]])
            live.cancel()
        }
    }

    @Test(
        "R16 Ending the transaction, writing in a read, and text that is not a statement are a misuse",
        arguments: StoreKind.allCases)
    func misuse(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let wrong: [SQL] = [
                "COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT a", #"UPDATE "Film" SET title = ?"#, "SELECT 1; SELECT 2", "",
                "UPDATE Nothing SET a = 1", "SELEC 1",
            ]
            for sql in wrong {
                await expectFailure(\.isMisuse) { try await repository.transaction { try $0.execute(sql) }.value() }
            }
            for sql: SQL in [
                #"DELETE FROM "Film""#, "SELECT ?", #"INSERT INTO "Film" DEFAULT VALUES RETURNING 1"#,
            ] {
                await expectFailure(\.isMisuse) { try await repository.read { try $0.rows(sql) }.value() }
                await expectFailure(\.isMisuse) { try await repository.transaction { try $0.rows(sql) }.value() }
            }
            // The connection is clean afterwards.
            try await repository.create(Film.numbered(1)).value()
            #expect(try await repository.count(Film.self).value() == 1)
        }
    }

    @Test("A broken constraint is reported, and the transaction continues", arguments: StoreKind.allCases)
    func constraint(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let title = try await repository.transaction { store in
                try store.create(Film.numbered(1))
                #expect(throws: RepositoryError.self) {
                    try store.execute(#"INSERT INTO "Film" SELECT * FROM "Film""#)
                }
                try store.execute(#"UPDATE "Film" SET title = 'after'"#)
                return try store.rows(#"SELECT title FROM "Film""#)
            }.value()
            #expect(title == [[.text("after")]])
            await expectFailure(\.isConstraint) {
                try await repository.transaction { try $0.execute(#"UPDATE "Film" SET title = NULL"#) }.value()
            }
        }
    }
}
