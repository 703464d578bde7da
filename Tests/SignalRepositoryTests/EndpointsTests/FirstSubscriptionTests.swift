import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("firstSubscription, live exists", .timeLimit(.minutes(10))) struct FirstSubscriptionTests {
    @Test("R7 The first item is followed without reading the store", arguments: StoreKind.allCases)
    func first(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, _ async throws in
            let recorder = repository.firstSubscription(Trainer.all.sorted(by: \.name)).record()
            let before = try await repository.first(Trainer.all.sorted(by: \.name)).value()
            #expect(await recorder.values(1) == [before])
            let read = repository.statistics.reads
            try await repository.create(Trainer(id: 9, name: "")).value()
            #expect(await recorder.values(2).last == Trainer(id: 9, name: ""))
            try await repository.create(Trainer(id: 10, name: "z")).value()
            try await repository.delete(Trainer.self, id: 9).value()
            #expect(await recorder.values(3) == [before, Trainer(id: 9, name: ""), before])
            #expect(repository.statistics.reads == read)
            #expect(repository.statistics.updatedInPlace > 0)
        }
    }

    @Test("Without items the value is nil, before and after there are some", arguments: StoreKind.allCases)
    func none(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let first = repository.firstSubscription(Film.all).record()
            let offset = repository.firstSubscription(Film.all.sorted(by: \.title).offset(1)).record()
            let limited = repository.firstSubscription(Film.all.limit(0)).record()
            #expect(await first.values(1) == [nil])
            _ = await (offset.values(1), limited.values(1))
            try await repository.insert((0..<1_000).map { Film.numbered($0, title: "\($0 + 1_000)") }).value()
            #expect(await first.values(2).last == .numbered(0, title: "1000"))
            #expect(await offset.values(2).last == .numbered(1, title: "1001"))
            try await repository.delete(Film.self) { _ in .true }.value()
            #expect(await first.values(3) == [nil, .numbered(0, title: "1000"), nil])
            #expect(await offset.values(3).last == .some(nil))
            #expect(limited.values == [nil])
        }
    }

    @Test("The first of a join and of a selection is followed", arguments: StoreKind.allCases)
    func others(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let joined = repository.firstSubscription(Striker.joined(to: Club.self).where { $0.id >= 0 && $1.id == 6 })
                .record()
            let counts = Striker.all.aggregate { ($0.id.count(), $0.id.count(where: $0.teamID == 6)) }
            let totals = repository.firstSubscription(counts).map { row in [row?.0, row?.1] }.record()
            let players = Striker.where { $0.teamID == 6 }.select { ($0, $0.goals) }
            let row = repository.firstSubscription(players).map { row in row?.1 }.record()
            #expect(await joined.values(1) == [nil])
            #expect(await totals.values(1) == [[40, 0]])
            #expect(await row.values(1) == [nil])
            var player = league.players[0]
            player.teamID = 6
            try await repository.update(player).value()
            #expect(await joined.values(2).last??.left == player)
            #expect(await totals.values(2).last == [40, 1])
            #expect(await row.values(2).last == player.goals)
        }
    }

    @Test("R7 A live exists query is followed without reading the store", arguments: StoreKind.allCases)
    func exists(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let recorder = repository.follow(Striker.where { $0.goals > 100 }.exists).record()
            #expect(await recorder.values(1) == [false])
            let read = repository.statistics.reads
            for id in 0..<2 {
                var player = league.players[id]
                player.goals = 101
                try await repository.update(player).value()
            }
            #expect(await recorder.values(2) == [false, true])
            try await repository.update(Striker.self, set: [.set(\.goals, to: 0)]) { $0.id == 0 }.value()
            try await repository.update(Striker.self, set: [.set(\.goals, to: 0)]) { $0.id == 1 }.value()
            #expect(await recorder.values(3) == [false, true, false])
            #expect(repository.statistics.reads == read)
        }
    }

    @Test("A live exists query of a join, or beyond an offset, is re-read", arguments: StoreKind.allCases)
    func existsElsewhere(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let joined = repository.follow(Striker.joined(to: Club.self).where { $1.id == 6 }.exists).record()
            let beyond = repository.follow(Striker.all.offset(40).exists).record()
            let none = repository.follow(Striker.all.limit(0).exists).record()
            #expect(await joined.values(1) == [false])
            #expect(await beyond.values(1) == [false])
            #expect(await none.values(1) == [false])
            var player = league.players[0]
            (player.id, player.teamID) = (100, 6)
            try await repository.create(player).value()
            #expect(await joined.values(2) == [false, true])
            #expect(await beyond.values(2) == [false, true])
            try await repository.delete(player).value()
            #expect(await joined.values(3) == [false, true, false])
            #expect(await beyond.values(3) == [false, true, false])
        }
    }
}
