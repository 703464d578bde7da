import Foundation
import SignalRepository
import Signals
import Testing

/// Custom triggers on the tables of entities.
@Suite("Triggers", .timeLimit(.minutes(10))) struct TriggerTests {
    /// A function with which a PostgreSQL trigger skips a row.
    private static let nothing: SQL =
        "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$"

    private func make(
        _ kind: StoreKind, _ trigger: SpelledStatements, _ body: (any Repository) async throws -> Void
    ) async throws {
        try await withRepository(kind) { repository async throws in
            try await repository.insert((0..<3).map { Film.numbered($0) }).value()
            try await repository.transaction { try trigger.run(kind, $0) }.value()
            try await body(repository)
        }
    }

    private func expectIgnored<Value>(
        index: Int? = nil, id: Int = 5, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Value
    ) async {
        await expectFailure(
            { error in
                guard case .constraint(.trigger, [], _, let item) = error else { return false }
                return item == FailedItem(entity: "Film", id: "\(Film.id(id))", index: index)
            }, sourceLocation: sourceLocation, body)
    }

    @Test("R12 an item that a trigger ignored is not reported as stored", arguments: StoreKind.allCases)
    func ignoredInsertion(kind: StoreKind) async throws {
        try await make(
            kind,
            SpelledStatements(
                sqlite: [
                    """
                    CREATE TRIGGER picky BEFORE INSERT ON Film WHEN new.title = 'Film 5' \
                    BEGIN SELECT RAISE(IGNORE); END
                    """
                ],
                postgres: [
                    Self.nothing,
                    """
                    CREATE TRIGGER picky BEFORE INSERT ON "Film" FOR EACH ROW WHEN (new.title = 'Film 5') \
                    EXECUTE FUNCTION nothing()
                    """,
                ])
        ) { repository async throws in
            let five = Film.numbered(5)
            await expectIgnored { try await repository.create(five).value() }
            await expectIgnored { try await repository.upsert(five).value() }
            await expectIgnored(index: 1) { try await repository.insert([.numbered(4), five]).value() }
            await expectIgnored(index: 1) { try await repository.insertReturningIDs([.numbered(4), five]).value() }
            await expectIgnored(index: 1) { try await repository.createAtomically([.numbered(4), five]).value() }
            let many = (10..<40).map { Film.numbered($0) } + [five, .numbered(40)]
            await expectIgnored(index: 30) { try await repository.insert(many).value() }
            await expectIgnored(index: 30) { try await repository.insertReturningIDs(many).value() }
            let report = try await repository.create([five, .numbered(6)]).value()
            #expect(report.success == [.numbered(6)] && report.failed.map(\.item) == [five])
            #expect(try await repository.count(Film.self).value() == 4)
        }
    }

    private static let ids = SpelledStatements(
        sqlite: [
            """
            CREATE TRIGGER ids AFTER INSERT ON Plain WHEN new.name = 'b' BEGIN \
            UPDATE Plain SET id = 9 WHERE id = new.id; END
            """
        ],
        postgres: [
            """
            CREATE FUNCTION ids() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            UPDATE "Plain" SET id = 9 WHERE id = new.id AND name = 'b'; RETURN NULL; END $$
            """,
            #"CREATE TRIGGER ids AFTER INSERT ON "Plain" FOR EACH ROW EXECUTE FUNCTION ids()"#,
        ])
    private static let names = SpelledStatements(
        sqlite: [
            """
            CREATE TRIGGER names AFTER INSERT ON Plain BEGIN \
            UPDATE Plain SET name = upper(name) WHERE id = new.id; END
            """
        ],
        postgres: [
            """
            CREATE FUNCTION names() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            UPDATE "Plain" SET name = upper(name) WHERE id = new.id; RETURN NULL; END $$
            """,
            #"CREATE TRIGGER names AFTER INSERT ON "Plain" FOR EACH ROW EXECUTE FUNCTION names()"#,
        ])
    private static let removes = SpelledStatements(
        sqlite: [
            """
            CREATE TRIGGER removes AFTER INSERT ON Plain WHEN new.name = 'b' BEGIN \
            DELETE FROM Plain WHERE id = new.id; END
            """
        ],
        postgres: [
            """
            CREATE FUNCTION removes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            DELETE FROM "Plain" WHERE id = new.id AND name = 'b'; RETURN NULL; END $$
            """,
            #"CREATE TRIGGER removes AFTER INSERT ON "Plain" FOR EACH ROW EXECUTE FUNCTION removes()"#,
        ])

    @Test(
        "R12 returned ids are those of stored items: a trigger that changes one is refused",
        arguments: [StoreKind.memory, .postgres])
    func changedIDs(kind: StoreKind) async throws {
        for (trigger, isKept) in [(Self.ids, false), (Self.names, true), (Self.removes, false)] {
            try await withRepository(kind, [Plain.self]) { repository async throws in
                try await repository.transaction { try trigger.run(kind, $0) }.value()
                let items = [Plain(id: 0, name: "a"), Plain(id: 5, name: "b"), Plain(id: 0, name: "c")]
                if isKept {
                    #expect(try await repository.insertReturningIDs(items).value() == [1, 5, 6])
                    let stored = try await repository.fetch(Plain.all).value()
                    #expect(stored.map(\.name) == ["A", "B", "C"])
                } else {
                    let isNamed: (RepositoryError) -> Bool = { error in
                        guard case .constraint(.trigger, _, _, let item) = error else { return false }
                        return item == FailedItem(entity: "Plain", id: "5", index: 1)
                    }
                    await expectFailure(isNamed) { try await repository.insertReturningIDs(items).value() }
                    #expect(try await repository.count(Plain.self).value() == 0)
                }
            }
        }
    }

    struct Plain: Entity {
        let id: Int
        var name: String
        static let schema = Schema(Column("id", \Plain.id, .generated), Column("name", \.name), make: Plain.init)
    }

    @Test("R12 a change that a trigger ignored is not reported as a missing item", arguments: StoreKind.allCases)
    func ignoredChange(kind: StoreKind) async throws {
        try await make(
            kind,
            SpelledStatements(
                sqlite: [
                    """
                    CREATE TRIGGER keeps BEFORE UPDATE ON Film WHEN old.title = 'Film 2' \
                    BEGIN SELECT RAISE(IGNORE); END
                    """
                ],
                postgres: [
                    Self.nothing,
                    """
                    CREATE TRIGGER keeps BEFORE UPDATE ON "Film" FOR EACH ROW WHEN (old.title = 'Film 2') \
                    EXECUTE FUNCTION nothing()
                    """,
                ])
        ) { repository async throws in
            await expectIgnored(id: 2) { try await repository.update(Film.numbered(2, title: "new")).value() }
            await expectIgnored(id: 2) { try await repository.upsert(Film.numbered(2, title: "new")).value() }
            await expectFailure(\.isNotFound) { try await repository.update(Film.numbered(9)).value() }
            let changed = try await repository.update(Film.self, set: [.set(\.studio, to: "A24")]) { _ in .true }
                .value()
            #expect(changed == 2)
        }
        try await make(
            kind,
            SpelledStatements(
                sqlite: [
                    """
                    CREATE TRIGGER keeps BEFORE DELETE ON Film WHEN old.title = 'Film 2' \
                    BEGIN SELECT RAISE(IGNORE); END
                    """
                ],
                postgres: [
                    Self.nothing,
                    """
                    CREATE TRIGGER keeps BEFORE DELETE ON "Film" FOR EACH ROW WHEN (old.title = 'Film 2') \
                    EXECUTE FUNCTION nothing()
                    """,
                ])
        ) { repository async throws in
            await expectIgnored(id: 2) { try await repository.delete(Film.self, id: Film.id(2)).value() }
            await expectFailure(\.isNotFound) { try await repository.delete(Film.self, id: Film.id(9)).value() }
            #expect(try await repository.delete(Film.self) { _ in .true }.value() == 2)
        }
    }

    @Test("An entity with only an id can be upserted repeatedly", arguments: StoreKind.allCases)
    func onlyKey(kind: StoreKind) async throws {
        struct Only: Entity, Equatable {
            let id: Int
            static let schema = Schema(Column("id", \Only.id), make: Only.init)
        }
        try await withRepository(kind, [Only.self]) { repository async throws in
            for _ in 0..<2 { try await repository.upsert(Only(id: 1)).value() }
            #expect(try await repository.fetch(Only.all).value() == [Only(id: 1)])
        }
    }

    // PostgreSQL checks the body of a trigger only when it runs.
    @Test(
        "A trigger that would break every later write is found when the file is opened",
        arguments: [
            "CREATE TRIGGER words AFTER INSERT ON Film BEGIN INSERT INTO Gone (title) VALUES (new.title); END",
            "CREATE TRIGGER words AFTER UPDATE ON Film BEGIN DELETE FROM Gone; END",
            "CREATE TRIGGER words AFTER DELETE ON Film BEGIN INSERT INTO Gone VALUES (old.title); END",
        ])
    func broken(trigger: String) async throws {
        try await withFolder { folder async throws in
            let path = folder + "/store.sqlite"
            let first = try SQLiteRepository(.file(path), entities: Film.self)
            try await first.create(Film.numbered(1)).value()
            await closed(first)
            let other = try RawDatabase(path)
            try other.run(trigger)
            other.close()
            await expectFailure({ error in
                guard case .schemaMismatch(let detail) = error else { return false }
                return detail.contains("Film") && detail.contains("trigger")
            }) { try SQLiteRepository(.file(path), entities: Film.self) }
            // The file can still be read, and a migration step can repair it.
            let reader = try SQLiteRepository(
                .file(path), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
            #expect(try await reader.count(Film.self).value() == 1)
            await closed(reader)
            let mended = try SQLiteRepository(
                .file(path), entities: Film.self,
                migrations: [Migration("no trigger") { try $0.execute("DROP TRIGGER words") }])
            try await mended.create(Film.numbered(2)).value()
            await closed(mended)
        }
    }

    @Test("B15 insert refuses items that a trigger removed, as other endpoints do", arguments: StoreKind.allCases)
    func removedInsertions(kind: StoreKind) async throws {
        let trigger: SQL = """
            CREATE TRIGGER gone AFTER INSERT ON Film WHEN new.title = 'Film 5' \
            BEGIN DELETE FROM Film WHERE id = new.id; END
            """
        let server: [SQL] = [
            """
            CREATE FUNCTION gone() RETURNS trigger LANGUAGE plpgsql AS \
            $$BEGIN DELETE FROM "Film" WHERE id = new.id; RETURN NULL; END$$
            """,
            """
            CREATE TRIGGER gone AFTER INSERT ON "Film" FOR EACH ROW WHEN (new.title = 'Film 5') \
            EXECUTE FUNCTION gone()
            """,
        ]
        try await make(kind, SpelledStatements(sqlite: [trigger], postgres: server)) { repository async throws in
            let films = [Film.numbered(4), .numbered(5), .numbered(6)]
            await expectIgnored(index: 1) { try await repository.insert(films).value() }
            await expectIgnored(index: 1) { try await repository.insert(Film.self) { films }.value() }
            await expectIgnored(index: 1) { try await repository.insertReturningIDs(films).value() }
            await expectIgnored(index: 1) {
                try await repository.transaction { store in _ = try store.insert(films) }.value()
            }
            #expect(try await repository.count(Film.self).value() == 3)
            #expect(try await repository.insert([Film.numbered(7), .numbered(8)]).value() == 2)
        }
    }

    private static let shout = "CREATE TRIGGER loud AFTER INSERT ON Film BEGIN SELECT shout(new.title); END"

    @Test(
        "S-L8 A trigger that cannot run is refused with the transaction that creates it",
        arguments: StoreKind.local,
        [shout, "CREATE TRIGGER lost AFTER DELETE ON Film BEGIN INSERT INTO Nowhere VALUES (old.id); END"])
    func impossibleTrigger(kind: StoreKind, sql: String) async throws {
        var configuration = RepositoryConfiguration()
        configuration.functions = [SQLFunction("shout") { (text: String) in text.uppercased() }]
        let isCall = sql == Self.shout
        try await withSQLite(kind, configuration: configuration) { repository async throws in
            for isNested in [false, true] {
                await expectFailure({ error in
                    guard case .schemaMismatch(let detail) = error else { return false }
                    return detail.contains("Film cannot be written")
                        && detail.contains(isCall ? "shout(), which only a statement can call" : "the table Nowhere")
                }) {
                    try await repository.transaction { store in
                        try store.create(Film.numbered(1))
                        guard isNested else { return _ = try store.execute(SQL(unsafe: sql)) }
                        try store.transaction { try $0.execute(SQL(unsafe: sql)) }
                    }.value()
                }
            }
            #expect(try await repository.count(Film.self).value() == 0)
            try await repository.create(Film.numbered(1)).value()
            // A trigger may be created before the table that it writes to.
            try await repository.transaction { store in
                try store.execute(
                    "CREATE TRIGGER later AFTER INSERT ON Film BEGIN INSERT INTO Later VALUES (1); END")
                try store.execute("CREATE TABLE Later (n INTEGER)")
            }.value()
            try await repository.create(Film.numbered(2)).value()
            #expect(try await repository.rows("SELECT count(*) FROM Later", as: Int.self).value() == [1])
        }
    }
}
