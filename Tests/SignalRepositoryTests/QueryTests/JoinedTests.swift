import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Joins of two entities") struct JoinedTests {
    @Test("An inner join pairs each item with the one whose id it holds", arguments: StoreKind.allCases, 1...6)
    func inner(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            let expected = league.players.compactMap { player in
                league.team(player.teamID).map { Joined(left: player, right: $0) }
            }
            let query = Striker.joined(to: Club.self, on: \.teamID)
            #expect(try await repository.fetch(query).value() == expected)
            #expect(try await repository.fetch(Striker.joined(to: Club.self)).value() == expected)
            #expect(try await repository.count(query).value() == expected.count)
            let good = query.where { player, team in
                player.rating > 2
                team.city != nil
            }
            let best = expected.filter { $0.left.rating > 2 && $0.right.city != nil }
            #expect(try await repository.fetch(good).value() == best)
            #expect(try await repository.stream(good).collect().value() == best)
            #expect(try await repository.fetch(good.exists).value() == !best.isEmpty)
            #expect(try await repository.first(good).value() == best.first)
            #expect(try await repository.fetch(good.last).value() == best.last)
        }
    }

    @Test("A left join keeps the items without a partner", arguments: [StoreKind.memory, .postgres], 1...6)
    func left(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            let expected = league.players.map { LeftJoined(left: $0, right: league.team($0.teamID)) }
            #expect(try await repository.fetch(Striker.leftJoined(to: Club.self)).value() == expected)
            let query = Striker.leftJoined(to: Club.self, on: \.teamID)
            let alone = query.where { _, team in team.id == nil }
            #expect(try await repository.fetch(alone).value() == expected.filter { $0.right == nil })
            let others = query.where { _, team in team.id > 2 || team.city == nil }
            #expect(
                try await repository.fetch(others).value()
                    == expected.filter { ($0.right?.id ?? 0) > 2 || $0.right?.city == nil })
        }
    }

    @Test("A join is ordered, limited and counted like any query", arguments: [StoreKind.memory, .postgres])
    func ordered(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let expected = league.players.compactMap { player in
                league.team(player.teamID).map { Joined(left: player, right: $0) }
            }.sorted {
                ($0.right.id, -$0.left.goals, $0.left.id) < ($1.right.id, -$1.left.goals, $1.left.id)
            }
            let query = Striker.joined(to: Club.self)
                .sorted { _, team in team.id }
                .sorted(.descending) { player, _ in player.goals }
            #expect(try await repository.fetch(query).value() == expected)
            #expect(
                try await repository.fetch(query.limit(5).offset(3)).value() == Array(expected.dropFirst(3).prefix(5)))
            #expect(try await repository.count(query.limit(5)).value() == 5)
        }
    }

    @Test("An entity is joined with itself, and by any condition", arguments: [StoreKind.memory, .postgres])
    func itself(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let pairs = Striker.joined(to: Striker.self) { one, other in
                one.teamID == other.teamID
                one.goals < other.goals
            }
            var expected: [Joined<Striker, Striker>] = []
            for one in league.players {
                for other in league.players where one.teamID == other.teamID && one.goals < other.goals {
                    expected.append(Joined(left: one, right: other))
                }
            }
            #expect(try await repository.fetch(pairs).value() == expected)
        }
    }

    @Test("A live join follows changes on either side")
    func live() async throws {
        try await withLeague(.file) { repository, league async throws in
            let query = Striker.joined(to: Club.self).where { player, team in player.id == 1_000 && team.id == 1 }
            let counts = repository.countSubscription(query).record()
            let items = repository.fetchSubscription(query).record()
            #expect(await counts.values(1) == [0])
            let player = Striker(id: 1_000, name: "Eve", rating: 1, goals: 1, fee: 1, teamID: 1)
            try await repository.create(player).value()
            #expect(await counts.values(2) == [0, 1])
            var team = league.teams[0]
            team.city = "Bath"
            try await repository.update(team).value()
            await items.values { $0.last?.right.city == "Bath" }
        }
    }

    @Test("A fragment of SQL names the sides, and a pair is a row like any other")
    func sides() async throws {
        try await withLeague { repository, league async throws in
            let pairs = Joined<Striker, Club>.where { player, team in
                player.goals > 2
                Condition.raw(#""right".coachID = "left".goals - ?"#, 2)
            }
            let expected = league.players.compactMap { player in
                league.team(player.teamID).map { Joined(left: player, right: $0) }
            }.filter { $0.left.goals > 2 && $0.right.coachID == $0.left.goals - 2 }
            #expect(try await repository.fetch(pairs).value() == expected)
        }
    }

    @Test(
        "A join without a reference, or without any condition, is refused",
        arguments: [StoreKind.memory, .postgres])
    func refused(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, _ async throws in
            await expectFailure(\.isMisuse) { try await repository.fetch(Club.joined(to: Striker.self)).value() }
            await expectFailure(\.isMisuse) {
                try await repository.fetch(FetchQuery<Joined<Striker, Club>>(joins: [])).value()
            }
        }
    }
}
