import Foundation
import SignalRepository
import Signals
import Testing

/// The first version of a store.
private enum Old {
    struct Film: Entity, Equatable {
        let id: Int
        var title: String
        var year: String
        var price: Decimal
        var studio: String?
        var seen: Double
        static let schema = Schema(
            Column("id", \Film.id, .generated), Column("title", \.title, .indexed), Column("year", \.year, .indexed),
            Column("price", \.price, .scale(2)), Column("studio", \.studio), Column("seen", \.seen),
            search: [\.title, \.year], make: Film.init)
    }

    struct Review: Entity, Equatable {
        let id: Int
        var film: Int
        static let schema = Schema(
            Column("id", \Review.id), Column("film", \.film, .references(Film.self, onDelete: .cascade)),
            make: Review.init)
    }

    static func film(_ id: Int) -> Film {
        let year = id.isMultiple(of: 7) ? "unknown" : "\(1900 + id)"
        return Film(
            id: id, title: "Film \(id)", year: year, price: Decimal(id) / 4, studio: id.isMultiple(of: 2) ? nil : "s",
            seen: Double(id))
    }
}

/// The second version, which declares every column but the id and the title in another way.
private enum New {
    struct Studio: Entity, Equatable {
        let id: String
        static let schema = Schema(Column("id", \Studio.id), make: Studio.init)
    }

    struct Film: Entity, Equatable {
        let id: Int
        var title: String
        var year: Int?
        var price: Decimal
        var studio: String
        var seen: Date
        static let schema = Schema(
            Column("id", \Film.id, .generated), Column("title", \.title, .indexed), Column("year", \.year, .indexed),
            Column("price", \.price, .scale(4)), Column("studio", \.studio, .references(Studio.self)),
            Column("seen", \.seen), search: [\.title], make: Film.init)
    }

    static func film(_ id: Int) -> Film {
        let old = Old.film(id)
        return Film(
            id: id, title: old.title, year: Int(old.year), price: old.price, studio: old.studio ?? "none",
            seen: Date(timeIntervalSinceReferenceDate: old.seen))
    }

    static let step = Migration("films are what they are") { store in
        try store.createTable(Studio.self)
        try store.insert([Studio(id: "s"), Studio(id: "none")])
        try store.changeColumn(\Film.year, from: String.self) { Int($0) }
        try store.changeColumn(\Film.price, from: Decimal.self) { $0 }
        try store.changeColumn(\Film.studio, from: String?.self) { $0 ?? "none" }
        try store.changeColumn(\Film.seen, from: Double.self) { Date(timeIntervalSinceReferenceDate: $0) }
    }
}

