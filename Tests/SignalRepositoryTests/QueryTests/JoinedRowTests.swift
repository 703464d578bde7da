import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Joins of many entities") struct JoinedRowTests {
    @Test("A row of many sides has the items that belong together", arguments: StoreKind.allCases, 1...4)
    func sides(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            let expected = league.players.compactMap { player in
                league.team(player.teamID).map { team in
                    StrikerInfo(player: player, team: team, coach: league.coach(team.coachID))
                }
            }
            #expect(try await repository.fetch(StrikerInfo.all).value() == expected)
            let some = StrikerInfo.where { $0.player.goals > 2 && $0.coach.id == nil }
            #expect(
                try await repository.fetch(some).value() == expected.filter { $0.player.goals > 2 && $0.coach == nil })
            let coached = StrikerInfo.where { $0.coach.id > 1 }.sorted { $0.coach.id }
            let inOrder = expected.filter { ($0.coach?.id ?? 0) > 1 }
                .sorted { ($0.coach?.id ?? 0, $0.player.id) < ($1.coach?.id ?? 0, $1.player.id) }
            #expect(try await repository.fetch(coached).value() == inOrder)
        }
    }

    @Test("The statement names the tables after the properties", arguments: [StoreKind.memory, .postgres])
    func names(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, _ async throws in
            let plan = try await repository.explain(StrikerInfo.where { $0.player.goals > 2 }).value()
            #expect(plan.sql.contains("LEFT JOIN \"Trainer\" AS \"coach\" ON"), "\(plan.sql)")
        }
    }

    @Test("Rows of many sides are grouped and followed")
    func verbs() async throws {
        try await withLeague(.file) { repository, league async throws in
            let byTeam = StrikerInfo.all.grouped { $0.team.id }.aggregate { $0.player.goals.sum() }
            let rows = try await repository.fetch(byTeam).value()
            let expected = Dictionary(grouping: league.players.filter { $0.teamID != nil }) { $0.teamID ?? 0 }
                .map { ($0.key, $0.value.reduce(0) { $0 + $1.goals }) }.sorted { $0.0 < $1.0 }
            #expect(rows.map(\.0) == expected.map(\.0))
            #expect(rows.map(\.1) == expected.map(\.1))
            let followed = repository.fetchSubscription(byTeam).record()
            _ = await followed.values(1)
            let player = Striker(id: 1_000, name: "Eve", rating: 1, goals: 100_000, fee: 1, teamID: 1)
            try await repository.create(player).value()
            await followed.values { ($0.first?.1 ?? 0) > 90_000 }
        }
    }
}
