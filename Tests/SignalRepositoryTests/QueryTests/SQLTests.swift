import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("SQL with interpolated values", .timeLimit(.minutes(10))) struct SQLTests {
    @Test("Values become parameters, names are quoted, and pieces keep their values")
    func text() throws {
        let studio: String? = nil
        let condition: SQL = "\(\Film.studio) IS \(studio) AND \(Film.self).\(\Film.boxOffice) > \(3)"
        let sql: SQL =
            "SELECT \(identifier: "a\"b") FROM \(Film.self) WHERE \(condition) AND x IN \(values: ["a", "b"])"
        #expect(
            sql.description
                == #"SELECT "a""b" FROM "Film" WHERE "studio" IS ? AND "Film"."boxOffice" > ? AND x IN (?, ?)"#)
        #expect(try sql.text().bindings == [.null, .integer(3), .text("a"), .text("b")])
        #expect(SQL("a \(unsafe: "b 'c'") \(values: [Int]())").description == "a b 'c' ()")
        #expect(SQL(unsafe: "SELECT 1").description == "SELECT 1")
        let interpolated: SQL = "\(condition)\(condition)"
        #expect(try interpolated.text().bindings == [.null, .integer(3), .null, .integer(3)])
    }

    @Test("Pieces are joined, however many", arguments: [0, 1, 2, 3, 1000])
    func joined(count: Int) throws {
        let conditions = (0..<count).map { number -> SQL in "x = \(number)" }
        let sql = conditions.joined(separator: " OR ")
        #expect(sql.description == Array(repeating: "x = ?", count: count).joined(separator: " OR "))
        #expect(try sql.text().bindings == (0..<count).map { .integer(Int64($0)) })
        #expect((["a", "b"] as [SQL]).joined().description == "a, b")
    }

    @Test("No value or name becomes SQL, whatever it holds", arguments: StoreKind.allCases)
    func injection(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let texts = TextZoo.texts(kind) + ["'; DROP TABLE \"Film\"; --", "\"", "?", "$1", "\\", "/*"]
            for (number, text) in texts.enumerated() {
                let film = Film.numbered(number, title: text)
                try await repository.create(film).value()
                let found = try await repository.rows(
                    "SELECT * FROM \(Film.self) WHERE \(\Film.title) = \(text) AND \(\Film.id) = \(film.id)",
                    as: Film.self
                ).value()
                #expect(found == [film])
                let named = try await repository.read { store in
                    try store.rows("SELECT 1 AS \(identifier: text.isEmpty ? "x" : text.withoutNUL.prefix63)")
                }.value()
                #expect(named.count == 1)
            }
            #expect(try await repository.count(Film.self).value() == texts.count)
        }
    }

    @Test("Every endpoint that takes SQL takes interpolated values, live too", arguments: StoreKind.allCases)
    func everywhere(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((0..<10).map { Film.numbered($0, studio: $0 % 2 == 0 ? "A24" : nil) }).value()
            let (studio, ids) = ("A24", [2, 3, 4].map(Film.id))
            let wanted: SQL = "\(\Film.id) IN \(values: ids)"
            #expect(try await repository.fetch(Film.where { .raw(wanted) && $0.studio == studio }).value().count == 2)
            let pairs = try await repository.rows(
                "SELECT \(\Film.title), 1 FROM \(Film.self) WHERE \(wanted) AND \(\Film.studio) = \(studio) ORDER BY 1",
                as: (String, Int).self
            ).value()
            #expect(pairs.map(\.0) == ["Film 2", "Film 4"])
            let live = repository.rowsSubscription(
                "SELECT * FROM \(Film.self) WHERE \(\Film.studio) = \(studio) ORDER BY \(\Film.id)", as: Film.self
            ).map { $0.map(\.title) }.record()
            #expect(await live.values(1) == [["Film 0", "Film 2", "Film 4", "Film 6", "Film 8"]])
            let changed = try await repository.transaction { store in
                try store.execute("UPDATE \(Film.self) SET \(\Film.studio) = \(String?.none) WHERE \(wanted)")
            }.value()
            #expect(changed == 3)
            #expect(await live.values(2).last == ["Film 0", "Film 6", "Film 8"])
            let amounts = try await repository.read { store in
                try store.rows(
                    "SELECT count(*) FROM \(Film.self) WHERE \(\Film.boxOffice) < \(Film.bound(4.5, as: \.boxOffice))")
            }.value()
            #expect(amounts == [[.integer(5)]])
        }
    }

    @Test(
        "An invalid part is an error of the endpoint, and nothing is executed", arguments: StoreKind.local)
    func faults(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let refused: [SQL] = [
                "DELETE FROM \(Film.self) WHERE \(\Film.title.count) = \(1)",
                "DELETE FROM \(Film.self) WHERE \(\Film.boxOffice) < \(Decimal(5))",
                "DELETE FROM \(identifier: "a\0b")", "DELETE FROM \(Film.self) WHERE 1 = ? OR 1 = \(1)",
                "DELETE FROM \(Film.self); \("DELETE")",
            ]
            for sql in refused {
                await expectFailure(\.isMisuse) { try await repository.transaction { try $0.execute(sql) }.value() }
            }
            await expectFailure(\.isMisuse) {
                try await repository.transaction {
                    try $0.execute("DELETE FROM \(Film.self) WHERE 1 = \(1) OR 2 = ?", 2)
                }
                .value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Film.where(.raw("\(\Film.title.count) > 1"))).value()
            }
            #expect(try await repository.count(Film.self).value() == 1)
        }
    }

    @Test("Migrations and whenNew take interpolated values")
    func migration() async throws {
        let folder = try TemporaryFolder()
        let title = "Fargo's"
        let first = try SQLiteRepository(
            .file(folder.file()), entities: Film.self,
            whenNew: { store in
                try store.insert([Film.numbered(1)])
                try store.execute("UPDATE \(Film.self) SET \(\Film.title) = \(title)")
            })
        await closed(first)
        let step = Migration("longer") { store in
            #expect(try store.rows("SELECT title FROM \(Film.self)") == [[.text(title)]])
            try store.execute("UPDATE \(Film.self) SET title = title || \("!")")
        }
        let second = try SQLiteRepository(.file(folder.file()), entities: Film.self, migrations: [step])
        #expect(try await second.fetch(Film.all).value().map(\.title) == ["Fargo's!"])
        await closed(second)
    }
}

extension String {
    /// The longest prefix that fits into a name of 63 bytes.
    fileprivate var prefix63: String {
        var text = ""
        for scalar in unicodeScalars {
            guard text.utf8.count + String(scalar).utf8.count <= 63 else { break }
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}
