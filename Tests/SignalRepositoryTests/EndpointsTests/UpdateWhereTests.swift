import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("update(where:)", .timeLimit(.minutes(10))) struct UpdateWhereTests {
    private static let films = (1...10).map { Film.numbered($0, studio: $0 > 5 ? "A" : nil) }

    @Test("Items that pass the condition get the values, and their number is returned", arguments: StoreKind.allCases)
    func some(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert(Self.films).value()
            let count = try await repository.update(
                Film.self, set: [.set(\.studio, to: "B"), .set(\.boxOffice, to: 0)]
            ) { $0.studio == "A" && $0.boxOffice > 8 }.value()
            #expect(count == 2)
            let expected = Self.films.map { film in
                film.boxOffice > 8 ? Film.numbered(film.number, boxOffice: 0, studio: "B") : film
            }
            #expect(try await repository.fetch(Film.all).value() == expected)
        }
    }

    @Test("nil empties an optional property; no condition means every item", arguments: StoreKind.allCases)
    func empty(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert(Self.films).value()
            let count = try await repository.update(Film.self, set: [.set(\.studio, to: nil)]) { _ in .true }.value()
            #expect(count == 10)
            #expect(try await repository.count(Film.self) { $0.studio == nil }.value() == 10)
            let none = try await repository.update(
                Film.self, set: [.set(\.title, to: "")]
            ) { $0.boxOffice > 99 }.value()
            #expect(none == 0)
        }
    }

    @Test("R13 R14 A live query is updated once for the whole batch", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert(Self.films).value()
            let sums = repository.sumSubscription(of: \Film.boxOffice).record()
            #expect(await sums.values(1) == [55])
            try await repository.update(Film.self, set: [.set(\.boxOffice, to: 1)]) { _ in .true }.value()
            #expect(await sums.values(2) == [55, 10])
            try await repository.create(Film.numbered(20)).value()
            #expect(await sums.values(3) == [55, 10, 30])
            sums.cancel()
        }
    }

    @Test("Inside a transaction the endpoint does the same, and is rolled back with it", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert(Self.films).value()
            let count = try await repository.transaction { store in
                try store.update(Film.self, set: [.set(\.title, to: "T")]) { $0.studio == nil }
            }.value()
            #expect(count == 5)
            let undone = repository.transaction { store in
                let updated = try store.update(Film.self, set: [.set(\.title, to: "U")]) { _ in .true }
                let found = try store.count(Film.self) { $0.title == "U" }
                #expect(updated == 10 && found == 10)
                store.cancel()
            }
            await expectFailure(\.isCancelled) { try await undone.value() }
            #expect(try await repository.count(Film.self) { $0.title == "T" }.value() == 5)
        }
    }

    @Test("An invalid update is a typed error, and changes nothing", arguments: StoreKind.allCases)
    func errors(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert(Self.films).value()
            await expectFailure(\.isMisuse) { try await repository.update(Film.self, set: []) { _ in .true }.value() }
            await expectFailure(\.isMisuse) {
                try await repository.update(
                    Film.self, set: [.set(\.title, to: "a"), .set(\.title, to: "b")]
                ) { _ in .true }.value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.update(Film.self, set: [.set(\.number, to: 1)]) { _ in .true }.value()
            }
            await expectFailure(\.isConstraint) {
                try await repository.update(Film.self, set: [.set(\.id, to: Film.id(1))]) { _ in .true }.value()
            }
            await expectFailure(\.isEncoding) {
                let tooFine = Decimal(sign: .plus, exponent: -9, significand: 1)
                return try await repository.update(Film.self, set: [.set(\.boxOffice, to: tooFine)]) { _ in .true }
                    .value()
            }
            #expect(try await repository.fetch(Film.all).value() == Self.films)
        }
    }

    @Test("A property held as JSON is set like any other", arguments: StoreKind.allCases)
    func json(kind: StoreKind) async throws {
        try await withRepository(kind, [Tagged.self]) { repository in
            try await repository.insert([Tagged(id: 1, tags: []), Tagged(id: 2, tags: ["x"])]).value()
            _ = try await repository.update(
                Tagged.self, set: [.set(\.tags, to: ["a", "b"])]
            ) { $0.id == 1 }.value()
            #expect(try await repository.fetch(Tagged.all).value().map(\.tags) == [["a", "b"], ["x"]])
        }
    }

    /// Triggers that change a second film with one film, and keep another film as it is.
    private static let triggers = SpelledStatements(
        sqlite: [
            """
            CREATE TRIGGER others AFTER UPDATE ON Film WHEN old.title = 'Film 7' \
            BEGIN UPDATE Film SET studio = 'T' WHERE title = 'Film 1'; END
            """,
            "CREATE TRIGGER keeps BEFORE UPDATE ON Film WHEN old.title = 'Film 8' BEGIN SELECT RAISE(IGNORE); END",
        ],
        postgres: [
            """
            CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            UPDATE "Film" SET studio = 'T' WHERE title = 'Film 1'; RETURN NULL; END $$
            """,
            """
            CREATE TRIGGER others AFTER UPDATE ON "Film" FOR EACH ROW WHEN (old.title = 'Film 7') \
            EXECUTE FUNCTION other()
            """,
            "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
            """
            CREATE TRIGGER keeps BEFORE UPDATE ON "Film" FOR EACH ROW WHEN (old.title = 'Film 8') \
            EXECUTE FUNCTION nothing()
            """,
        ])

    @Test("The ids of the updated items are returned, without a trigger's updates", arguments: StoreKind.allCases)
    func ids(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            try await repository.insert(Self.films).value()
            try await repository.transaction { try Self.triggers.run(kind, $0) }.value()
            let ids = try await repository.updateReturningIDs(
                Film.self, set: [.set(\.studio, to: "B")]
            ) { $0.studio == "A" }.value()
            #expect(Set(ids) == Set([6, 7, 9, 10].map(Film.id)) && ids.count == 4)
            #expect(try await repository.count(Film.self) { $0.studio == "B" }.value() == 4)
            let none = try await repository.updateReturningIDs(
                Film.self, set: [.set(\.studio, to: nil)]
            ) { $0.boxOffice > 99 }.value()
            #expect(none.isEmpty)
            let all = try await repository.transaction { store in
                try store.updateReturningIDs(Film.self, set: [.set(\.boxOffice, to: 3)]) { _ in .true }
            }.value()
            #expect(all.count == 9)
            await expectFailure(\.isMisuse) {
                try await repository.updateReturningIDs(Film.self, set: []) { _ in .true }.value()
            }
        }
    }

    @Test("A changed key is returned with its new value; if a key cannot be read, nothing is updated")
    func keys() async throws {
        try await withRepository(.memory, [Box<Int>.self, Small.self]) { repository async throws in
            try await repository.insert((0..<3).map { Box(id: $0, value: $0) }).value()
            let moved = try await repository.updateReturningIDs(
                Box<Int>.self, set: [.set(\.id, to: 9)]
            ) { $0.id == 1 }.value()
            #expect(moved == [9])
            try await repository.transaction { store in
                try store.execute("INSERT INTO Small VALUES (5, 'a'), (300, 'a')")
                do throws(RepositoryError) {
                    try store.updateReturningIDs(Small.self, set: [.set(\.name, to: "b")]) { _ in .true }
                    Issue.record("300 does not fit into UInt8.")
                } catch {
                    #expect(error.isDecoding)
                }
                #expect(try store.count(Small.self) { $0.name == "a" } == 2)
            }.value()
        }
    }
}

private struct Tagged: Entity, Equatable {
    let id: Int
    var tags: [String]

    static let schema = Schema(Column("id", \Tagged.id), Column("tags", json: \.tags), make: Tagged.init)
}

private struct Small: Entity {
    let id: UInt8
    var name: String
    static let schema = Schema(Column("id", \Small.id), Column("name", \.name), make: Small.init)
}
