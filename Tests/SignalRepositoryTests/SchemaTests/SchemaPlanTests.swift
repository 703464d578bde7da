import SignalRepository
import Testing

@Suite("Differences between a declaration and a store") struct SchemaPlanTests {
    @Test("A key with more columns than the stored one is reported by column only", arguments: StoreKind.kept)
    func widerKeyThanTheStore(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Seat.self]) { _ in }
        let detail = try place.mismatch([RowSeat.self])
        #expect(detail.contains("Seat.number is not the key of the stored table"))
        #expect(!detail.contains("is declared with the key"))
    }

    @Test("A new optional reference is added; one with a default is refused", arguments: StoreKind.kept)
    func newReference(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Seat.self, Guest.self]) { try await $0.create(Guest(id: 1)).value() }
        let detail = try place.mismatch([Seat.self, PlacedGuest.self])
        #expect(detail.contains("Guest.seat is a new reference, and its default may refer to nothing"))
        try await place.with([Seat.self, SeatedGuest.self]) { repository async throws in
            #expect(try await repository.fetch(SeatedGuest.all).value() == [SeatedGuest(id: 1, seat: nil)])
            await expectFailure(\.isConstraint) { try await repository.create(SeatedGuest(id: 2, seat: 9)).value() }
        }
    }
}

private struct Guest: Entity {
    let id: Int
    static let schema = Schema(Column("id", \Guest.id), make: Guest.init)
}

/// A guest with an optional seat.
private struct SeatedGuest: Entity, Equatable {
    let id: Int
    var seat: Int?
    static let entityName = "Guest"
    static let schema = Schema(
        Column("id", \SeatedGuest.id), Column("seat", \.seat, .references(Seat.self)), make: SeatedGuest.init)
}

/// A guest with a default seat, for guests that had none.
private struct PlacedGuest: Entity {
    let id: Int
    var seat: Int?
    static let entityName = "Guest"
    static let schema = Schema(
        Column("id", \PlacedGuest.id), Column("seat", \.seat, .references(Seat.self), .default(1)),
        make: PlacedGuest.init)
}

private struct Seat: Entity {
    let row: Int
    let number: Int
    var id: Int { row }
    static let schema = Schema(
        Column("row", \Seat.row, .key), Column("number", \.number), make: Seat.init)
}

private struct RowSeat: Entity {
    let row: Int
    let number: Int
    var id: CompositeKey<Int, Int> { CompositeKey(row, number) }
    static let entityName = "Seat"
    static let schema = Schema(
        Column("row", \RowSeat.row), Column("number", \.number), key: [\.row, \.number], make: RowSeat.init)
}
