import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

@Suite("Opening on a server", .timeLimit(.minutes(10))) struct SchemaOpenerTests {
    private let place: StorePlace

    init() throws { place = try StorePlace(.postgres) }

    /// Opens the store on `count` threads at once, each with its own connection.
    private func openAtOnce(
        _ count: Int, _ open: @escaping @Sendable () throws -> any Repository,
        _ body: @escaping @Sendable (any Repository) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let repository = try await withCheckedThrowingContinuation { opened in
                        Thread.detachNewThread { opened.resume(with: Result { try open() }) }
                    }
                    try await body(repository)
                    await closed(repository)
                }
            }
            try await group.waitForAll()
        }
    }

    private static var patient: RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        configuration.ownershipTimeout = .seconds(300)
        return configuration
    }

    @Test("Of ten hosts that open an empty schema at once, one creates its contents, and all work on it")
    func atOnce() async throws {
        let runs = Counter()
        let place = place
        try await openAtOnce(
            10,
            {
                try place.open(
                    [OldFilm.self, OldNotice.self],
                    whenNew: { store in
                        runs.add()
                        try store.insert([OldFilm(id: 1, title: "one", studio: nil, gross: 15)])
                    }, configuration: Self.patient)
            },
            { repository async throws in
                #expect(try await repository.count(OldFilm.self).value() == 1)
            })
        #expect(runs.value == 1)
    }

    @Test("Of ten hosts that have a migration to run, one runs it, and all find it done")
    func migrationAtOnce() async throws {
        try await makeOld()
        let runs = Counter()
        let (place, step) = (place, Self.step)
        let counted = Migration("counted") { _ in runs.add() }
        try await openAtOnce(
            10, { try place.open([Reel.self, Notice.self], [step, counted], configuration: Self.patient) },
            { repository async throws in
                #expect(try await repository.sum(of: \Reel.cents).value() == 40)
            })
        #expect(runs.value == 1)
    }

    /// Makes a store of the first version: two films, one of them with a review.
    private func makeOld() async throws {
        try await place.with([OldFilm.self, OldNotice.self]) { repository async throws in
            try await repository.insert([
                OldFilm(id: 1, title: "one", studio: " Gramercy ", gross: 15),
                OldFilm(id: 2, title: "two", studio: nil, gross: 25),
            ]).value()
            try await repository.create(OldNotice(id: 7, film: 1)).value()
        }
    }

    /// Migrates from the first version to the second, in SQL.
    private static let step = Migration("OldFilm becomes Film") { store in
        try store.execute("ALTER TABLE \"OldFilm\" RENAME TO \"Film\"")
        try store.execute("ALTER TABLE \"Film\" RENAME COLUMN gross TO cents")
        let rows = try store.rows("SELECT id, studio FROM \"Film\" WHERE studio IS NOT NULL")
        #expect(rows.count == 1)
        let count = try store.execute("UPDATE \"Film\" SET studio = trim(studio) WHERE id = ?", 1)
        #expect(count == 1)
    }

    @Test("R12 Steps run once and in order, and references to a table that is renamed go on referring to it")
    func steps() async throws {
        try await makeOld()
        for _ in 0..<2 {
            try await place.with([Reel.self, Notice.self], [Self.step]) { repository async throws in
                let films = try await repository.fetch(Reel.all.sorted(by: \.id)).value()
                #expect(
                    films == [
                        Reel(id: 1, title: "one", studio: "Gramercy", cents: 15, rating: 5),
                        Reel(id: 2, title: "two", studio: nil, cents: 25, rating: 5),
                    ])
                await expectFailure(\.isConstraint) { try await repository.delete(Reel.self, id: 1).value() }
            }
        }
        let indexes = try place.rows(
            "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'Film' ORDER BY 1")
        #expect(indexes == ["index_Film(cents)", "key_OldFilm(id)", "unique_Film(title)"].map { [.text($0)] })
        #expect(
            try place.rows("SELECT name FROM signal_repository_migrations ORDER BY number")
                == [[.text("OldFilm becomes Film")]])
        let tooOld = try place.mismatch([Reel.self, Notice.self])
        #expect(tooOld.hasSuffix("this program is older than the store, or opens it without its migrations"))
        let later = Migration("later")
        let error = try place.refusal([Reel.self, Notice.self], [Self.step, later], access: .readOnly)
        #expect("\(error)".contains("the migration \"later\" was not run; open the schema for writing once to run it"))
    }

    @Test("R12 A failed step is named, and nothing of it or of earlier steps is kept")
    func failing() async throws {
        struct Refused: Error {}
        try await makeOld()
        let bodies: [@Sendable (MigrationTransaction) throws -> Void] = [
            { _ in throw Refused() },
            { try $0.execute("UPDATE \"Film\" SET id = 1") },
            { try $0.execute("UPDATE \"OldFilm\" SET id = 1") },
            { try $0.execute("COMMIT") },
            { _ = try $0.rows("DELETE FROM \"Film\" RETURNING id") },
        ]
        for body in bodies {
            let error = try place.refusal([Reel.self, Notice.self], [Self.step, Migration("the second", body)])
            guard case .migrationFailed("the second", _) = error else { return #expect(Bool(false), "\(error)") }
        }
        try await place.with([OldFilm.self, OldNotice.self]) { repository async throws in
            #expect(try await repository.sum(of: \OldFilm.gross).value() == 40)
        }
    }

    @Test("A server that ends the connection in the middle of a step leaves the store as it was")
    func ended() async throws {
        try await makeOld()
        let cut = Migration("cut off") { _ = try $0.rows("SELECT pg_terminate_backend(pg_backend_pid())") }
        let error = try place.refusal([Reel.self, Notice.self], [Self.step, cut])
        guard case .io = error else { return #expect(Bool(false), "\(error)") }
        try await place.with([OldFilm.self, OldNotice.self]) { repository async throws in
            #expect(try await repository.sum(of: \OldFilm.gross).value() == 40)
        }
        try await place.with([Reel.self, Notice.self], [Self.step]) { repository async throws in
            #expect(try await repository.sum(of: \Reel.cents).value() == 40)
        }
    }

    @Test("An open call that waits too long for a lock fails as .busy, and the store is as it was")
    func busy() async throws {
        try await makeOld()
        let other = try PostgresConnection(place.parameters)
        try other.run("BEGIN; SELECT gross FROM \"OldFilm\"")
        var configuration = RepositoryConfiguration()
        configuration.lockTimeout = .milliseconds(50)
        let error = try thrown { () throws(RepositoryError) in
            try place.open([Reel.self, Notice.self], [Self.step], configuration: configuration)
        }
        guard case .busy = error else { return #expect(Bool(false), "\(error)") }
        // A store that is as it is declared waits for nobody.
        await closed(try place.open([OldFilm.self, OldNotice.self], configuration: configuration))
        other.close()
        try await place.with([Reel.self, Notice.self], [Self.step]) { repository async throws in
            #expect(try await repository.sum(of: \Reel.cents).value() == 40)
        }
    }

    @Test("A table can be replaced: references to it stay, and are checked at the end")
    func replacing() async throws {
        try await makeOld()
        let replace: @Sendable (MigrationTransaction) throws -> Void = { store in
            try store.execute("CREATE TABLE \"Made\" (LIKE \"OldFilm\" INCLUDING ALL)")
            try store.execute("INSERT INTO \"Made\" SELECT * FROM \"OldFilm\"")
            try store.execute("DROP TABLE \"OldFilm\"")
            try store.execute("ALTER TABLE \"Made\" RENAME TO \"OldFilm\"")
            try store.renameTable("OldFilm", to: "Film")
            try store.renameColumn("gross", to: "cents", of: "Film")
        }
        let lost = Migration("replaced") { store in
            try replace(store)
            try store.execute("DELETE FROM \"Film\" WHERE id = 1")
        }
        let error = try place.refusal([Reel.self, Notice.self], [lost])
        #expect("\(error)".contains("after the migrations 1 of Review would refer to rows of Film that do not exist"))
        try await place.with([Reel.self, Notice.self], [Migration("replaced", replace)]) { repository async throws in
            #expect(try await repository.count(Notice.self).value() == 1)
            await expectFailure(\.isConstraint) { try await repository.delete(Reel.self, id: 1).value() }
            // The table that took the other's place reports its changes too.
            let total = repository.sumSubscription(of: \Reel.cents).record()
            #expect(await total.values(1) == [40])
            try place.run("UPDATE \"Film\" SET cents = 16 WHERE id = 1")
            #expect(await total.values(2) == [40, 41])
        }
    }

    @Test("A table that is made again keeps the views and indexes that others have added to it")
    func recreated() async throws {
        try await place.with([Item.self]) { repository async throws in
            try await repository.insert([Item(id: "a", rank: 1, note: "x"), Item(id: "b", rank: 2, note: "y")]).value()
        }
        try place.run(
            "CREATE VIEW ranks AS SELECT rank FROM \"Item\"; CREATE INDEX own ON \"Item\" (rank) WHERE rank > 0")
        let step = Migration("by rank") { store in
            let count = try store.recreateTable(Ranked.self, from: ["text": "note", "name": "id"])
            #expect(count == 2)
        }
        try await place.with([Ranked.self], [step]) { repository async throws in
            let items = try await repository.fetch(Ranked.all.sorted(by: \.id)).value()
            #expect(items == [Ranked(id: 1, name: "a", text: "x"), Ranked(id: 2, name: "b", text: "y")])
            // Generated numbers go on after the existing ones.
            try await repository.transaction { try $0.insert([Ranked(id: 0, name: "c", text: "z")]) }.value()
            let found = try await repository.fetch(Ranked.where { $0.name == "c" }).value()
            #expect(found.map(\.id) == [3])
        }
        #expect(try place.rows("SELECT count(*) FROM ranks") == [[.integer(3)]])
        let own = "SELECT count(*) FROM pg_indexes WHERE indexname = 'own' AND schemaname = current_schema()"
        #expect(try place.rows(own) == [[.integer(1)]])
    }
}

// Read-only stores, and inferred changes.
extension SchemaOpenerTests {
    @Test("R12 A read-only store changes nothing, refuses writes, and receives the commits of others")
    func reading() async throws {
        let writer = try place.open([Film.self])
        try await writer.create(Film.numbered(1)).value()
        let missing = try place.mismatch([Film.self, Box<Int>.self], access: .readOnly)
        #expect(missing.hasPrefix("Box is missing; open the schema"))
        let reader = try place.open([Film.self], access: .readOnly)
        let count = reader.countSubscription(Film.self).record()
        #expect(await count.values(1) == [1])
        try await writer.create(Film.numbered(2)).value()
        #expect(await count.values(2) == [1, 2])
        await expectFailure(\.isReadOnly) { try await reader.create(Film.numbered(3)).value() }
        // The identity exists from the beginning, and is the same for all.
        let url = try await reader.url(Film.self, id: Film.id(1)).value()
        #expect(try await writer.url(Film.self, id: Film.id(1)).value() == url)
        await closed(reader)
        await closed(writer)
    }

    @Test("Columns, indexes and optionality follow the declaration; columns with values are dropped only as declared")
    func inferred() async throws {
        try await place.with([Item.self]) { repository async throws in
            try await repository.insert([Item(id: "a", rank: 1, note: "x"), Item(id: "b", rank: 2, note: "y")]).value()
        }
        try await place.with([More.self]) { repository async throws in
            let items = try await repository.fetch(More.all.sorted(by: \.id)).value()
            #expect(items.map(\.price) == [2.5, 2.5] && items.map(\.ratio) == [0.1, 0.1])
            #expect(items.map(\.owner) == [More.someone, More.someone])
            try await repository.create(
                More(id: "c", rank: nil, note: "z", price: 1, ratio: 2, owner: More.someone)
            ).value()
        }
        #expect(
            try place.rows(
                """
                SELECT (indexdef LIKE '%NULLS FIRST%')::int::bigint FROM pg_indexes \
                WHERE indexname = 'index_Item(rank)' AND schemaname = current_schema()
                """) == [[.integer(1)]])
        let detail = try place.mismatch([Less.self])
        #expect(detail.contains("Item.rank is no longer declared and holds 2 values"))
        let dropping = ["note", "price", "ratio", "owner", "rank"].map { DroppedColumn.column($0, of: Less.self) }
        try await place.with([Less.self], dropping: dropping) { repository async throws in
            #expect(try await repository.count(Less.self).value() == 3)
        }
    }
}

private struct Item: Entity, Equatable {
    let id: String
    var rank: Int
    var note: String
    static let schema = Schema(
        Column("id", \Item.id), Column("rank", \.rank, .indexed), Column("note", \.note), make: Item.init)
}

/// `Item` with a new column of each kind, and one that has become optional.
private struct More: Entity, Equatable {
    let id: String
    var rank: Int?
    var note: String
    var price: Decimal
    var ratio: Double
    var owner: UUID
    static let someone = Film.id(5)
    static let entityName = "Item"
    static let schema = Schema(
        Column("id", \More.id), Column("rank", \.rank, .indexed), Column("note", \.note),
        Column("price", \.price, .scale(2), .default(2.5)), Column("ratio", \.ratio, .default(0.1)),
        Column("owner", \.owner, .default(More.someone)), make: More.init)
}

private struct Less: Entity {
    let id: String
    static let entityName = "Item"
    static let schema = Schema(Column("id", \Less.id), make: Less.init)
}

/// `Item` with another key, which the store generates.
private struct Ranked: Entity, Equatable {
    let id: Int
    var name: String
    var text: String
    static let entityName = "Item"
    static let schema = Schema(
        Column("rank", \Ranked.id, .generated), Column("name", \.name, .unique), Column("text", \.text),
        make: Ranked.init)
}
