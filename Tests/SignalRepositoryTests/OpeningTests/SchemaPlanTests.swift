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
