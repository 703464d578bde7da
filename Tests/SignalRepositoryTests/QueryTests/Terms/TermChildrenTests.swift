import Signals
import SignalsTesting
import Testing

@testable import SignalRepository

@Suite("What refers to an item") struct TermChildrenTests {
    @Test("Items are counted and found that refer to another", arguments: 1...4)
    func children(seed: Int) async throws {
        try await withLeague(seed: seed) { repository, league async throws in
            func players(_ team: Club, _ isGood: (Striker) -> Bool = { _ in true }) -> Int {
                league.players.count { $0.teamID == team.id && isGood($0) }
            }
            let large = Club.where { $0.count(of: Striker.self, by: \.teamID) > 5 }
            #expect(try await repository.fetch(large).value() == league.teams.filter { players($0) > 5 })
            let good = Club.where { $0.exists(Striker.self, by: \.teamID) { $0.goals > 8 } }
            #expect(
                try await repository.fetch(good).value() == league.teams.filter { players($0) { $0.goals > 8 } > 0 })
            let empty = Club.where { !$0.exists(Striker.self, by: \.teamID) }
            #expect(try await repository.fetch(empty).value() == league.teams.filter { players($0) == 0 })
            let counts = try await repository.fetch(
                Club.all.select { $0.count(of: Striker.self, by: \.teamID) { $0.goals > 0 } }
            ).value()
            #expect(counts == league.teams.map { players($0) { $0.goals > 0 } })
            let coached = Trainer.where {
                $0.exists(Club.self, by: \.coachID) { $0.exists(Striker.self, by: \.teamID) }
            }
            let expected = league.coaches.filter { coach in
                league.teams.contains { $0.coachID == coach.id && players($0) > 0 }
            }
            #expect(try await repository.fetch(coached).value() == expected)
        }
    }

    @Test("A live condition on others hears of them")
    func live() async throws {
        try await withLeague(.file) { repository, league async throws in
            let query = Club.where { $0.exists(Striker.self, by: \.teamID) { $0.goals > 1_000 } }
            let recorder = repository.countSubscription(query).record()
            #expect(await recorder.values(1) == [0])
            var player = league.players[0]
            (player.goals, player.teamID) = (1_001, 2)
            try await repository.update(player).value()
            #expect(await recorder.values(2) == [0, 1])
        }
    }
}
