import Foundation
import Signals
import SignalsTesting
import Testing

@testable import SignalRepository

@Suite("Groups of terms") struct GroupedQueryTests {
    /// A row of a result, as something that can be compared.
    private struct Line: Equatable, Hashable {
        var team: Int?
        var isGood: Bool
    }

    @Test("Groups of several terms are what a dictionary makes of the rows", arguments: 1...5)
    func groups(seed: Int) async throws {
        try await withLeague(seed: seed) { repository, league async throws in
            let query = Striker.all
                .grouped { ($0.teamID, $0.rating > 2) }
                .aggregate { ($0.id.count(), $0.goals.sum(), $0.rating.average(), $0.fee.min(), $0.fee.sum()) }
            let groups = Dictionary(grouping: league.players) { Line(team: $0.teamID, isGood: $0.rating > 2) }
            let rows = try await repository.fetch(query).value()
            #expect(rows.count == groups.count)
            for (team, isGood, count, goals, rating, fee, fees) in rows {
                let players = try #require(groups[Line(team: team, isGood: isGood)])
                #expect(count == players.count)
                #expect(goals == players.reduce(0) { $0 + $1.goals })
                #expect(rating == players.reduce(0) { $0 + $1.rating } / Double(players.count))
                #expect(fee == players.map(\.fee).min())
                #expect(fees == players.reduce(0) { $0 + $1.fee })
            }
            let keys = rows.map { ($0.0 ?? 0) * 2 + ($0.1 ? 1 : 0) }
            #expect(keys == keys.sorted(), "groups are in the order of their keys")
        }
    }

    @Test("Groups are chosen, sorted by a value, and limited")
    func chosen() async throws {
        try await withLeague { repository, league async throws in
            let query = Striker.all
                .grouped { $0.teamID }
                .having { $0.id.count() > 2 && $0.goals.max() > 0 }
                .sorted(.descending) { $0.goals.sum() }
                .limit(3).offset(1)
                .aggregate { $0.goals.sum() }
            let expected = Dictionary(grouping: league.players, by: \.teamID)
                .filter { $0.value.count > 2 && ($0.value.map(\.goals).max() ?? 0) > 0 }
                .map { (team: $0.key, goals: $0.value.reduce(0) { $0 + $1.goals }) }
                .sorted { ($1.goals, $0.team ?? 0) < ($0.goals, $1.team ?? 0) }
            let rows = try await repository.fetch(query).value()
            #expect(rows.map(\.0) == expected.dropFirst().prefix(3).map(\.team))
            #expect(rows.map(\.1) == expected.dropFirst().prefix(3).map(\.goals))
        }
    }

    @Test("Everything makes one row, and no rows make zero and nil")
    func everything() async throws {
        try await withLeague { repository, league async throws in
            let terms = Striker.all.aggregate {
                ($0.id.count(), $0.teamID.count(), $0.teamID.count(distinct: true), $0.goals.sum(), $0.rating.average())
            }
            let row = try #require(try await repository.first(terms).value())
            let teams = league.players.compactMap(\.teamID)
            #expect(row.0 == league.players.count)
            #expect(row.1 == teams.count)
            #expect(row.2 == Set(teams).count)
            let none = Striker.where { $0.id < 0 }.aggregate { ($0.goals.sum(), $0.rating.sum(), $0.rating.average()) }
            let nothing = try #require(try await repository.first(none).value())
            #expect(nothing.0 == 0)
            #expect(nothing.1 == 0)
            #expect(nothing.2 == nil)
            let joined = Striker.joined(to: Club.self).aggregate { player, team in (player.goals.sum(), team.id.max()) }
            #expect(try await repository.first(joined).value()?.1 == teams.max())
        }
    }

    @Test("A sum that is too large is an overflow, and a limit before groups is refused")
    func refused() async throws {
        try await withLeague { repository, _ async throws in
            for id in 2_000...2_001 {
                let player = Striker(id: id, name: "", rating: 0, goals: .max, fee: 0, teamID: nil)
                try await repository.create(player).value()
            }
            await expectFailure(\.isOverflow) {
                try await repository.fetch(Striker.all.aggregate { $0.goals.sum() }).value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Striker.all.limit(3).grouped { $0.teamID }.aggregate { $0.id.count() })
                    .value()
            }
        }
    }
}
