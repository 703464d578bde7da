import Foundation
import SignalRepository
import Signals
import Testing

/// Triggers that somebody gave to the tables of entities.
@Suite("Triggers", .timeLimit(.minutes(10))) struct TriggerTests {
    private func make(_ kind: StoreKind, _ trigger: StaticString, _ body: (SQLiteRepository) async throws -> Void)
        async throws
    {
        try await withSQLite(kind) { repository async throws in
            try await repository.insert((0..<3).map { Film.numbered($0) }).value()
            try await repository.transaction { try $0.execute(trigger) }.value()
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

    @Test("R12 an item that a trigger had ignored is no stored item", arguments: StoreKind.local)
    func ignoredInsertion(kind: StoreKind) async throws {
        try await make(
            kind, "CREATE TRIGGER picky BEFORE INSERT ON Film WHEN new.title = 'Film 5' BEGIN SELECT RAISE(IGNORE); END"
        ) { repository async throws in
            let five = Film.numbered(5)
            await expectIgnored { try await repository.create(five).value() }
            await expectIgnored { try await repository.upsert(five).value() }
            await expectIgnored(index: 1) { try await repository.insert([.numbered(4), five]).value() }
            await expectIgnored(index: 1) { try await repository.insertReturningIDs([.numbered(4), five]).value() }
            await expectIgnored(index: 1) { try await repository.createAtomically([.numbered(4), five]).value() }
            let report = try await repository.create([five, .numbered(6)]).value()
            #expect(report.success == [.numbered(6)] && report.failed.map(\.item) == [five])
            #expect(try await repository.count(Film.self).value() == 4)
        }
    }

    @Test("R12 ids are those of what is stored: a trigger that changes one is refused, and nothing stays")
    func changedIDs() async throws {
        let ids: StaticString = """
            CREATE TRIGGER moves AFTER INSERT ON Plain WHEN new.name = 'b' BEGIN \
            UPDATE Plain SET id = 9 WHERE id = new.id; END
            """
        let names: StaticString = """
            CREATE TRIGGER shouts AFTER INSERT ON Plain BEGIN \
            UPDATE Plain SET name = upper(name) WHERE id = new.id; END
            """
        let removes: StaticString = """
            CREATE TRIGGER removes AFTER INSERT ON Plain WHEN new.name = 'b' BEGIN \
            DELETE FROM Plain WHERE id = new.id; END
            """
        for (trigger, isKept) in [(ids, false), (names, true), (removes, false)] {
            try await withRepository(.memory, [Plain.self]) { repository async throws in
                _ = try await repository.transaction { try $0.execute(trigger) }.value()
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

    @Test("R12 a change that a trigger had ignored is not a missing item", arguments: StoreKind.local)
    func ignoredChange(kind: StoreKind) async throws {
        try await make(
            kind, "CREATE TRIGGER keeps BEFORE UPDATE ON Film WHEN old.title = 'Film 2' BEGIN SELECT RAISE(IGNORE); END"
        ) { repository async throws in
            await expectIgnored(id: 2) { try await repository.update(Film.numbered(2, title: "new")).value() }
            await expectIgnored(id: 2) { try await repository.upsert(Film.numbered(2, title: "new")).value() }
            await expectFailure(\.isNotFound) { try await repository.update(Film.numbered(9)).value() }
            let changed = try await repository.update(Film.self, set: [.set(\.studio, to: "A24")], where: nil).value()
            #expect(changed == 2)
        }
        try await make(
            kind, "CREATE TRIGGER keeps BEFORE DELETE ON Film WHEN old.title = 'Film 2' BEGIN SELECT RAISE(IGNORE); END"
        ) { repository async throws in
            await expectIgnored(id: 2) { try await repository.delete(Film.self, id: Film.id(2)).value() }
            await expectFailure(\.isNotFound) { try await repository.delete(Film.self, id: Film.id(9)).value() }
            #expect(try await repository.delete(Film.self, where: nil).value() == 2)
        }
    }

    @Test("An entity of nothing but its id is upserted again and again")
    func onlyKey() async throws {
        struct Only: Entity, Equatable {
            let id: Int
            static let schema = Schema(Column("id", \Only.id), make: Only.init)
        }
        try await withRepository(.memory, [Only.self]) { repository async throws in
            for _ in 0..<2 { try await repository.upsert(Only(id: 1)).value() }
            #expect(try await repository.fetch(Only.all).value() == [Only(id: 1)])
        }
    }

    @Test(
        "A trigger that would break every later write is found when the file is opened",
        arguments: [
            "CREATE TRIGGER words AFTER INSERT ON Film BEGIN INSERT INTO Words (title) VALUES (new.title); END",
            "CREATE TRIGGER words AFTER UPDATE ON Film BEGIN DELETE FROM Words; END",
            "CREATE TRIGGER words AFTER DELETE ON Film BEGIN INSERT INTO Gone VALUES (old.title); END",
        ])
    func broken(trigger: String) async throws {
        try await withFolder { folder async throws in
            let path = folder + "/store.sqlite"
            let first = try SQLiteRepository(.file(path), entities: Film.self)
            try await first.create(Film.numbered(1)).value()
            await closed(first)
            let other = try RawDatabase(path)
            try other.run("CREATE VIRTUAL TABLE Words USING fts5(title)")
            try other.run(trigger)
            other.close()
            await expectFailure({ error in
                guard case .schemaMismatch(let detail) = error else { return false }
                return detail.contains("Film") && detail.contains("trigger")
            }) { try SQLiteRepository(.file(path), entities: Film.self) }
            // It can still be read, and mended by a step.
            let reader = try SQLiteRepository(.file(path), entities: Film.self, access: .readOnly)
            #expect(try await reader.count(Film.self).value() == 1)
            await closed(reader)
            let mended = try SQLiteRepository(
                .file(path), entities: Film.self,
                migrations: [Migration("no trigger") { try $0.execute("DROP TRIGGER words") }])
            try await mended.create(Film.numbered(2)).value()
            await closed(mended)
        }
    }
}
