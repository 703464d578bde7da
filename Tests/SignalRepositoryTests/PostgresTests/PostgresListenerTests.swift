import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// Commits that a server reports by notification while somebody follows.
@Suite("R14 Notifications of a server", .timeLimit(.minutes(10))) struct PostgresListenerTests {
    private static func open(_ store: String) throws -> PostgresRepository {
        try PostgresRepository(store, entities: Film.self, Follower.self, liveSource: .notifications)
    }

    /// Makes a trigger that adds a row to another table for each film; no statement of the library writes that table.
    private static func entangle(_ store: String) throws {
        try TestServer.shared.get().run(
            """
            CREATE FUNCTION entangle() RETURNS trigger LANGUAGE plpgsql AS \
            $$ BEGIN INSERT INTO "Follower" VALUES (NEW.id, NEW.title) \
            ON CONFLICT (id) DO UPDATE SET name = excluded.name; RETURN NULL; END $$; \
            CREATE TRIGGER entangle AFTER INSERT OR UPDATE ON "Film" \
            FOR EACH ROW EXECUTE FUNCTION entangle()
            """, on: store)
    }

    @Test("Rows that triggers of others write are followed, whenever queries come and go, whichever program commits")
    func triggers() async throws {
        let store = try TestServer.shared.get().store()
        let repository = try Self.open(store)
        try Self.entangle(store)
        let other = try Self.open(store)
        let query = Follower.all.sorted(by: \.name)
        var number = 0
        for round in 0..<40 {
            let recorder = repository.fetchSubscription(query).record()
            if round % 3 > 0 { _ = await recorder.values(1) }
            for writer in [repository, other, repository] where (round + number) % 4 > 0 {
                number += 1
                try await writer.create(Film.numbered(number)).value()
            }
            let expected = try await repository.fetch(query).value()
            #expect(await recorder.last(where: { $0 == expected }) == expected)
            recorder.cancel()
            // Nobody follows now, and the server stops notifying.
            number += 1
            try await repository.create(Film.numbered(number)).value()
            if round % 5 == 0 { try await other.create(Film.numbered(number + 1_000)).value() }
        }
        await closed(repository)
        await closed(other)
    }

    @Test("A transaction that began before the first live query is noticed when it commits")
    func underWay() async throws {
        let store = try TestServer.shared.get().store()
        let repository = try Self.open(store)
        try Self.entangle(store)
        let (hasBegun, goesOn) = (Gate(), Gate())
        let result = repository.transaction { transaction in
            try transaction.create(Film.numbered(1))
            hasBegun.open()
            goesOn.wait()
        }.record()
        await hasBegun.opened()
        let recorder = repository.fetchSubscription(Follower.all).record()
        #expect(await recorder.values(1) == [[]])
        goesOn.open()
        #expect(await result.end() == .finished)
        #expect(await recorder.last(where: { $0.count == 1 })?.first?.name == "Film 1")
        await closed(repository)
    }

    @Test("A read-only repository receives the commits of others, also after its connection was lost")
    func reader() async throws {
        let name = "reader\(UUID().uuidString)"
        let store = try TestServer.shared.get().store()
        let writer = try Self.open(store)
        let reader = try PostgresRepository(
            "\(store) application_name=\(name)", entities: Film.self, Follower.self, liveSource: .notifications,
            configuration: RepositoryConfiguration(access: .readOnly))
        let counts = reader.countSubscription(Film.self).record()
        #expect(await counts.values(1) == [0])
        let plain = try PostgresConnection(store)
        let own = "FROM pg_stat_activity WHERE application_name = '\(name)'"
        let listener = try #require(reader.source as? PostgresListener)
        var number = 0
        for _ in 0..<3 {
            // The second commit can reach it only through the current connection.
            for _ in 0..<2 {
                number += 1
                try await writer.create(Film.numbered(number)).value()
                await counts.reaches { $0 == number }
            }
            let epoch = listener.epoch
            try plain.run("SELECT pg_terminate_backend(pid, 10000) \(own)")
            while listener.epoch == epoch || listener.epoch == nil || !listener.isListening { await Task.yield() }
        }
        plain.close()
        await closed(reader)
        await closed(writer)
    }

    @Test("The server notifies nobody while nobody follows")
    func silence() async throws {
        let store = try TestServer.shared.get().store()
        let repository = try Self.open(store)
        let listener = try #require(repository.source as? PostgresListener)
        try await repository.create(Film.numbered(1)).value()
        #expect(!listener.isListening)
        let recorder = repository.countSubscription(Film.self).record()
        #expect(await recorder.values(1) == [1])
        #expect(listener.isListening)
        recorder.cancel()
        // After the first notification that nobody needs, it stops listening.
        var number = 1
        repeat {
            number += 1
            try await repository.create(Film.numbered(number)).value()
        } while listener.isListening
        await closed(repository)
    }
}

private struct Follower: Entity, Equatable {
    var id: UUID
    var name: String

    static let schema = Schema(Column("id", \Follower.id), Column("name", \.name), make: Follower.init)
}
