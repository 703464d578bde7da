import Foundation
import Signals
import SignalsTesting
import Testing

@testable import SignalRepository

@Suite("Items with those that refer to them") struct IncludingTests {
    @Test("Each item comes with its own, in the order of both queries", arguments: StoreKind.allCases, 1...4)
    func families(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            let all = league.teams.map { team in
                WithChildren(parent: team, children: league.players.filter { $0.teamID == team.id })
            }
            #expect(try await repository.fetch(Club.including(many: Striker.self, by: \.teamID)).value() == all)
            let query = Club.where { $0.id > 1 }.sorted(by: \.id, .descending).limit(3)
                .including(many: Striker.where { $0.goals > 0 }.sorted(by: \.goals, .descending), by: \.teamID)
            let expected = league.teams.filter { $0.id > 1 }.reversed().prefix(3).map { team in
                WithChildren(
                    parent: team,
                    children: league.players.filter { $0.teamID == team.id && $0.goals > 0 }
                        .sorted { ($1.goals, $0.id) < ($0.goals, $1.id) })
            }
            #expect(try await repository.fetch(query).value() == expected)
        }
    }

    @Test("A family is followed, on both sides")
    func live() async throws {
        try await withLeague(.file) { repository, league async throws in
            let recorder = repository.fetchSubscription(
                Club.where { $0.id == 6 }.including(many: Striker.all, by: \.teamID)
            ).record()
            #expect(await recorder.values(1).first?.first?.children.isEmpty == true)
            var player = league.players[0]
            player.teamID = 6
            try await repository.update(player).value()
            #expect(await recorder.values(2).last?.first?.children == [player])
            try await repository.update(Club.self, set: [.set(\.name, to: "renamed")], where: \.id == 6).value()
            await recorder.values { $0.first?.parent.name == "renamed" }
        }
    }

    @Test("A limit of the children is refused")
    func refused() async throws {
        try await withLeague { repository, _ async throws in
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Club.all.including(many: Striker.all.limit(3), by: \.teamID)).value()
            }
        }
    }
}
