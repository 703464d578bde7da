import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("References to an item") struct TermChildrenTests {
    @Test("Items that refer to another one are counted and found", arguments: [StoreKind.memory, .postgres], 1...4)
    func children(kind: StoreKind, seed: Int) async throws {
        try await withLeague(kind, seed: seed) { repository, league async throws in
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

    @Test("A live condition on other items follows them")
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

    /// An item whose id has no decimal places, while a reference to it has four.
    struct Account: Entity {
        let id: Decimal
        static let schema = Schema(Column("id", \Account.id, .scale(0)), make: Account.init)
    }

    struct Booking: Entity {
        let id: Int
        let account: Decimal
        /// The same account, which a custom function encodes as a text.
        let written: Decimal

        static let schema = Schema(
            Column("id", \Booking.id), Column("account", \.account),
            Column("written", \.written, encode: { "\($0)" }, decode: { (text: String) in Decimal(string: text) ?? 0 }),
            make: Booking.init)
    }

    @Test(
        "A reference with another encoding than the id is compared by its value, or refused",
        arguments: [StoreKind.memory, .postgres])
    func forms(kind: StoreKind) async throws {
        try await withRepository(kind, [Account.self, Booking.self]) { repository async throws in
            try await repository.insert([Account(id: 1), Account(id: 2)]).value()
            try await repository.create(Booking(id: 1, account: 2, written: 2)).value()
            let booked = Account.where { $0.exists(Booking.self, by: \.account) }
            #expect(try await repository.fetch(booked).value().map(\.id) == [2])
            let written = Account.where { $0.exists(Booking.self, by: \.written) }
            await expectFailure(\.isMisuse) { try await repository.fetch(written).value() }
        }
    }
}
