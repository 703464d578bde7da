import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Ids in errors", .timeLimit(.minutes(10))) struct DisplayedIDTests {
    private struct Day: Entity {
        let id: Date
        var n: Int
        static let schema = Schema(Column("id", \Day.id), Column("n", \.n), make: Day.init)
    }

    private struct Slot: Entity {
        let day: Date
        let place: Int
        var id: CompositeKey<Date, Int> { CompositeKey(day, place) }
        static let schema = Schema(
            Column("day", \Slot.day), Column("place", \.place), key: [\.day, \.place], make: Slot.init)
    }

    /// A type whose description must not run on the store's queue.
    private struct Tag: RawRepresentable, ColumnValue, Hashable, CustomStringConvertible {
        let rawValue: String
        var description: String { preconditionFailure("The store called the description of an id.") }
    }

    private struct Tagged: Entity {
        let id: Tag
        var n: Int
        static let schema = Schema(Column("id", \Tagged.id), Column("n", \.n), make: Tagged.init)
    }

    private static let never = Date(timeIntervalSinceReferenceDate: .nan)

    @Test("S-M3 An id whose date is NaN is an error in every endpoint", arguments: StoreKind.allCases)
    func dates(kind: StoreKind) async throws {
        try await withRepository(kind, [Day.self, Slot.self]) { repository async throws in
            let (day, slot) = (Day(id: Self.never, n: 1), Slot(day: Self.never, place: 2))
            await expectEncoding("nan") { try await repository.create(day).value() }
            await expectEncoding("nan") { try await repository.update(day).value() }
            await expectEncoding("nan") { try await repository.upsert(day).value() }
            await expectEncoding("nan") { try await repository.insert([day]).value() }
            await expectEncoding("nan") { try await repository.createAtomically([day]).value() }
            await expectEncoding("nan") { try await repository.delete(day).value() }
            await expectEncoding("nan") { try await repository.read(Day.self, id: Self.never).value() }
            await expectEncoding("nan, 2") { try await repository.create(slot).value() }
            await expectEncoding("nan, 2") { try await repository.read(Slot.self, id: slot.id).value() }
            let batch = try await repository.create([day, Day(id: .now, n: 2)]).value()
            #expect(batch.success.count == 1 && batch.failed.count == 1)
            #expect(try await repository.count(Day.self).value() == 1)
        }
    }

    private func expectEncoding<Value>(
        _ id: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
    ) async {
        await expectFailure(
            { error in
                guard case .encoding = error else { return false }
                return error.item?.id == id && "\(error)".contains(id)
            }, sourceLocation: sourceLocation, body)
    }

    @Test("S-M3 An id of a custom type is spelled as it is stored", arguments: StoreKind.allCases)
    func ownTypes(kind: StoreKind) async throws {
        try await withRepository(kind, [Tagged.self]) { repository async throws in
            let item = Tagged(id: Tag(rawValue: "red"), n: 1)
            try await repository.create(item).value()
            await expectFailure({ $0.item?.id == "red" }) { try await repository.create(item).value() }
            await expectFailure({ $0.isNotFound && $0.item?.id == "blue" }) {
                try await repository.read(Tagged.self, id: Tag(rawValue: "blue")).value()
            }
        }
    }

    @Test("S-M3 A RepositoryCall names such an id as well")
    func calls() {
        let call = RepositoryCall("read", Day.self, id: Self.never)
        #expect(call.ids == ["nan"])
        #expect(RepositoryCall("read", Tagged.self, ids: [Tag(rawValue: "red")]).ids == ["red"])
    }
}
