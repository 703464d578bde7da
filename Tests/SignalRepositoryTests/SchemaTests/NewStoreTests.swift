import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Synchronization
import Testing

@Suite("The initial content of a new store", .timeLimit(.minutes(10))) struct NewStoreTests {
    private struct Odd: Error {}

    /// A trigger that no entity declares, for old stores and new ones.
    private static let trims = SpelledStatements(
        sqlite: [
            """
            CREATE TRIGGER trims AFTER INSERT ON Film WHEN new.title <> trim(new.title) \
            BEGIN UPDATE Film SET title = trim(title) WHERE id = new.id; END
            """
        ],
        postgres: [
            """
            CREATE FUNCTION trims() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            new.title = trim(new.title); RETURN new; END $$
            """,
            #"CREATE TRIGGER trims BEFORE INSERT ON "Film" FOR EACH ROW EXECUTE FUNCTION trims()"#,
        ])

    @Test("A new store gets its first items and triggers exactly once", arguments: StoreKind.allCases)
    func once(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        let runs = Counter()
        let trims: @Sendable (MigrationTransaction) throws -> Void = { store in
            for sql in Self.trims.of(kind) { try store.execute(sql) }
        }
        func open() throws -> any Repository {
            try place.open(
                [Film.self, Numbered.self], [Migration("titles are trimmed", trims)],
                whenNew: { store in
                    runs.add()
                    try store.insert([Film.numbered(1)])
                    try trims(store)
                    let stored = try store.create(Numbered(id: 0, text: "one"))
                    #expect(stored.id == 1)
                    #expect(try store.create(Film.numbered(2, title: " 2 ")).title == "2")
                })
        }
        for opening in 1...3 {
            let repository = try open()
            let titles = try await repository.fetch(Film.all.sorted(by: \.title)).value().map(\.title)
            #expect(titles == ["2", "Film 1"])
            #expect(try await repository.fetch(Numbered.all).value() == [Numbered(id: 1, text: "one")])
            #expect(runs.value == (kind == .memory ? opening : 1))
            await closed(repository)
        }
    }

    @Test("An existing store runs its migrations, but not whenNew", arguments: StoreKind.kept)
    func old(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Film.self]) { try await $0.create(Film.numbered(3, title: " 3 ")).value() }
        let step = Migration("titles are trimmed") { store in
            let count = try store.execute("UPDATE \"Film\" SET title = trim(title)")
            #expect(count == 1)
        }
        for _ in 0..<2 {
            let repository = try place.open([Film.self], [step], whenNew: { _ in throw Odd() })
            #expect(try await repository.fetch(Film.all).value().map(\.title) == ["3"])
            await closed(repository)
        }
    }

    @Test("A failure leaves no store, and the next opening starts over", arguments: StoreKind.allCases)
    func failure(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        let bodies: [@Sendable (MigrationTransaction) throws -> Void] = [
            { _ in throw Odd() },
            { store in
                try store.insert([Film.numbered(1)])
                throw Odd()
            },
            { store in try store.insert([Film.numbered(1), Film.numbered(1)]) },
            { store in
                try store.execute(
                    "CREATE TRIGGER t AFTER INSERT ON \"Film\" BEGIN INSERT INTO Nowhere VALUES (1); END")
            },
            { store in try store.insert([Numbered(id: 1, text: "not opened")]) },
        ]
        for body in bodies {
            let error = try #require(throws: RepositoryError.self) { try place.open([Film.self], whenNew: body) }
            switch error {
            case .migrationFailed(step: "whenNew", _), .schemaMismatch: break
            default: Issue.record("\(error)")
            }
            let reading = try thrown { () throws(RepositoryError) in try place.open([Film.self], access: .readOnly) }
            switch (kind, reading) {
            case (.memory, .misuse), (.file, .cannotOpen): break
            case (.postgres, .schemaMismatch(let detail)): #expect(detail.contains("holds no store"))
            default: Issue.record("\(reading)")
            }
        }
        let repository = try place.open([Film.self], whenNew: { try $0.insert([Film.numbered(1)]) })
        #expect(try await repository.count(Film.self).value() == 1)
        await closed(repository)
    }

    // For a server, see SchemaOpenerTests.
    @Test("If several repositories open a new file at once, one of them runs whenNew")
    func atOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file()
        let runs = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { () async throws in
                    // Each opening has its own thread, so that a waiting one does not block the others.
                    let repository = try await withCheckedThrowingContinuation { opened in
                        Thread.detachNewThread {
                            var configuration = RepositoryConfiguration()
                            configuration.ownershipTimeout = .seconds(300)
                            let repository = Result<SQLiteRepository, any Error> {
                                try SQLiteRepository(
                                    .file(path), entities: Film.self,
                                    whenNew: { store in
                                        runs.add()
                                        try store.insert([Film.numbered(1)])
                                    }, configuration: configuration)
                            }
                            opened.resume(with: repository)
                        }
                    }
                    #expect(try await repository.count(Film.self).value() == 1)
                    await closed(repository)
                }
            }
            try await group.waitForAll()
        }
        #expect(runs.value == 1)
    }

    @Test("An opening while a file is being created finds nothing or the whole store")
    func meanwhile() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<100 {
            let path = folder.file("\(number).sqlite")
            async let made: Void = onThread { try Self.use(path) }
            async let read: Void = onThread { try Self.read(path) }
            try await onThread { try Self.use(path) }
            try await made
            try await read
        }
    }

    /// Opens a file as soon as no other repository owns it.
    private static func use(_ path: String) throws {
        while true {
            do throws(RepositoryError) {
                return try SQLiteRepository(.file(path), entities: Film.self).close().wait()
            } catch {
                guard case .ownedElsewhere = error else { throw error }
            }
        }
    }

    /// Reads a file as soon as it contains a store.
    private static func read(_ path: String) throws {
        while true {
            do throws(RepositoryError) {
                let repository = try SQLiteRepository(
                    .file(path), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
                #expect(try repository.count(Film.self).wait() == 0)
                return try repository.close().wait()
            } catch {
                switch error {
                case .cannotOpen(_, "the file does not exist"), .cannotOpen(_, "another program is creating it"): break
                case .notADatabase: break
                case .schemaMismatch("the file is an empty database"): break
                default: throw error
                }
            }
        }
    }

    @Test("The configured clock gives the first items their times", arguments: StoreKind.allCases)
    func clock(kind: StoreKind) async throws {
        let time = Date(timeIntervalSinceReferenceDate: 5)
        var configuration = RepositoryConfiguration()
        configuration.now = { time }
        let place = try StorePlace(kind)
        let repository = try place.open(
            [Stamped.self], whenNew: { try $0.insert([Stamped(id: 1, created: .distantPast)]) },
            configuration: configuration)
        #expect(try await repository.fetch(Stamped.all).value().map(\.created) == [time])
        await closed(repository)
    }
}

private struct Numbered: Entity, Equatable {
    var id: Int
    var text: String
    static let schema = Schema(Column("id", \Numbered.id, .generated), Column("text", \.text), make: Numbered.init)
}

private struct Stamped: Entity {
    let id: Int
    var created: Date
    static let schema = Schema(Column("id", \Stamped.id), Column("created", \.created, .created), make: Stamped.init)
}
