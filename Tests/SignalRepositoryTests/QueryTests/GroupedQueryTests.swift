import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Groups of terms") struct GroupedQueryTests {
    /// The key of a group, as a hashable value.
    private struct Line: Equatable, Hashable {
        var team: Int?
        var isGood: Bool
    }

    @Test(
        "Groups of several terms equal a dictionary's grouping", arguments: [StoreKind.memory, .postgres],
        1...5)
    func groups(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
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

    @Test("A group's key can be a whole item, with all rows that join it", arguments: StoreKind.allCases, 1...3)
    func items(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            let joined = Striker.leftJoined(to: Club.self)
            let rows = try await repository.fetch(
                joined.grouped { _, team in team }.aggregate { player, _ in (player.id.count(), player.goals.max()) }
            ).value()
            let groups = Dictionary(grouping: league.players, by: \.teamID)
            #expect(rows.map(\.0?.id) == groups.keys.sorted { ($0 ?? 0) < ($1 ?? 0) })
            for (team, count, goals) in rows {
                #expect(team == league.team(team?.id) && count == groups[team?.id]?.count)
                #expect(goals == groups[team?.id]?.map(\.goals).max())
            }
            let good = try await repository.fetch(
                Striker.joined(to: Club.self).grouped { player, team in (team, player.rating > 2) }
                    .having { player, _ in player.id.count() > 1 }
                    .aggregate { player, _ in player.id.count() }
            ).value()
            let split = Dictionary(grouping: league.players.filter { $0.teamID != nil }) {
                Line(team: $0.teamID, isGood: $0.rating > 2)
            }.filter { $0.value.count > 1 }
            #expect(good.count == split.count)
            for (team, isGood, count) in good {
                #expect(team == league.team(team.id) && count == split[Line(team: team.id, isGood: isGood)]?.count)
            }
            let alone = try await repository.fetch(Club.all.grouped { $0 }.aggregate { $0.id.count() }).value()
            #expect(alone.map(\.0) == league.teams && alone.allSatisfy { $0.1 == 1 })
        }
    }

    @Test("One statement computes each term over rows that meet its condition", arguments: StoreKind.allCases, 1...4)
    func conditional(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            let good = league.players.filter { $0.rating > 2 }
            let query = Striker.all.aggregate {
                (
                    $0.id.count(), $0.id.count(where: $0.rating > 2), $0.teamID.count(where: $0.rating > 2),
                    $0.teamID.count(distinct: true, where: $0.rating > 2), $0.goals.sum(where: $0.rating > 2),
                    $0.fee.sum(where: $0.rating > 2), $0.rating.sum(where: $0.rating > 2),
                    $0.goals.average(where: $0.rating > 2), $0.fee.min(where: $0.rating > 2),
                    $0.name.max(where: $0.teamID.isIn([1, nil])),
                    $0.id.count(where: $0.id > 1_000), $0.goals.sum(where: $0.id > 1_000),
                    $0.rating.sum(where: $0.id > 1_000), $0.goals.average(where: $0.id > 1_000),
                    $0.fee.max(where: .false)
                )
            }
            let row = try #require(try await repository.first(query).value())
            #expect(row.0 == league.players.count && row.1 == good.count && row.2 == good.compactMap(\.teamID).count)
            #expect(row.3 == Set(good.compactMap(\.teamID)).count && row.4 == good.reduce(0) { $0 + $1.goals })
            #expect(row.5 == good.reduce(0) { $0 + $1.fee } && row.6 == good.reduce(0) { $0 + $1.rating })
            #expect(row.7 == Double(good.reduce(0) { $0 + $1.goals }) / Double(good.count))
            #expect(row.8 == good.map(\.fee).min())
            let names = league.players.filter { $0.teamID == 1 || $0.teamID == nil }.map(\.name)
            #expect(
                row.9.map { Array($0.utf8) } == names.map { Array($0.utf8) }.max { $0.lexicographicallyPrecedes($1) })
            #expect(row.10 == 0 && row.11 == 0 && row.12 == 0 && row.13 == nil && row.14 == nil)
        }
    }

    @Test(
        "A term's condition works with groups, having and sorting, and may query other items",
        arguments: [StoreKind.memory, .postgres])
    func conditionalGroups(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let query = Striker.joined(to: Club.self).grouped { $1.id }
                .having { player, _ in player.id.count(where: player.goals > 3) > 0 }
                .sorted(.descending) { player, _ in player.goals.sum(where: player.goals > 0) }
                .aggregate { player, team in
                    (
                        player.goals.sum(where: player.goals > 0 && team.city != nil),
                        team.id.count(where: team.exists(Striker.self, by: \.teamID) { $0.goals > 8 })
                    )
                }
            let groups = Dictionary(grouping: league.players.filter { $0.teamID != nil }) { $0.teamID ?? 0 }
                .filter { $0.value.contains { $0.goals > 3 } }
            func positive(_ players: [Striker]) -> Int { players.reduce(0) { $0 + Swift.max($1.goals, 0) } }
            let order = groups.keys.sorted { (positive(groups[$1] ?? []), $0) < (positive(groups[$0] ?? []), $1) }
            let rows = try await repository.fetch(query).value()
            #expect(rows.map(\.0) == order)
            for (id, goals, hits) in rows {
                let players = groups[id] ?? []
                #expect(goals == (league.team(id)?.city == nil ? 0 : positive(players)))
                #expect(hits == (players.contains { $0.goals > 8 } ? players.count : 0))
            }
        }
    }

    @Test("Groups are filtered, sorted by a value, and limited", arguments: [StoreKind.memory, .postgres])
    func chosen(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let query = Striker.all
                .grouped { $0.teamID }
                .having { $0.id.count() > 2 && $0.goals.max() > 0 }
                .sorted(.descending) { $0.goals.sum() }
                .limit(3).offset(1)
                .aggregate { $0.goals.sum() }
            var expected: [(team: Int?, goals: Int)] = []
            for (team, players) in Dictionary(grouping: league.players, by: \.teamID) where players.count > 2 {
                let goals = players.map(\.goals)
                if goals.contains(where: { $0 > 0 }) { expected.append((team, goals.reduce(0, +))) }
            }
            expected.sort { ($1.goals, $0.team ?? 0) < ($0.goals, $1.team ?? 0) }
            let rows = try await repository.fetch(query).value()
            #expect(rows.map(\.0) == expected.dropFirst().prefix(3).map(\.team))
            #expect(rows.map(\.1) == expected.dropFirst().prefix(3).map(\.goals))
        }
    }

    @Test("Without groups there is one row, and no rows give zero and nil", arguments: [StoreKind.memory, .postgres])
    func everything(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
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

    @Test("Expressions over sums have the same results as in Swift", arguments: [StoreKind.memory, .postgres], 1...4)
    func computed(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            let query = Striker.all.grouped { $0.teamID }
                .having { $0.goals.sum() % 5 != 4 }
                .sorted { $0.goals.sum() / 2 }
                .aggregate {
                    (
                        $0.goals.sum() / 2, $0.goals.sum(where: $0.rating > 2) % 3, -$0.goals.sum(),
                        $0.goals.sum() * 3 - $0.id.count(), $0.goals.sum() / $0.id.count(),
                        ($0.goals / 2).sum() / 2, $0.fee.sum() * 2 - $0.fee.min()
                    )
                }
            let groups = Dictionary(grouping: league.players, by: \.teamID).mapValues { players in
                (players, goals: players.reduce(0) { $0 + $1.goals })
            }
            let shown = groups.filter { $0.value.goals % 5 != 4 }
            let order = shown.keys.sorted {
                ((shown[$0]?.goals ?? 0) / 2, $0 ?? -1) < ((shown[$1]?.goals ?? 0) / 2, $1 ?? -1)
            }
            let rows = try await repository.fetch(query).value()
            #expect(rows.map(\.0) == order)
            for (team, half, third, negated, tripled, mean, halves, fees) in rows {
                let (players, goals) = try #require(shown[team])
                let good = players.filter { $0.rating > 2 }.reduce(0) { $0 + $1.goals }
                #expect(half == goals / 2 && third == good % 3 && negated == -goals)
                #expect(tripled == goals * 3 - players.count && mean == goals / players.count)
                #expect(halves == players.reduce(0) { $0 + $1.goals / 2 } / 2)
                let least = try #require(players.map(\.fee).min())
                #expect(fees == players.reduce(0) { $0 + $1.fee } * 2 - least)
            }
        }
    }

    @Test(
        "A sum that is too large is an overflow, and a limit before groups is refused",
        arguments: [StoreKind.memory, .postgres])
    func refused(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, _ async throws in
            for id in 2_000...2_001 {
                let player = Striker(id: id, name: "", rating: 0, goals: .max, fee: 0, teamID: nil)
                try await repository.create(player).value()
            }
            await expectFailure(\.isOverflow) {
                try await repository.fetch(Striker.all.aggregate { $0.goals.sum() }).value()
            }
            await expectFailure(\.isOverflow) {
                try await repository.fetch(Striker.all.aggregate { $0.goals.sum(where: $0.id >= 2_000) }).value()
            }
            await expectFailure(\.isOverflow) {
                try await repository.fetch(Striker.all.aggregate { $0.goals.sum() / 4 }).value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.fetch(Striker.all.limit(3).grouped { $0.teamID }.aggregate { $0.id.count() })
                    .value()
            }
        }
    }
}
