import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Selecting") struct SelectTests {
    @Test("Terms are read from each row, in the order of the query", arguments: StoreKind.allCases)
    func terms(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let players = league.players.sorted { ($0.goals, $0.id) < ($1.goals, $1.id) }
            let query = Striker.all.sorted(by: \.goals).select { ($0.name, $0.goals * 2 + 1, $0.fee, $0.rating > 2) }
            let rows = try await repository.fetch(query).value()
            #expect(rows.map { ExactText($0.0) } == players.map { ExactText($0.name) })
            #expect(rows.map(\.1) == players.map { $0.goals * 2 + 1 })
            #expect(rows.map(\.2) == players.map(\.fee))
            #expect(rows.map(\.3) == players.map { $0.rating > 2 })
            #expect(try await repository.stream(query).collect().value().map(\.1) == rows.map(\.1))
            #expect(try await repository.first(query).value()?.1 == rows.first?.1)
            let pairs = try await repository.fetch(Striker.all.select(\.id, \.goals)).value()
            #expect(pairs.map(\.0) == league.players.map(\.id))
            let inside = try await repository.read { store in try store.fetch(query).map(\.1) }.value()
            #expect(inside == rows.map(\.1))
        }
    }

    @Test("Distinct rows are in the order of their values")
    func distinct() async throws {
        try await withLeague { repository, league async throws in
            let teams = try await repository.fetch(Striker.all.select(\.teamID).distinct()).value()
            let expected = Set(league.players.map(\.teamID)).sorted { ($0 ?? 0) < ($1 ?? 0) }
            #expect(teams == expected)
            #expect(
                try await repository.fetch(Striker.all.select { $0.teamID }.distinct().limit(2).offset(1)).value()
                    == Array(expected.dropFirst().prefix(2)))
        }
    }

    @Test(
        "V8 Distinct rows are sorted by the selected columns, however both are written", arguments: StoreKind.allCases)
    func distinctSorted(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let expected = Set(league.players.map(\.goals)).sorted(by: >)
            let (byPath, byTerm) = (
                Striker.all.sorted(by: \.goals, .descending), Striker.all.sorted(.descending) { $0.goals }
            )
            let queries = [
                byPath.select(\.goals), byPath.select { $0.goals }, byTerm.select(\.goals), byTerm.select { $0.goals },
            ]
            for query in queries {
                #expect(try await repository.fetch(query.distinct()).value() == expected)
            }
            let byPair = Striker.all.sorted(.descending) { $0.goals }.sorted { $0.teamID }
            let tuples = try await repository.fetch(byPair.select { ($0.teamID, $0.goals) }.distinct()).value()
            #expect(tuples.map(\.1) == tuples.map(\.1).sorted(by: >) && !tuples.isEmpty)
            await expectFailure(\.isMisuse) {
                try await repository.fetch(byPath.select(\.teamID).distinct()).value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.fetch(byTerm.select { $0.teamID }.distinct()).value()
            }
        }
    }

    @Test("Whole items are selected, alone, with terms and in pairs", arguments: StoreKind.allCases, 1...3)
    func items(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            func count(_ team: Club) -> Int { league.players.count { $0.teamID == team.id } }
            let teams = Club.all.select { ($0, $0.count(of: Striker.self, by: \.teamID), $0.name + "!") }
            let rows = try await repository.fetch(teams).value()
            #expect(rows.map(\.0) == league.teams && rows.map(\.1) == league.teams.map(count))
            #expect(rows.map(\.2).isStored(like: league.teams.map { $0.name + "!" }))
            #expect(try await repository.fetch(Club.all.select { $0 }.distinct()).value() == league.teams)
            let pairs = try await repository.fetch(
                Striker.leftJoined(to: Club.self).select { ($0, $1, $0.goals * 2, $1.id) }
            ).value()
            #expect(pairs.map(\.0) == league.players && pairs.map(\.1) == league.players.map { league.team($0.teamID) })
            #expect(pairs.map(\.2) == league.players.map { $0.goals * 2 } && pairs.map(\.3) == pairs.map(\.1?.id))
            let inner = try await repository.fetch(Striker.joined(to: Club.self).select { ($0, $1) }).value()
            #expect(inner.map(\.1) == league.players.compactMap { league.team($0.teamID) })
            let sides = try await repository.fetch(Striker.leftJoined(to: Club.self).select { _, team in team }).value()
            #expect(sides == pairs.map(\.1))
            let cities = Striker.leftJoined(to: Club.self).select { _, team in (team, team.city) }
            let inside = try await repository.transaction { store in
                (try store.fetch(cities).map(\.0), try store.first(teams)?.0)
            }.value()
            #expect(inside.0 == sides && inside.1 == league.teams.first)
            #expect(try await repository.stream(teams).collect().value().map(\.0) == league.teams)
            let named = try await repository.fetch(StrikerInfo.all.select { ($0.player, $0.coach) }).value()
            #expect(named.map(\.1) == named.map { league.coach(league.team($0.0.teamID)?.coachID) })
        }
    }

    @Test("A live selection is delivered when its values change, and not when others do")
    func live() async throws {
        try await withLeague(.file) { repository, league async throws in
            let query = Striker.where { $0.id < 3 }.select { $0.goals }
            let recorder = repository.fetchSubscription(query).record()
            let first = league.players.prefix(3).map(\.goals)
            #expect(await recorder.values(1) == [first])
            var player = league.players[0]
            player.name = "another"
            try await repository.update(player).value()
            player.goals = 77
            try await repository.update(player).value()
            #expect(await recorder.values(2) == [first, [77] + first.dropFirst()])
        }
    }

    @Test("A value that is too large is an overflow, and a division by zero is refused")
    func refused() async throws {
        try await withLeague { repository, _ async throws in
            let player = Striker(id: 3_000, name: "", rating: 0, goals: .max, fee: 0, teamID: nil)
            try await repository.create(player).value()
            await expectFailure(\.isOverflow) {
                try await repository.fetch(Striker.all.select { $0.goals + 1 }).value()
            }
            await expectFailure(\.isMisuse) { try await repository.fetch(Striker.all.select { $0.goals / 0 }).value() }
        }
    }

    @Test("The plan of a selection names its index")
    func plan() async throws {
        try await withLeague { repository, _ async throws in
            let plan = try await repository.explain(Striker.where { $0.teamID == 3 }.select(\.name)).value()
            #expect(plan.description.contains("index_Striker(teamID)"), "\(plan)")
        }
    }
}
