import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Items that a trigger changes while they are stored: endpoints return the stored item.
@Suite("R19 Items that triggers change", .timeLimit(.minutes(10))) struct RewrittenItemsTests {
    private func with(
        _ kind: StoreKind, _ entities: [any Entity.Type] = [Film.self], triggers: SpelledStatements,
        _ body: (any Repository) async throws -> Void
    ) async throws {
        try await withRepository(kind, entities) { repository async throws in
            // Prepares statements before the trigger exists.
            if entities.count == 1 { try await repository.create(Film.numbered(0)).value() }
            try await repository.transaction { try triggers.run(kind, $0) }.value()
            try await body(repository)
        }
    }

    private static let upper = SpelledStatements(
        sqlite: [
            "CREATE TRIGGER i AFTER INSERT ON Film BEGIN UPDATE Film SET title = upper(title) WHERE id = new.id; END",
            """
            CREATE TRIGGER u AFTER UPDATE ON Film WHEN new.title <> upper(new.title) \
            BEGIN UPDATE Film SET title = upper(title) WHERE id = new.id; END
            """,
        ],
        postgres: [
            """
            CREATE FUNCTION upper_title() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            UPDATE "Film" SET title = upper(title) WHERE id = new.id AND title <> upper(title); RETURN NULL; END $$
            """,
            """
            CREATE TRIGGER i AFTER INSERT OR UPDATE ON "Film" FOR EACH ROW EXECUTE FUNCTION upper_title()
            """,
        ])

    /// The same; PostgreSQL's trigger changes the row before it is stored, which none of SQLite's can.
    private static let upperBefore = SpelledStatements(
        sqlite: upper.sqlite,
        postgres: [
            """
            CREATE FUNCTION upper_title() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            new.title = upper(new.title); RETURN new; END $$
            """,
            """
            CREATE TRIGGER i BEFORE INSERT OR UPDATE ON "Film" FOR EACH ROW EXECUTE FUNCTION upper_title()
            """,
        ])

    @Test("create, update and upsert return the item as a trigger changed it", arguments: StoreKind.allCases)
    func single(kind: StoreKind) async throws {
        try await with(kind, triggers: Self.upper) { repository async throws in
            #expect(try await repository.create(Film.numbered(1)).value().title == "FILM 1")
            #expect(try await repository.create(Film.numbered(2)).value().title == "FILM 2")
            #expect(try await repository.update(Film.numbered(1, title: "a")).value().title == "A")
            #expect(try await repository.upsert(Film.numbered(1, title: "b")).value().title == "B")
            #expect(try await repository.upsert(Film.numbered(3, title: "c")).value().title == "C")
            let made = try await repository.findOrCreate(Film.self, id: Film.id(4)) { _ in Film.numbered(4) }.value()
            #expect(made.title == "FILM 4")
            let changed = try await repository.update(Film.self, id: Film.id(4), set: [.set(\.title, to: "d")]).value()
            #expect(changed.title == "D")
            let titles = try await repository.transaction { store in
                [try store.create(Film.numbered(5)).title, try store.update(Film.numbered(5, title: "e")).title]
            }.value()
            #expect(titles == ["FILM 5", "E"])
        }
    }

    @Test("Batches return the items as a trigger changed them", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await with(kind, triggers: Self.upperBefore) { repository async throws in
            let films = (1...3).map { Film.numbered($0) }
            let created = try await repository.create(films + [Film.numbered(1)]).value()
            #expect(created.success.map(\.title) == ["FILM 1", "FILM 2", "FILM 3"] && created.failed.count == 1)
            #expect(try await repository.update(films).value().success.map(\.title) == created.success.map(\.title))
            let more = try await repository.createAtomically([Film.numbered(4)]).value()
            #expect(more.map(\.title) == ["FILM 4"])
            let updated = try await repository.updateAtomically([Film.numbered(4, title: "x")]).value()
            #expect(updated.map(\.title) == ["X"])
            let upserted = try await repository.upsertAtomically([Film.numbered(4, title: "y"), Film.numbered(5)])
                .value()
            #expect(upserted.map(\.title) == ["Y", "FILM 5"])
        }
    }

    @Test("The first write after a trigger was created returns its change", arguments: StoreKind.allCases)
    func first(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            for number in 0..<2 { try await repository.create(Film.numbered(number)).value() }
            let title = try await repository.transaction { store in
                try Self.upper.run(kind, store)
                return try store.create(Film.numbered(5)).title
            }.value()
            #expect(title == "FILM 5")
            let drop = SpelledStatements(
                sqlite: ["DROP TRIGGER i", "DROP TRIGGER u"], postgres: [#"DROP TRIGGER i ON "Film""#])
            try await repository.transaction { try drop.run(kind, $0) }.value()
            #expect(try await repository.create(Film.numbered(6)).value().title == "Film 6")
        }
    }

    @Test("A returned item has its generated key and a trigger's values", arguments: StoreKind.allCases)
    func generated(kind: StoreKind) async throws {
        let triggers = SpelledStatements(
            sqlite: [
                """
                CREATE TRIGGER places AFTER INSERT ON Place BEGIN \
                UPDATE Place SET position = (SELECT count(*) FROM Place) WHERE id = new.id; END
                """
            ],
            postgres: [
                """
                CREATE FUNCTION place() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                UPDATE "Place" SET position = (SELECT count(*) FROM "Place") WHERE id = new.id; RETURN NULL; END $$
                """,
                #"CREATE TRIGGER places AFTER INSERT ON "Place" FOR EACH ROW EXECUTE FUNCTION place()"#,
            ])
        try await with(kind, [Place.self, Film.self], triggers: triggers) { repository async throws in
            for number in 1...3 {
                let place = try await repository.create(Place(id: 0, name: "\(number)", position: 0)).value()
                #expect(place == Place(id: number, name: "\(number)", position: number))
            }
            let again = try await repository.upsert(
                Place(id: 0, name: "4", position: 0), on: [\.name], updating: [\.position]
            ).value()
            #expect(again == Place(id: 4, name: "4", position: 4))
        }
    }

    @Test("Creating an item that a trigger deletes again fails", arguments: StoreKind.allCases)
    func gone(kind: StoreKind) async throws {
        let triggers = SpelledStatements(
            sqlite: ["CREATE TRIGGER gone AFTER INSERT ON Film BEGIN DELETE FROM Film WHERE id = new.id; END"],
            postgres: [
                """
                CREATE FUNCTION go() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                DELETE FROM "Film" WHERE id = new.id; RETURN NULL; END $$
                """,
                #"CREATE TRIGGER gone AFTER INSERT ON "Film" FOR EACH ROW EXECUTE FUNCTION go()"#,
            ])
        try await with(kind, triggers: triggers) { repository async throws in
            await expectFailure(
                { error in if case .constraint(.trigger, _, _, _) = error { true } else { false } },
                { try await repository.create(Film.numbered(7)).value() })
            #expect(try await repository.count(Film.self).value() == 1)
        }
    }

    @Test("A trigger that writes to another table does not change the item", arguments: StoreKind.allCases)
    func elsewhere(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            try await repository.transaction { store in
                try store.execute("CREATE TABLE Log (title TEXT)")
                try SpelledStatements(
                    sqlite: ["CREATE TRIGGER logs AFTER INSERT ON Film BEGIN INSERT INTO Log VALUES (new.title); END"],
                    postgres: [
                        """
                        CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                        INSERT INTO Log VALUES (new.title); RETURN NULL; END $$
                        """,
                        #"CREATE TRIGGER logs AFTER INSERT ON "Film" FOR EACH ROW EXECUTE FUNCTION log()"#,
                    ]
                ).run(kind, store)
            }.value()
            for number in 1...3 {
                #expect(try await repository.create(Film.numbered(number)).value() == Film.numbered(number))
            }
            #expect(try await repository.transaction { try $0.rows("SELECT * FROM Log") }.value().count == 3)
        }
    }
}

private struct Place: Entity, Equatable {
    var id: Int
    var name: String
    var position: Int
    static let schema = Schema(
        Column("id", \Place.id, .generated), Column("name", \.name, .unique), Column("position", \.position),
        make: Place.init)
}
