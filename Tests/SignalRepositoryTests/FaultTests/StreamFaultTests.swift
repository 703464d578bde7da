import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

/// A stream that is refused, silent or taken away.
@Suite("R12 R14 A stream that fails", .timeLimit(.minutes(10))) struct StreamFaultTests {
    private func open(
        _ store: String, silence: SilenceLimits = SilenceLimits()
    ) async throws -> PostgresRepository {
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = .milliseconds(20)
        let repository = try PostgresRepository(
            store, following: [Film.self], silence: silence, configuration: configuration)
        await repository.streaming()
        return repository
    }

    /// Stores a film as another program would.
    private func store(_ number: Int, _ connection: PostgresConnection) throws {
        try connection.run("INSERT INTO \"Film\" VALUES ('\(Film.id(number))', 'x', 0, \(number)0000)")
    }

    /// Waits until a live sum shows the expected value.
    private func expect(
        _ sums: Recorder<Decimal, RepositoryError>, _ sum: Decimal, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        #expect(await sums.last(where: { $0 == sum }) == sum, sourceLocation: sourceLocation)
    }

    private static let ending =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'walsender'"

    @Test(
        "Without a free slot or sender, opening names the setting to raise; a repository that loses its own recovers",
        arguments: ["max_replication_slots", "max_wal_senders"])
    func taken(_ setting: String) async throws {
        let server = try TestServer(durableWith: "\(setting) = 1")
        let store = try server.store()
        let repository = try await open(store)
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        _ = await sums.values(1)
        let plain = try PostgresConnection(store)
        func expectRefusal() throws {
            let error = try thrown { () throws(RepositoryError) in
                try PostgresRepository(store, entities: Film.self, liveSource: .replication)
            }
            #expect(error.isCannotOpen && "\(error)".contains("raise \(setting)"), "\(error)")
            #expect("\(error)".contains("liveSource: .notifications"))
        }
        try expectRefusal()
        // Another client takes it the moment it is free.
        let parameters = try ConnectionString(store)
        var sender: ReplicationConnection?
        var isTaken = false
        while !isTaken {
            try plain.run(Self.ending)
            if setting == "max_wal_senders" {
                sender = try? ReplicationConnection(parameters, WakePipe())
                isTaken = sender != nil
            } else {
                isTaken = (try? plain.run("SELECT pg_create_physical_replication_slot('other')")) != nil
            }
            await Task.yield()
        }
        while repository.stream?.isActive == true { await Task.yield() }
        try await repository.create(Film.numbered(1)).value()
        await expect(sums, 1)
        try self.store(2, plain)
        await expect(sums, 3)
        #expect(repository.stream?.isActive == false)
        try expectRefusal()
        sender?.close()
        if sender == nil { try plain.run("SELECT pg_drop_replication_slot('other')") }
        await repository.streaming()
        // After a re-read, changed rows are reported again.
        try self.store(3, plain)
        await expect(sums, 6)
        let reads = repository.statistics.reads
        try self.store(4, plain)
        await expect(sums, 10)
        #expect(repository.statistics.reads == reads)
        #expect(sums.breaches.isEmpty && !sums.isEnded)
        plain.close()
        await closed(repository)
        #expect(try server.isLeft())
    }

    @Test(
        "Closing a repository abandons a stream that still waits for another program's transaction")
    func waiting() async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        let repository = try await open(store)
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        _ = await sums.values(1)
        let (plain, other) = (try PostgresConnection(store), try PostgresConnection(store))
        try other.run("BEGIN; SELECT pg_current_xact_id()")
        try plain.run(Self.ending)
        let waiting = "SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted"
        while try plain.rows("\(waiting) AND a.backend_type = 'walsender'").isEmpty { await Task.yield() }
        try await repository.create(Film.numbered(1)).value()
        await expect(sums, 1)
        await closed(repository)
        while try !plain.rows("SELECT 1 FROM pg_stat_activity WHERE backend_type = 'walsender'").isEmpty {
            await Task.yield()
        }
        try other.run("COMMIT")
        other.close()
        plain.close()
        #expect(try server.isLeft())
    }

    @Test("A silent stream is given up and replaced, and no change is lost")
    func silent() async throws {
        let server = try TestServer(durableWith: "")
        let proxy = try ServerProxy(to: server.socket)
        let store = try server.store()
        let silence = SilenceLimits(requested: .milliseconds(300), lost: .milliseconds(900))
        let repository = try await open(
            store.replacing("host=\(server.folder.path)", with: "host=\(proxy.folder.path)"), silence: silence)
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        let changes = repository.changes().record()
        _ = await sums.values(1)
        let plain = try PostgresConnection(store)
        var (number, sum) = (0, Decimal(0))
        func next() -> Int {
            number += 1
            sum += Decimal(number)
            return number
        }
        for _ in 0..<2 {
            proxy.silenceStreams()
            try self.store(next(), plain)
            try await repository.create(Film.numbered(next())).value()
            let late = repository.sumSubscription(of: \Film.boxOffice).record()
            await expect(late, sum)
            await expect(sums, sum)
            late.cancel()
            // Commits that the stream did not deliver are reported without rows.
            #expect(await changes.last(where: { $0.extent != .rows })?.extent != nil)
            await repository.streaming()
            try self.store(next(), plain)
            await expect(sums, sum)
        }
        let stored = try await repository.sum(of: \Film.boxOffice).value()
        #expect(stored == sum)
        #expect(sums.breaches.isEmpty && !sums.isEnded && changes.breaches.isEmpty && !changes.isEnded)
        proxy.cutAll()
        await closed(repository)
        plain.close()
        #expect(try server.isLeft())
    }

    @Test("A stream that is silent for long delays readers and writers only briefly; nothing is shown twice or lost")
    func late() async throws {
        let server = try TestServer(durableWith: "")
        let proxy = try ServerProxy(to: server.socket)
        let store = try server.store()
        let silence = SilenceLimits(waited: .milliseconds(200), requested: .seconds(100), lost: .seconds(200))
        let repository = try await open(
            store.replacing("host=\(server.folder.path)", with: "host=\(proxy.folder.path)"), silence: silence)
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        _ = await sums.values(1)
        let plain = try PostgresConnection(store)
        proxy.silenceStreams()
        try self.store(1, plain)
        let late = repository.sumSubscription(of: \Film.boxOffice).record()
        await expect(late, 1)
        await expect(sums, 1)
        let changes = repository.changes().record()
        try await repository.create(Film.numbered(2)).value()
        let later = repository.sumSubscription(of: \Film.boxOffice).record()
        for recorder in [sums, late, later] { await expect(recorder, 3) }
        #expect(repository.stream?.isActive == true)
        proxy.cutAll()
        await repository.streaming()
        try self.store(3, plain)
        for recorder in [sums, late, later] { await expect(recorder, 6) }
        for recorder in [sums, late, later] { #expect(recorder.breaches.isEmpty && !recorder.isEnded) }
        #expect(changes.breaches.isEmpty && !changes.isEnded)
        plain.close()
        await closed(repository)
        #expect(try server.isLeft())
    }

    @Test("A slot that others terminate and drop, or that the server invalidates, is recreated; values end up correct")
    func dropped() async throws {
        let server = try TestServer(durableWith: "max_slot_wal_keep_size = 1MB\nmax_wal_size = 32MB")
        let store = try server.store()
        let repository = try await open(store)
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        let lists = repository.fetchSubscription(Film.all.sorted(by: \.boxOffice)).record()
        let changes = repository.changes().record()
        _ = await (sums.values(1), lists.values(1))
        let (plain, other) = (try PostgresConnection(store), try PostgresConnection(store))
        for number in 1...5 {
            let name = try slot(plain)
            try plain.run(Self.ending)
            while try slot(plain) == name {
                _ = try? plain.run("SELECT pg_drop_replication_slot(\(name))")
                await Task.yield()
            }
            try self.store(number, plain)
        }
        await expect(sums, 15)
        await repository.streaming()
        // An open transaction makes the slot need ever more of the log.
        try other.run("BEGIN; SELECT pg_current_xact_id()")
        let name = try slot(plain)
        var (number, sum) = (5, Decimal(15))
        while try slot(plain) == name {
            number += 1
            sum += Decimal(number)
            try self.store(number, plain)
            try plain.run("SELECT pg_switch_wal()")
            try plain.run("CHECKPOINT")
        }
        // No new slot can be made until that transaction has ended.
        await expect(sums, sum)
        try other.run("COMMIT")
        await repository.streaming()
        try await repository.create(Film.numbered(0)).value()
        let films = try await repository.fetch(Film.all.sorted(by: \.boxOffice)).value()
        #expect(films.count == number + 1)
        #expect(await lists.last(where: { $0 == films }) == films)
        for isEnded in [sums.isEnded, lists.isEnded, changes.isEnded] { #expect(!isEnded) }
        #expect(sums.breaches.isEmpty && lists.breaches.isEmpty && changes.breaches.isEmpty)
        for connection in [plain, other] { connection.close() }
        await closed(repository)
        #expect(try server.isLeft())
    }

    /// The name of the active slot, as a literal.
    private func slot(_ connection: PostgresConnection) throws -> String {
        let rows = try connection.rows("SELECT slot_name FROM pg_replication_slots WHERE active")
        guard case .text(let name)? = rows.first?.first else { return "''" }
        return Identifier.literal(name)
    }
}
