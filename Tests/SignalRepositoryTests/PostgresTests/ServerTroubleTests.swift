import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

/// Privileges, locks and tables of others, and statements that do more than their text says.
@Suite("R12 R14 A server in use by others", .timeLimit(.minutes(10))) struct ServerTroubleTests {
    private let place: StorePlace
    private let schema: String
    private var store: String { place.parameters }

    init() throws {
        place = try StorePlace(.postgres)
        schema = try #require(place.parameters.split(separator: "=").last.map(String.init))
    }

    private var quick: RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        (configuration.lockTimeout, configuration.watchInterval) = (.milliseconds(200), .milliseconds(20))
        return configuration
    }

    @Test("R9 A read that is cancelled leaves its connection as it was")
    func cancelled() async throws {
        var configuration = RepositoryConfiguration()
        configuration.readers = 1
        let store = try TestServer.shared.get().store()
        let repository = try PostgresRepository(store, entities: Film.self, configuration: configuration)
        let number = repository.rows("SELECT pg_backend_pid()", as: Int.self)
        let before = try await number.value()
        let plain = try PostgresConnection(store)
        for _ in 0..<3 {
            let reading = repository.read { try $0.rows("SELECT pg_sleep(600)") }.record()
            let sleeping = "SELECT 1 FROM pg_stat_activity WHERE pid = \(before[0]) AND query LIKE '%pg_sleep%'"
            while try plain.rows("\(sleeping) AND state = 'active'").isEmpty { await Task.yield() }
            reading.cancel()
            #expect(try await number.value() == before)
        }
        plain.close()
        await closed(repository)
    }

    @Test("P5 Many items, or a large one, that wait for a lock for too long fail as .busy, and none is stored")
    func lockedTable() async throws {
        let repository = try PostgresRepository(
            store, entities: Film.self, liveSource: .notifications, configuration: quick)
        try await repository.insert([Film.numbered(1)]).value()
        let other = try PostgresConnection(store)
        let large = Film.numbered(2, title: String(repeating: "x", count: 70_000))
        for films in [(10..<5_000).map { Film.numbered($0) }, [large]] {
            try other.run("BEGIN; LOCK TABLE \"Film\" IN ACCESS EXCLUSIVE MODE")
            await expectFailure({ if case .busy = $0 { true } else { false } }) {
                try await repository.insert(films).value()
            }
            try other.run("ROLLBACK")
            #expect(try await repository.count(Film.self).value() == 1)
        }
        try await repository.insert([large]).value()
        await closed(repository)
    }

    @Test(
        "P3 A table that the role may not read fails its own query alone",
        arguments: [LiveSource.replication, .notifications])
    func unreadable(_ source: LiveSource) async throws {
        let owner = try PostgresRepository(store, entities: Film.self, Place.self, liveSource: source)
        try await owner.create(Film.numbered(1)).value()
        let role = "reader_\(schema)_\(source)"
        try place.run(
            """
            CREATE ROLE \(role) LOGIN REPLICATION; GRANT USAGE ON SCHEMA \(schema) TO \(role); \
            GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role); REVOKE SELECT ON "Place" FROM \(role)
            """)
        let reader = try PostgresRepository(
            store.replacing("user=main", with: "user=\(role)"), entities: [Film.self, Place.self],
            liveSource: source, configuration: quick.with(access: .readOnly))
        let films = reader.countSubscription(Film.self).record()
        _ = await films.values(1)
        let places = reader.countSubscription(Place.self).record()
        let end = await places.end()
        let isRefused = if case .failure(let error)? = end { error.isCannotOpen } else { false }
        #expect(isRefused, "\(String(describing: end))")
        try await owner.create(Film.numbered(2)).value()
        await films.reaches { $0 == 2 }
        films.cancel()
        await closed(reader)
        await closed(owner)
    }

    @Test("P9 A statement that no longer compiles leaves the transaction as it was")
    func droppedTable() async throws {
        let repository = try PostgresRepository(
            store, entities: Film.self, Place.self, liveSource: .notifications)
        try place.run("DROP TABLE \"Place\"")
        try await repository.transaction { store in
            try store.create(Film.numbered(1))
            #expect(throws: RepositoryError.self) { try store.count(Place.self) }
            try store.create(Film.numbered(2))
        }.value()
        #expect(try await repository.count(Film.self).value() == 2)
        await closed(repository)
    }

    @Test("P6 A read cannot write, whatever function it calls")
    func writingFunction() async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: .notifications)
        try await repository.create(Film.numbered(1)).value()
        try place.run(
            """
            CREATE TABLE plain (n bigint); CREATE FUNCTION bump() RETURNS bigint LANGUAGE sql AS \
            $$ INSERT INTO plain VALUES (1) RETURNING n $$
            """)
        await expectFailure(\.isReadOnly) { try await repository.fetch(Film.where(.raw("bump() > 0"))).value() }
        await expectFailure(\.isReadOnly) { try await repository.read { try $0.rows("SELECT bump()") }.value() }
        #expect(try PostgresConnection(store).rows("SELECT count(*) FROM plain") == [[.integer(0)]])
        await closed(repository)
    }

    @Test(
        "R14 A raw live query receives the commits of others to a table outside the entities",
        arguments: [LiveSource.replication, .notifications])
    func plainTable(_ source: LiveSource) async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: source, configuration: quick)
        await repository.streaming()
        try place.run("CREATE TABLE plain (id bigint); INSERT INTO plain VALUES (1)")
        let largest = repository.follow(
            LiveQuery { try $0.rows("SELECT max(id) FROM plain") }
        ).record()
        _ = await largest.values(1)
        for number in 2...4 {
            try place.run("INSERT INTO plain VALUES (\(number))")
            await largest.reaches { $0.value == [[.integer(Int64(number))]] }
        }
        largest.cancel()
        await closed(repository)
    }

    @Test("P13 A table that moved to another schema is not the store's, whatever is written there")
    func movedTable() async throws {
        let repository = try PostgresRepository(
            store, entities: Film.self, liveSource: .replication, configuration: quick)
        await repository.streaming()
        try await repository.insert((1...3).map { Film.numbered($0) }).value()
        let count = repository.countSubscription(Film.self).record()
        _ = await count.values(1)
        try place.run(
            """
            CREATE SCHEMA moved_\(schema); ALTER TABLE "Film" SET SCHEMA moved_\(schema); \
            CREATE TABLE "Film" (LIKE moved_\(schema)."Film" INCLUDING ALL)
            """)
        for _ in 0..<20 {
            try place.run(
                """
                INSERT INTO moved_\(schema)."Film" (id, title, "releaseDate", "boxOffice") \
                SELECT gen_random_uuid(), title, "releaseDate", "boxOffice" FROM moved_\(schema)."Film" LIMIT 1
                """)
        }
        try await repository.create(Film.numbered(30)).value()
        await count.reaches { $0 == 1 }
        #expect(count.values.allSatisfy { [3, 0, 1].contains($0) }, "\(count.values)")
        await closed(repository)
    }

    @Test("P10 A connection that ended before COMMIT is .io: nothing was stored, and that is known")
    func endedBeforeCommit() async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: .notifications)
        try await repository.create(Film.numbered(1)).value()
        let parameters = store
        let process = try await repository.transaction { store in
            try store.rows("SELECT pg_backend_pid()::bigint")[0][0]
        }.value()
        guard case .integer(let process) = process else { return #expect(Bool(false), "\(process)") }
        await expectFailure(\.isIO) {
            try await repository.transaction { store in
                let plain = try PostgresConnection(parameters)
                try store.create(Film.numbered(2))
                _ = try plain.rows("SELECT pg_terminate_backend(\(process))")
                while try !plain.rows("SELECT 1 FROM pg_stat_activity WHERE pid = \(process)").isEmpty {}
            }.value()
        }
        #expect(try await repository.count(Film.self).value() == 1)
        await closed(repository)
    }

    @Test("A large object identifier has no sign, and a statement with a NUL is refused")
    func rawValues() async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: .notifications)
        try await repository.create(Film.numbered(1)).value()
        let rows = try await repository.read { try $0.rows("SELECT 3000000000::oid") }.value()
        #expect(rows == [[.integer(3_000_000_000)]])
        await expectFailure(\.isMisuse) {
            try await repository.transaction { try $0.execute(SQL(unsafe: "DELETE FROM \"Film\"\0 WHERE false")) }
                .value()
        }
        #expect(try await repository.count(Film.self).value() == 1)
        await closed(repository)
    }
}

private struct Place: Entity, Equatable {
    let id: Int
    var name: String

    static let schema = Schema(Column("id", \Place.id), Column("name", \.name), make: Place.init)
}
