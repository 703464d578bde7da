import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Rows of raw statements") struct RowsTests {
    struct Top: Row, Equatable {
        let team: Int?
        let players: Int
        static let schema = Schema(Column("team", \Top.team), Column("players", \.players), make: Top.init)
    }

    @Test("A row is made of the columns that it names, in any order", arguments: StoreKind.allCases)
    func rows(kind: StoreKind) async throws {
        try await withLeague(kind) { repository, league async throws in
            let expected = Dictionary(grouping: league.players, by: \.teamID)
                .map { Top(team: $0.key, players: $0.value.count) }.filter { $0.players > 1 }
                .sorted { ($0.team ?? 0) < ($1.team ?? 0) }
            let rows = repository.rows(
                #"""
                SELECT count(*) AS players, 1 AS other, "teamID" AS team FROM "Striker"
                GROUP BY "teamID" HAVING count(*) > ? ORDER BY coalesce("teamID", 0)
                """#, 1, as: Top.self)
            #expect(try await rows.value() == expected)
            let inside = try await repository.read { store in
                try store.rows("SELECT 7 AS players, NULL AS team", as: Top.self)
            }.value()
            #expect(inside == [Top(team: nil, players: 7)])
        }
    }

    @Test("A tuple is made of the columns in their order")
    func tuples() async throws {
        try await withLeague { repository, league async throws in
            let rows = try await repository.rows("SELECT id, name, teamID FROM Striker", as: (Int, String, Int?).self)
                .value()
            #expect(rows.map(\.0) == league.players.map(\.id))
            #expect(rows.map(\.2) == league.players.map(\.teamID))
            await expectFailure(\.isMisuse) {
                try await repository.rows("SELECT id, name, teamID FROM Striker", as: (Int, String).self).value()
            }
        }
    }

    @Test("Rows are followed")
    func live() async throws {
        try await withLeague(.file) { repository, league async throws in
            let recorder = repository.rowsSubscription(
                "SELECT NULL AS team, count(*) AS players FROM Striker", as: Top.self
            ).record()
            let count = league.players.count
            #expect(await recorder.values(1) == [[Top(team: nil, players: count)]])
            try await repository.delete(Striker.self, id: 3).value()
            #expect(await recorder.values(2).last == [Top(team: nil, players: count - 1)])
        }
    }

    @Test("A missing column, one that occurs twice, and a statement that writes are refused")
    func refused() async throws {
        try await withLeague { repository, _ async throws in
            await expectFailure(\.isMisuse) { try await repository.rows("SELECT 1 AS team", as: Top.self).value() }
            await expectFailure(\.isMisuse) {
                try await repository.rows("SELECT 1 AS team, 2 AS team, 3 AS players", as: Top.self).value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.rows("DELETE FROM Striker RETURNING id", as: Int.self).value()
            }
            await expectFailure(\.isDecoding) {
                try await repository.rows("SELECT 1 AS team, 'x' AS players", as: Top.self).value()
            }
        }
    }
}
