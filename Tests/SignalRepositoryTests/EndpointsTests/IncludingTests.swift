import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Including", .timeLimit(.minutes(10))) struct IncludingTests {
    /// A season that a player has played for a team.
    struct Season: Entity, Equatable {
        var id: Int
        var playerID: Int
        var teamID: Int?
        static let schema = Schema(
            Column("id", \Season.id), Column("playerID", \.playerID), Column("teamID", \.teamID), make: Season.init)
    }

    private func withSeasons(
        _ kind: StoreKind, _ body: (any Repository, League, [Season]) async throws -> Void
    ) async throws {
        try await withRepository(kind, League.entities + [Season.self]) { repository in
            let league = kind == .postgres ? League(seed: 3).withoutNUL : League(seed: 3)
            try await league.store(in: repository)
            var random = SeededGenerator(seed: 3)
            // Some seasons have the same player and team, and some have no team.
            let seasons = (0..<60).map { id in
                Season(
                    id: id, playerID: Int.random(in: 0..<40, using: &random),
                    teamID: Int.random(in: 0..<5, using: &random) > 0 ? Int.random(in: 1...6, using: &random) : nil)
            }
            try await repository.insert(seasons).value()
            try await body(repository, league, seasons)
        }
    }

    @Test("Each item includes its children, in the order of both queries", arguments: StoreKind.allCases, 1...4)
    func families(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            let all = league.teams.map { team in
                Including(item: team, included: league.players.filter { $0.teamID == team.id })
            }
            #expect(try await repository.fetch(Club.all.including(many: Striker.all, by: \.teamID)).value() == all)
            let query = Club.all
                .including(many: Striker.where { $0.goals > 0 }.sorted(by: \.goals, .descending), by: \.teamID)
                .where { $0.id > 1 }.sorted(by: \.id, .descending).limit(3).offset(1)
            let expected = league.teams.filter { $0.id > 1 }.reversed().dropFirst().prefix(3).map { team in
                Including(
                    item: team,
                    included: league.players.filter { $0.teamID == team.id && $0.goals > 0 }
                        .sorted { ($1.goals, $0.id) < ($0.goals, $1.id) })
            }
            #expect(try await repository.fetch(query).value() == expected)
            #expect(try await repository.fetch(query.first).value() == expected.first)
            let inside = try await repository.transaction { store in
                for team in try store.fetch(Club.all) where team.id == 3 { try store.update(team) }
                return (try store.fetch(query), try store.fetch(query.first))
            }.value()
            #expect(inside.0 == expected && inside.1 == expected.first)
            #expect(expected.first?.name == expected.first?.item.name && expected.first?.id == expected.first?.item.id)
        }
    }

    @Test("A limit and an offset apply to each item's children", arguments: StoreKind.allCases, [0, 1, 2, 3, 1_000])
    func limits(kind: StoreKind, limit: Int) async throws {
        try await withLeague(kind) { repository, league async throws in
            for offset in [0, 1, 30] {
                let children = Striker.where { $0.rating >= 0 }.sorted(by: \.goals, .descending)
                    .limit(limit).offset(offset)
                let found = try await repository.fetch(Club.all.including(many: children, by: \.teamID)).value()
                for team in found {
                    let own = league.players.filter { $0.teamID == team.id }
                        .sorted { ($1.goals, $0.id) < ($0.goals, $1.id) }
                    #expect(team.included == Array(own.dropFirst(offset).prefix(limit)))
                }
                #expect(found.count == league.teams.count)
            }
            let all = try await repository.fetch(
                Club.all.including(many: Striker.all.limit(.max).offset(1), by: \.teamID)
            ).value()
            #expect(
                all.map(\.included.count)
                    == league.teams.map { team in
                        max(0, league.players.count { $0.teamID == team.id } - 1)
                    })
        }
    }

    @Test("The first child, the parent, and the number of children are included", arguments: StoreKind.allCases, 1...3)
    func single(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
            let best = try await repository.fetch(
                Club.all.including(first: Striker.all.sorted(by: \.goals, .descending), by: \.teamID)
            ).value()
            #expect(best.map(\.item) == league.teams)
            for team in best {
                let own = league.players.filter { $0.teamID == team.id }
                #expect(team.included == own.sorted { ($1.goals, $0.id) < ($0.goals, $1.id) }.first)
            }
            let none = try await repository.fetch(Club.all.including(first: Striker.all.limit(0), by: \.teamID)).value()
            #expect(none.allSatisfy { $0.included == nil })
            let players = try await repository.fetch(Striker.all.including(parent: Club.all, by: \.teamID)).value()
            #expect(players == league.players.map { Including(item: $0, included: league.team($0.teamID)) })
            let some = Striker.all.including(parent: Club.where { $0.id > 2 }, by: \.teamID)
            #expect(
                try await repository.fetch(some).value().map(\.included)
                    == league.players.map { player in league.team(player.teamID).flatMap { $0.id > 2 ? $0 : nil } })
            let counts = Club.all.including(count: Striker.where { $0.goals > 0 }, by: \.teamID)
            #expect(
                try await repository.fetch(counts).value().map(\.included)
                    == league.teams.map { team in league.players.count { $0.teamID == team.id && $0.goals > 0 } })
        }
    }

    @Test("Many to many: each child once, in the query's order, however often joined", arguments: StoreKind.allCases)
    func through(kind: StoreKind) async throws {
        try await withSeasons(kind) { repository, league, seasons async throws in
            func players(_ team: Club, _ isMeant: (Season) -> Bool = { _ in true }) -> [Striker] {
                league.players.filter { player in
                    seasons.contains { $0.playerID == player.id && $0.teamID == team.id && isMeant($0) }
                }
            }
            let all = Club.all.including(many: Striker.all, through: Season.all, from: \.teamID, to: \.playerID)
            #expect(try await repository.fetch(all).value().map(\.included) == league.teams.map { players($0) })
            let some = Club.all.including(
                many: Striker.all.sorted(by: \.id, .descending).limit(2).offset(1),
                through: Season.where { $0.id > 20 },
                from: \.teamID, to: \.playerID)
            #expect(
                try await repository.fetch(some).value().map(\.included)
                    == league.teams.map { Array(players($0) { $0.id > 20 }.reversed().dropFirst().prefix(2)) })
            let back = Striker.all.including(many: Club.all, through: Season.all, from: \.playerID, to: \.teamID)
            #expect(
                try await repository.fetch(back).value().map(\.included)
                    == league.players.map { player in league.teams.filter { players($0).contains(player) } })
        }
    }

    @Test("Included items include others, and an item includes several things", arguments: StoreKind.allCases)
    func nested(kind: StoreKind) async throws {
        try await withSeasons(kind) { repository, league, seasons async throws in
            let query = Trainer.all.including(
                many: Club.all.including(
                    many: Striker.all.including(count: Season.all, by: \.playerID), by: \.teamID), by: \.coachID
            ).including(count: Club.where { $0.city != nil }, by: \.coachID)
            let expected = league.coaches.map { coach in
                Including(
                    item: Including(
                        item: coach,
                        included: league.teams.filter { $0.coachID == coach.id }.map { team in
                            Including(
                                item: team,
                                included: league.players.filter { $0.teamID == team.id }.map { player in
                                    Including(item: player, included: seasons.count { $0.playerID == player.id })
                                })
                        }), included: league.teams.count { $0.coachID == coach.id && $0.city != nil })
            }
            #expect(try await repository.fetch(query).value() == expected)
            #expect(try await repository.fetch(query).value().map(\.name) == league.coaches.map(\.name))
        }
    }

    @Test("The sides of a join and the results of a search include their items", arguments: StoreKind.allCases)
    func sides(kind: StoreKind) async throws {
        try await withSeasons(kind) { repository, league, seasons async throws in
            let joined = Striker.joined(to: Club.self).including(many: Season.all, by: \.playerID, of: \.left)
                .including(count: Striker.all, by: \.teamID, of: \.right)
            let rows = try await repository.fetch(joined).value()
            #expect(rows.count == league.players.count { $0.teamID != nil })
            for row in rows {
                #expect(row.item.included == seasons.filter { $0.playerID == row.left.id })
                #expect(row.included == league.players.count { $0.teamID == row.right.id })
            }
            let left = Striker.leftJoined(to: Club.self)
                .including(parent: Trainer.all, by: \.coachID, of: \.right)
                .including(first: Season.all.sorted(by: \.id, .descending), by: \.playerID, of: \.left)
                .including(many: Striker.all, through: Season.all, from: \.teamID, to: \.playerID, of: \.right)
            for row in try await repository.fetch(left).value() {
                #expect(row.item.item.included == league.coach(row.right?.coachID))
                #expect(row.item.included == seasons.last { $0.playerID == row.left.id })
                #expect(row.included.isEmpty || row.right != nil)
            }
            let infos = try await repository.fetch(
                StrikerInfo.all.including(count: Season.all, by: \.playerID, of: \.player)
            ).value()
            #expect(infos.map(\.included) == infos.map { info in seasons.count { $0.playerID == info.player.id } })
        }
        try await withRepository(kind, [Note.self, Remark.self]) { repository in
            try await repository.insert([Note(id: 1, text: "quick fox"), Note(id: 2, text: "lazy dog")]).value()
            try await repository.insert((0..<5).map { Remark(id: $0, noteID: $0 % 2 + 1) }).value()
            let found = Note.matching("fox").including(many: Remark.all, by: \.noteID, of: \.item)
            let notes = try await repository.fetch(found).value()
            #expect(notes.map(\.item.item.id) == [1] && notes.map { $0.included.map(\.id) } == [[0, 2, 4]])
        }
    }

    @Test(
        "The number of statements does not depend on the number of items", arguments: StoreKind.allCases, [0, 1, 1_000])
    func statements(kind: StoreKind, count: Int) async throws {
        let texts = CurrentValue<[String], Never>([])
        var configuration = RepositoryConfiguration()
        configuration.statementLog = StatementLog { report in
            // The thousand insertions do not matter here, and each would be stored and searched again.
            if report.sql.hasPrefix("SELECT") { texts.value.append(report.sql) }
        }
        try await withRepository(kind, [Note.self, Remark.self], configuration: configuration) { repository in
            try await repository.insert((0..<count).map { Note(id: $0, text: "") }).value()
            try await repository.insert((0..<count * 2).map { Remark(id: $0, noteID: $0 / 2) }).value()
            let query = Note.all.including(
                many: Remark.all.including(parent: Note.all, by: \.noteID), by: \.noteID
            ).including(count: Remark.all, by: \.noteID)
            let found = try await repository.fetch(query).value()
            #expect(found.count == count)
            #expect(found.allSatisfy { $0.included == 2 && $0.item.included.map(\.included?.id) == [$0.id, $0.id] })
            // The last statement is reported after all earlier ones.
            _ = try await repository.fetch(Note.where { $0.text == "last" }).value()
            let recorder = texts.signal.record()
            await recorder.values { $0.contains { $0.contains("\"text\" = ") } }
            let reads = texts.value.filter {
                $0.contains("FROM \"") && $0.contains(" WHERE ") && !$0.contains("\"text\" = ")
            }
            #expect(reads.count == 3, "\(reads)")
        }
    }

    @Test("A live query follows an item and its children", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let query = Club.where { $0.id == 6 }.including(many: Striker.all, by: \.teamID)
            let recorder = repository.fetchSubscription(query).record()
            let first = repository.follow(query.first).record()
            #expect(await recorder.values(1).first?.first?.included.isEmpty == true)
            #expect(await first.values(1).first??.included.isEmpty == true)
            var player = league.players[0]
            player.teamID = 6
            try await repository.update(player).value()
            #expect(await recorder.values(2).last?.first?.included == [player])
            // The next two names are equal in Swift, but different texts in the store.
            player.name = "e\u{301}"
            try await repository.update(player).value()
            #expect(await recorder.values(3).last?.first?.included == [player])
            player.name = "\u{e9}"
            try await repository.update(player).value()
            let texts = await recorder.values(4).last?.first?.included.map { ExactText($0.name) }
            #expect(texts == [ExactText("\u{e9}")])
            try await repository.update(Club.self, set: [.set(\.name, to: "renamed")]) { $0.id == 6 }.value()
            await recorder.values { $0.first?.name == "renamed" }
            await first.values { $0?.name == "renamed" && $0?.included == [player] }
        }
    }

    @Test("A limit of counted items, and a property without a column, are refused", arguments: StoreKind.allCases)
    func refused(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, _ async throws in
            for query in [Striker.all.limit(3), Striker.all.offset(1)] {
                await expectFailure(\.isMisuse) {
                    try await repository.fetch(Club.all.including(count: query, by: \.teamID)).value()
                }
            }
            await expectFailure({ "\($0)".contains("Striker.isRich") || $0.isMisuse }) {
                try await repository.fetch(Club.all.including(many: Striker.all, by: \.isRich)).value()
            }
        }
    }
}

private struct Note: Entity, Equatable {
    var id: Int
    var text: String
    static let schema = Schema(
        Column("id", \Note.id), Column("text", \.text), search: [\.text], make: Note.init)
}

private struct Remark: Entity, Equatable {
    var id: Int
    var noteID: Int
    static let schema = Schema(Column("id", \Remark.id), Column("noteID", \.noteID), make: Remark.init)
}

extension Striker {
    /// A property without a column.
    fileprivate var isRich: Int { 1 }
}
