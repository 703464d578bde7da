import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("update of an id", .timeLimit(.minutes(10))) struct UpdateByIDTests {
    @Test("An update writes only the properties that are set, and returns the item", arguments: StoreKind.allCases)
    func one(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert([Film.numbered(1), .numbered(2)]).value()
            let changed = try await repository.update(
                Film.self, id: Film.id(1), set: [.set(\.studio, to: "Gramercy"), .set(\.boxOffice, to: 1234.56)]
            ).value()
            #expect(changed.studio == "Gramercy" && changed.title == "Film 1")
            let stored = try await repository.transaction { store in
                try store.rows(#"SELECT "boxOffice" FROM "Film" ORDER BY title"#)
            }.value()
            #expect(stored.first == [.integer(12_345_600)])
            #expect(changed.boxOffice == Decimal(string: "1234.56"))
            #expect(try await repository.fetch(Film.all).value() == [changed, .numbered(2)])
        }
    }

    @Test("The id itself can be set; a missing id is an error", arguments: StoreKind.allCases)
    func ids(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            let moved = try await repository.transaction { store in
                try store.update(Film.self, id: Film.id(1), set: [.set(\.id, to: Film.id(5))])
            }.value()
            #expect(moved.id == Film.id(5))
            await expectFailure({ $0 == .notFound(entity: "Film", id: "\(Film.id(1))") }) {
                try await repository.update(Film.self, id: Film.id(1), set: [.set(\.title, to: "x")]).value()
            }
            await expectFailure({ if case .misuse = $0 { true } else { false } }) {
                try await repository.update(Film.self, id: Film.id(5), set: []).value()
            }
        }
    }

    @Test("The id can be computed", arguments: StoreKind.allCases)
    func computedIDs(kind: StoreKind) async throws {
        try await withRepository(kind, [Score.self]) { repository in
            try await repository.create(Score(id: 40, points: 2)).value()
            let counted = try await repository.update(Score.self, id: 40, set: [.set(\.id) { $0.id + 2 }]).value()
            #expect(counted == Score(id: 42, points: 2))
            await expectFailure(\.isNotFound) {
                try await repository.update(Score.self, id: 40, set: [.set(\.id) { $0.id + 2 }]).value()
            }
        }
    }

    private static let triggers = SpelledStatements(
        sqlite: [
            "CREATE TRIGGER calm BEFORE UPDATE ON Score WHEN old.id = 2 BEGIN SELECT RAISE(IGNORE); END",
            """
            CREATE TRIGGER more AFTER UPDATE ON Score WHEN new.points = 30 BEGIN \
            UPDATE Score SET points = 33 WHERE id = new.id; END
            """,
            """
            CREATE TRIGGER most AFTER UPDATE ON Score WHEN new.points = 40 BEGIN \
            UPDATE Score SET points = 400 WHERE id = new.id; END
            """,
        ],
        postgres: [
            """
            CREATE FUNCTION before() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            IF old.id = 2 THEN RETURN NULL; END IF; \
            IF new.points = 40 THEN new.points = 400; END IF; RETURN new; END $$
            """,
            """
            CREATE FUNCTION after() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            UPDATE "Score" SET points = 33 WHERE id = new.id AND points = 30; RETURN NULL; END $$
            """,
            #"CREATE TRIGGER calm BEFORE UPDATE ON "Score" FOR EACH ROW EXECUTE FUNCTION before()"#,
            #"CREATE TRIGGER more AFTER UPDATE ON "Score" FOR EACH ROW EXECUTE FUNCTION after()"#,
        ])

    @Test("The result is the item after triggers; an invalid one is rolled back", arguments: StoreKind.allCases)
    func triggers(kind: StoreKind) async throws {
        try await withRepository(kind, [Score.self]) { repository in
            try await repository.insert((1...4).map { Score(id: $0, points: Int8($0)) }).value()
            try await repository.transaction { try Self.triggers.run(kind, $0) }.value()
            await expectFailure({ if case .constraint(.trigger, _, _, _) = $0 { true } else { false } }) {
                try await repository.update(Score.self, id: 2, set: [.set(\.points, to: 9)]).value()
            }
            let more = try await repository.update(Score.self, id: 3, set: [.set(\.points, to: 30)]).value()
            #expect(more == Score(id: 3, points: 33))
            // With 40 points, a trigger stores a number that the property cannot hold.
            try await repository.transaction { store in
                try store.update(Score.self, id: 1, set: [.set(\.points, to: 7)])
                #expect(throws: RepositoryError.self) {
                    try store.update(Score.self, id: 4, set: [.set(\.points, to: 40)])
                }
            }.value()
            #expect(try await repository.fetch(Score.all.sorted(by: \.id)).value().map(\.points) == [7, 2, 33, 4])
        }
    }
}

private struct Score: Entity, Equatable {
    let id: Int
    var points: Int8

    static let schema = Schema(Column("id", \Score.id), Column("points", \.points), make: Score.init)
}