@Suite("Changed columns and recreated tables", .timeLimit(.minutes(10))) struct ColumnChangeTests {
    /// Opens the store with a step that fails, and returns the error's text.
    private func failure(
        _ place: StorePlace, _ entities: [any Entity.Type],
        _ step: @escaping @Sendable (MigrationTransaction) throws -> Void
    ) throws -> String {
        "\(try place.refusal(entities, [Migration("step", step)]))"
    }

    private static let movedOn: [any Entity.Type] = [New.Studio.self, New.Film.self, Old.Review.self]

    @Test(
        "Each row's value is converted from the old one", arguments: StoreKind.kept,
        [0, 1, 2, 3, 1_000, 1_001])
    func everyRow(kind: StoreKind, count: Int) async throws {
        let place = try StorePlace(kind)
        let names: SQL =
            kind == .file
            ? "SELECT count(*) FROM sqlite_schema WHERE name IN ('mine', 'index_Film(year)')"
            : """
            SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() \
            AND indexname IN ('mine', 'index_Film(year)')
            """
        try await place.with([Old.Film.self, Old.Review.self]) { repository in
            try await repository.insert((0..<count).map { Old.film($0 + 1) }).value()
            try await repository.insert((0..<count).map { Old.Review(id: $0, film: $0 + 1) }).value()
            _ = try await repository.transaction { store in
                try store.execute("CREATE INDEX mine ON \"Film\" (year, title)")
            }.value()
        }
        // Twice, because the migrated store must match the declaration.
        for _ in 0..<2 {
            try await place.with(Self.movedOn, [New.step]) { repository in
                let films = try await repository.fetch(New.Film.all.sorted(by: \.id)).value()
                #expect(films == (0..<count).map { New.film($0 + 1) })
                if kind == .file {
                    let found = try await repository.fetch(New.Film.matching("film")).value()
                    #expect(found.count == count)
                }
                let reviews = try await repository.count(Old.Review.self).value()
                #expect(reviews == count)
                let indexes = try await repository.transaction { store in
                    try store.rows(names)
                }.value()
                #expect(indexes == [[.integer(2)]])
            }
        }
    }

    @Test("A wrong conversion is refused, and the error says what is wrong", arguments: StoreKind.kept)
    func misread(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Old.Film.self, Old.Review.self]) { repository in
            try await repository.insert([Old.film(1), Old.film(2)]).value()
        }
        let steps: [(String, @Sendable (MigrationTransaction) throws -> Void)] = [
            (
                "Film.year is stored as \(place.word(.text)), but Int is read from \(place.word(.integer))",
                { try $0.changeColumn(\New.Film.year, from: Int.self) { $0 } }
            ),
            (
                "Film.price holds numbers with 2 decimal places and is read as numbers with 0 decimal places",
                { try $0.changeColumn(\New.Film.price, from: Int.self) { Decimal($0) } }
            ),
            (
                "Film.price holds numbers with 2 decimal places and is read as numbers with 3 decimal places",
                { try $0.changeColumn(\New.Film.price, from: Decimal.self, scale: 3) { $0 } }
            ),
            (
                "Film.seen holds floating-point numbers and is read as dates",
                { try $0.changeColumn(\New.Film.seen, from: Date.self) { $0 } }
            ),
            (
                "the table Film has no column late",
                { try $0.changeColumn(\Late.Film.late, from: String.self) { $0 } }
            ),
            ("Film.id is a key", { try $0.changeColumn(\New.Film.id, from: Int.self) { $0 } }),
            (
                // The second film has no studio.
                "Film.studio",
                { try $0.changeColumn(\New.Film.studio, from: String.self) { $0 } }
            ),
            (
                "cannot be stored",
                { try $0.changeColumn(\New.Film.seen, from: Double.self) { _ in Date(timeIntervalSince1970: .nan) } }
            ),
            ("Unlucky", { try $0.changeColumn(\New.Film.year, from: String.self) { _ in throw Unlucky() } }),
            (
                "2 of Film would refer to rows of Studio that do not exist",
                {
                    try $0.createTable(New.Studio.self)
                    try $0.changeColumn(\New.Film.studio, from: String?.self) { $0 ?? "none" }
                    try $0.changeColumn(\New.Film.year, from: String.self) { Int($0) }
                    try $0.changeColumn(\New.Film.price, from: Decimal.self) { $0 }
                    try $0.changeColumn(\New.Film.seen, from: Double.self) {
                        Date(timeIntervalSinceReferenceDate: $0)
                    }
                }
            ),
        ]
        for (words, step) in steps {
            let message = try failure(place, Self.movedOn, step)
            #expect(message.contains(words), "\(message)")
        }
    }

    // On a server a trigger's function names the column, and the library does not read functions.
    @Test("A custom trigger that names the column stops the change, and is not lost")
    func triggers() async throws {
        let place = try StorePlace(.file)
        try await place.with([Old.Film.self, Old.Review.self]) { repository in
            _ = try await repository.transaction { store in
                try store.execute(
                    "CREATE TRIGGER trim AFTER INSERT ON Film BEGIN UPDATE Film SET year = trim(year); END")
            }.value()
        }
        let message = try failure(place, Self.movedOn) { store in
            try store.changeColumn(\New.Film.year, from: String.self) { Int($0) }
        }
        #expect(message.contains("trigger trim"), "\(message)")
    }

    // On a server the table stays; see SchemaOpenerTests.
    @Test("A recreated table keeps its rows, the references to it, and custom indexes, views and triggers")
    func recreated() async throws {
        let place = try StorePlace(.file)
        try await place.with([Old.Film.self, Old.Review.self]) { repository in
            try await repository.insert((1...3).map(Old.film)).value()
            try await repository.insert([Old.Review(id: 1, film: 1), Old.Review(id: 2, film: 3)]).value()
            try await repository.delete(Old.film(3)).value()
            _ = try await repository.transaction { store in
                try store.execute("CREATE INDEX some ON Film (title) WHERE studio IS NULL")
                try store.execute("CREATE VIEW titles AS SELECT title FROM Film")
                try store.execute(
                    """
                    CREATE TRIGGER trim AFTER INSERT ON Film BEGIN \
                    UPDATE Film SET title = trim(title) WHERE id = new.id; END
                    """)
            }.value()
        }
        let step = Migration("again") { store in
            let count = try store.recreateTable(Old.Film.self)
            #expect(count == 2)
        }
        try await place.with([Old.Film.self, Old.Review.self], [step]) { repository in
            let films = try await repository.fetch(Old.Film.all).value()
            #expect(films == (1...2).map(Old.film))
            let created = try await repository.create(
                Old.Film(id: 0, title: " new ", year: "2000", price: 1, studio: nil, seen: 0)
            ).value()
            // The key of the deleted film is not used again.
            #expect(created.id == 4 && created.title == "new")
            try await repository.delete(Old.film(1)).value()
            let reviews = try await repository.count(Old.Review.self).value()
            let found = try await repository.fetch(Old.Film.matching("film")).value()
            #expect(reviews == 0 && found.map(\.item.id) == [2])
            let rows = try await repository.transaction { store in
                try store.rows("SELECT name FROM sqlite_schema WHERE name IN ('some', 'index_Film(year)') ORDER BY 1")
                    + store.rows("SELECT * FROM titles")
                    + store.rows("PRAGMA integrity_check") + store.rows("PRAGMA foreign_key_check")
            }.value()
            let texts = ["index_Film(year)", "some", "Film 2", "new", "ok"]
            #expect(rows == texts.map { [.text($0)] })
        }
    }

    @Test("An empty table does not reuse its old keys after it is recreated", arguments: StoreKind.kept)
    func recreatedEmpty(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        let film = Old.Film(id: 0, title: "", year: "", price: 0, studio: nil, seen: 0)
        try await place.with([Old.Film.self, Old.Review.self]) { repository in
            try await repository.insert(Array(repeating: film, count: 5)).value()
            _ = try await repository.transaction { try $0.execute("DELETE FROM \"Film\"") }.value()
        }
        let step = Migration("again") { try $0.recreateTable(Old.Film.self) }
        try await place.with([Old.Film.self, Old.Review.self], [step]) { repository in
            try await repository.insert([film]).value()
            let films = try await repository.fetch(Old.Film.all).value()
            #expect(films.map(\.id) == [6])
        }
    }

    @Test("For a changed key, the step that the error proposes works", arguments: StoreKind.kept)
    func anotherKey(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Old.Film.self, Old.Review.self]) { repository in
            try await repository.insert([Old.film(1), Old.film(2)]).value()
        }
        let error = try place.refusal([ByTitle.Film.self])
        #expect("\(error)".contains("try store.recreateTable(Film.self)"))
        let step = Migration("by title") { store in
            try store.dropTable("Review")
            try store.recreateTable(ByTitle.Film.self, from: ["made": "year"])
        }
        try await place.with([ByTitle.Film.self], [step]) { repository in
            let films = try await repository.fetch(ByTitle.Film.all.sorted(by: \.id)).value()
            #expect(films == [ByTitle.Film(id: "Film 1", made: "1901"), ByTitle.Film(id: "Film 2", made: "1902")])
        }
    }

    @Test("A new store has no table to recreate, and says so", arguments: StoreKind.allCases)
    func whenNew(kind: StoreKind) throws {
        let place = try StorePlace(kind)
        let error = try thrown { () throws(RepositoryError) in
            try place.open([Old.Film.self], whenNew: { store in try store.recreateTable(Old.Film.self) })
        }
        #expect("\(error)".contains("outside of a migration step"))
    }
}

private struct Unlucky: Error {}

private enum Late {
    struct Film: Entity {
        let id: Int
        var late: String
        static let schema = Schema(Column("id", \Film.id), Column("late", \.late), make: Film.init)
    }
}

private enum ByTitle {
    struct Film: Entity, Equatable {
        let id: String
        var made: String
        static let schema = Schema(Column("title", \Film.id, .key), Column("made", \.made), make: Film.init)
    }
}
