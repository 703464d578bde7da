import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

/// A server that crashes under three writers, again and again: `KILLS` says how often.
@Suite("R12 A server that crashes", .timeLimit(.minutes(kills > 10 ? 120 : 10))) struct ServerKillTests {
    /// What became of the films that one writer has written.
    private struct Written {
        var kept: Set<Int> = []
        var refused: Set<Int> = []
        var unknown: Set<Int> = []
    }

    @Test("R4 R12 R14 What was acknowledged is there after each crash, and what was refused is not")
    func crashes() async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        let repositories = try (0..<3).map { _ in try PostgresRepository(store, entities: Film.self) }
        let counts = repositories[0].countSubscription(Film.self).record()
        _ = await counts.values(1)
        var all = Written()
        var random = SystemRandomNumberGenerator()
        for round in 0..<kills {
            let (acknowledged, enough) = (Counter(), Int.random(in: 1...40, using: &random))
            let (isEnough, restarts) = (Gate(), Counter())
            let written = try await withThrowingTaskGroup(of: Written.self) { group in
                for (index, repository) in repositories.enumerated() {
                    group.addTask {
                        await Self.write(round * 30_000 + index * 10_000, in: repository) {
                            if acknowledged.add() == enough { isEnough.open() }
                            return restarts.value == 0
                        }
                    }
                }
                await isEnough.opened()
                try server.stop("immediate")
                try server.start()
                restarts.add()
                return try await group.reduce(into: [Written]()) { $0.append($1) }
            }
            for one in written {
                all.kept.formUnion(one.kept)
                all.refused.formUnion(one.refused)
                all.unknown.formUnion(one.unknown)
            }
            let films = try await repositories[round % 3].fetch(Film.all).value()
            let numbers = Set(films.map { Int($0.boxOffice.description) ?? -1 })
            #expect(all.kept.isSubset(of: numbers), "round \(round): \(all.kept.subtracting(numbers)) are lost")
            #expect(numbers.isDisjoint(with: all.refused), "round \(round): \(numbers.intersection(all.refused))")
            #expect(numbers.isSubset(of: all.kept.union(all.unknown)))
            await counts.values(until: { $0 == numbers.count })
        }
        #expect(!counts.isEnded && counts.breaches.isEmpty)
        if kills > 10 { print("\(kills) crashes: \(all.kept.count) kept, \(all.unknown.count) unknown") }
        for repository in repositories { await closed(repository) }
        #expect(try server.isLeft())
    }

    /// Writes films, as single statements and in transactions, until something fails or the server is back.
    private static func write(
        _ first: Int, in repository: PostgresRepository, acknowledged: @Sendable () -> Bool
    ) async -> Written {
        var written = Written()
        for number in first... {
            let film = Film.numbered(number)
            do {
                try await Self.write(film, isStatement: number % 2 == 0, in: repository)
                written.kept.insert(number)
                // One may not have noticed anything.
                guard acknowledged() else { return written }
            } catch {
                guard let error = error as? RepositoryError, error.isIO || error.isOutcomeUnknown else {
                    Issue.record("\(error)")
                    return written
                }
                if error.isIO { written.refused.insert(number) } else { written.unknown.insert(number) }
                return written
            }
        }
        return written
    }

    private static func write(_ film: Film, isStatement: Bool, in repository: PostgresRepository) async throws {
        if isStatement {
            try await repository.create(film).value()
        } else {
            try await repository.transaction { store in
                try store.create(film)
                _ = try store.find(Film.self, id: film.id)
            }.value()
        }
    }
}

/// How often a server is crashed: a few times, or hundreds.
private let kills = HistoryTests.number("KILLS") ?? 3
