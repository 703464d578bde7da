import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

/// A server that crashes repeatedly under three writers; `KILLS` is the number of crashes.
@Suite("R12 A server that crashes", .timeLimit(.minutes(kills > 10 ? 120 : 10))) struct ServerKillTests {
    @Test("R4 R12 R14 After each crash, acknowledged writes are stored and refused ones are not")
    func crashes() async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        let repositories = try (0..<3).map { _ in try PostgresRepository(store, entities: Film.self) }
        let counts = repositories[0].countSubscription(Film.self).record()
        _ = await counts.values(1)
        var all = WrittenFilms()
        var random = SystemRandomNumberGenerator()
        for round in 0..<kills {
            let (acknowledged, enough) = (Counter(), Int.random(in: 1...40, using: &random))
            let (isEnough, restarts) = (Gate(), Counter())
            let written = try await withThrowingTaskGroup(of: WrittenFilms.self) { group in
                for (index, repository) in repositories.enumerated() {
                    group.addTask {
                        await WrittenFilms.write(round * 30_000 + index * 10_000, in: repository) {
                            if acknowledged.add() == enough { isEnough.open() }
                            return restarts.value == 0
                        }
                    }
                }
                await isEnough.opened()
                try server.stop("immediate")
                try server.start()
                restarts.add()
                return try await group.reduce(into: [WrittenFilms]()) { $0.append($1) }
            }
            for one in written { all.add(one) }
            let films = try await repositories[round % 3].fetch(Film.all).value()
            let count = all.compare(films, "round \(round)")
            await counts.values(until: { $0 == count })
        }
        #expect(!counts.isEnded && counts.breaches.isEmpty)
        if kills > 10 { print("\(kills) crashes: \(all.kept.count) kept, \(all.unknown.count) unknown") }
        for repository in repositories { await closed(repository) }
        #expect(try server.isLeft())
    }
}

/// The number of crashes: a few, or hundreds.
private let kills = HistoryTests.number("KILLS") ?? 3
