import SignalRepository
import Testing

@Suite("What is declared, compared with a file") struct SchemaPlanTests {
    @Test("A key of further columns than the file's is named by its columns alone")
    func widerKeyThanTheFile() async throws {
        let folder = try TemporaryFolder()
        await closed(try SQLiteRepository(.file(folder.file()), entities: [Seat.self]))
        do {
            let repository = try SQLiteRepository(.file(folder.file()), entities: [RowSeat.self])
            Issue.record("It was opened.")
            await closed(repository)
        } catch {
            #expect("\(error)".contains("Seat.number is not the key of the stored table"))
            #expect(!"\(error)".contains("is declared with the key"))
        }
    }

    @Test("A new reference that may be nil is added, and one with a default is not")
    func newReference() async throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteRepository(.file(folder.file()), entities: [Seat.self, Guest.self])
        try await first.create(Guest(id: 1)).value()
        await closed(first)
        let error = try #require(throws: RepositoryError.self) {
            try SQLiteRepository(.file(folder.file()), entities: [Seat.self, PlacedGuest.self])
        }
        #expect("\(error)".contains("Guest.seat is a new reference, and its default may refer to nothing"))
        let again = try SQLiteRepository(.file(folder.file()), entities: [Seat.self, SeatedGuest.self])
        #expect(try await again.fetch(SeatedGuest.all).value() == [SeatedGuest(id: 1, seat: nil)])
        await closed(again)
    }
}

private struct Guest: Entity {
    let id: Int
    static let schema = Schema(Column("id", \Guest.id), make: Guest.init)
}

/// With the place where it sits, if any.
private struct SeatedGuest: Entity, Equatable {
    let id: Int
    var seat: Int?
    static let entityName = "Guest"
    static let schema = Schema(
        Column("id", \SeatedGuest.id), Column("seat", \.seat, .references(Seat.self)), make: SeatedGuest.init)
}

/// With a place for those who had none.
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
