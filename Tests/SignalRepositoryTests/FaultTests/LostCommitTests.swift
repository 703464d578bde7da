import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

/// Connections that are cut or slow, also while they answer a COMMIT.
@Suite("R12 A failing network", .timeLimit(.minutes(10))) struct LostCommitTests {
    private let server: TestServer
    private let proxy: ServerProxy
    private let repository: PostgresRepository

    init() throws {
        server = try TestServer(durableWith: "")
        proxy = try ServerProxy(to: server.socket)
        repository = try PostgresRepository(server.store(host: proxy.folder.path), entities: Film.self)
    }

    /// Stores a film in a transaction of several statements.
    private func store(_ number: Int) async throws {
        try await repository.transaction { store in
            _ = try store.count(Film.self)
            try store.create(Film.numbered(number))
        }.value()
    }

    private func exists(_ number: Int) async throws -> Bool {
        try await repository.find(Film.self, id: Film.id(number)).value() != nil
    }

    @Test("R4 R12 If the answer to COMMIT is cut off, the outcome is determined: the commit succeeds and is shown")
    func settled() async throws {
        let counts = repository.countSubscription(Film.self).record()
        _ = await counts.values(1)
        for number in 1...5 {
            proxy.cut(.amid("COMMIT\0"))
            try await store(number)
            #expect(try await exists(number))
        }
        await counts.values(until: { $0 == 5 })
        #expect(counts.values.last == 5 && counts.breaches.isEmpty && !counts.isEnded)
        await closed(repository)
        #expect(try server.isLeft())
    }

    @Test("R12 If the connection is cut before COMMIT arrives, the transaction fails as .io, and nothing is stored")
    func aborted() async throws {
        for number in 1...5 {
            proxy.cut(.before("COMMIT\0"))
            await expectFailure(\.isIO) { try await store(number) }
            #expect(try await !exists(number))
            try await store(number)
        }
        #expect(try await repository.count(Film.self).value() == 5)
        await closed(repository)
        #expect(try server.isLeft())
    }

    @Test("R4 R12 R14 If a commit's outcome cannot be determined, the error says so, and live signals show the store")
    func unknown() async throws {
        let counts = repository.countSubscription(Film.self).record()
        _ = await counts.values(1)
        proxy.cut(.answers("COMMIT\0"))
        await expectFailure(\.isOutcomeUnknown) { try await store(1) }
        #expect(try await exists(1))
        await counts.values(until: { $0 == 1 })
        // An endpoint of one statement is its own commit.
        try await repository.create(Film.numbered(2)).value()
        proxy.cut(.amid("INSERT 0 1\0"))
        await expectFailure(\.isOutcomeUnknown) { try await repository.create(Film.numbered(3)).value() }
        #expect(try await exists(3))
        await counts.values(until: { $0 == 3 })
        #expect(counts.values.last == 3 && counts.breaches.isEmpty && !counts.isEnded)
        await closed(repository)
        #expect(try server.isLeft())
    }

    @Test("R12 A transaction whose server crashes during COMMIT fails as .io only if nothing was stored")
    func crashed() async throws {
        proxy.hold()
        let run = repository.transaction { try $0.create(Film.numbered(1)) }.record()
        await proxy.isHolding()
        try server.stop("immediate")
        proxy.release()
        let end = await run.end()
        guard case .failure(let error)? = end, error.isIO || error.isOutcomeUnknown else {
            return #expect(Bool(false), "\(String(describing: end))")
        }
        try server.start()
        #expect(try await !exists(1) || error.isOutcomeUnknown)
        await closed(repository)
        #expect(try server.isLeft())
    }

    @Test("R12 A slow answer is awaited; a read that is cut off restarts, or fails as .io once it has read something")
    func slow() async throws {
        await closed(self.repository)
        // With a replication stream, the proxy would always have something to hold.
        let repository = try PostgresRepository(
            server.store(host: proxy.folder.path), entities: Film.self, liveSource: .notifications)
        try await repository.create(Film.numbered(1)).value()
        let counts = repository.countSubscription(Film.self).record()
        #expect(await counts.values(1) == [1])
        #expect(try await repository.count(Film.self).value() == 1)
        proxy.hold()
        let waiting = repository.fetch(Film.all).record()
        await proxy.isHolding()
        #expect(waiting.values.isEmpty && !waiting.isEnded)
        proxy.release()
        #expect(await waiting.values(1) == [[Film.numbered(1)]])
        proxy.hold()
        let again = repository.fetch(Film.all).record()
        await proxy.isHolding()
        proxy.cutAll()
        proxy.release()
        #expect(await again.values(1) == [[Film.numbered(1)]])
        let isHeld = Gate()
        let cut = repository.read { [proxy] store in
            _ = try store.count(Film.self)
            proxy.hold()
            isHeld.open()
            return try store.fetch(Film.all).count
        }.record()
        // The proxy may also have held data of other connections, or from an earlier hold.
        await isHeld.opened()
        await proxy.isHolding()
        proxy.cutAll()
        proxy.release()
        guard case .failure(let error)? = await cut.end() else { return #expect(Bool(false), "\(cut.history)") }
        #expect(error.isIO, "\(error)")
        try await repository.create(Film.numbered(2)).value()
        #expect(try await repository.count(Film.self).value() == 2)
        await counts.values(until: { $0 == 2 })
        #expect(counts.values == [1, 2] && !counts.isEnded)
        await closed(repository)
        #expect(try server.isLeft())
    }
}
