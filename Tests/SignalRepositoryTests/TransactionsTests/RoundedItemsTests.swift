import Foundation
import SignalRepository
import Signals
import Testing

/// An entity with numbers that are rounded when stored.
private struct Invoice: Entity, Equatable {
    var id = 0
    var number: Int
    var total: Decimal
    var tip: Decimal?

    static let schema = Schema<Invoice>(unique: [[\.number]]) {
        Column("id", \.id, .generated)
        Column("number", \.number)
        Column("total", \.total, .scale(2, rounding: .plain))
        Column("tip", \.tip, .scale(1, rounding: .bankers))
    } decode: { row in
        try Invoice(id: row.next(), number: row.next(), total: row.next(), tip: row.next())
    }
}

@Suite("Numbers that are rounded", .timeLimit(.minutes(10))) struct RoundedItemsTests {
    @Test("R19 Endpoints return rounded numbers as they are stored", arguments: StoreKind.allCases)
    func rounded(kind: StoreKind) async throws {
        @Sendable func exact(_ text: String) -> Decimal { Decimal(string: text) ?? 0 }
        @Sendable func given(_ id: Int, _ number: Int) -> Invoice {
            Invoice(id: id, number: number, total: exact("1.005"), tip: exact("0.25"))
        }
        func stored(_ id: Int, _ number: Int) -> Invoice {
            Invoice(id: id, number: number, total: exact("1.01"), tip: exact("0.2"))
        }
        try await withRepository(kind, [Invoice.self]) { repository async throws in
            #expect(try await repository.create(given(0, 1)).value() == stored(1, 1))
            #expect(try await repository.create(given(7, 7)).value() == stored(7, 7))
            #expect(try await repository.create([given(8, 8)]).value().success == [stored(8, 8)])
            #expect(try await repository.createAtomically([given(9, 9)]).value() == [stored(9, 9)])
            #expect(try await repository.update(given(1, 1)).value() == stored(1, 1))
            #expect(try await repository.update([given(1, 1)]).value().success == [stored(1, 1)])
            #expect(try await repository.updateAtomically([given(1, 1)]).value() == [stored(1, 1)])
            #expect(try await repository.upsert(given(1, 1)).value() == stored(1, 1))
            #expect(try await repository.upsert(given(10, 10)).value() == stored(10, 10))
            #expect(try await repository.upsert([given(0, 11)]).value().success == [stored(11, 11)])
            #expect(try await repository.upsertAtomically([given(1, 1)]).value() == [stored(1, 1)])
            let other = try await repository.upsert(given(0, 1), on: [\.number], updating: [\.total]).value()
            #expect(other == stored(1, 1))
            let one = try await repository.update(Invoice.self, id: 1, set: [.set(\.total, to: exact("2.345"))]).value()
            #expect(one.total == exact("2.35"))
            let found = repository.findOrCreate(Invoice.self, id: 20) { given($0, 20) }
            #expect(try await found.value() == stored(20, 20))
            let pad = ScratchPad(repository)
            try pad.create(given(30, 30))
            try await pad.save().value()
            try pad.update(given(30, 31), from: stored(30, 30))
            try await pad.save().value()
            #expect(try await repository.read(Invoice.self, id: 30).value() == stored(30, 31))
        }
    }
}
