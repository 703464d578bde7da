import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Indexes in SQLite's catalog; `SchemaShapeTests` tests a server's.
@Suite("Indexes of a file", .timeLimit(.minutes(10))) struct IndexTests {
    struct Ticket: Entity {
        let id: Int
        var gross: Int
        var row: Int
        static let schema = Schema(
            Column("id", \Ticket.id), Column("gross", \.gross, .indexed), Column("row", \.row, .unique),
            make: Ticket.init)
    }

    @Test(
        "An index with the library's name that is missing or not as declared is rebuilt",
        arguments: [
            "DROP INDEX \"index_Ticket(gross)\"; CREATE INDEX \"index_Ticket(gross)\" ON Ticket(\"row\")",
            "DROP INDEX \"index_Ticket(gross)\"; CREATE UNIQUE INDEX \"index_Ticket(gross)\" ON Ticket(gross)",
            "DROP INDEX \"unique_Ticket(row)\"; CREATE INDEX \"unique_Ticket(row)\" ON Ticket(\"row\")",
            "DROP INDEX \"unique_Ticket(row)\"",
        ])
    func rebuilt(change: String) throws {
        let folder = try TemporaryFolder()
        func indexes() throws -> [IndexShape] {
            let store = try OpenedStore(.file(folder.file()), entities: [Ticket.self])
            let writer = try #require(store.writer)
            defer { writer.close() }
            let shape = try #require(try FileShape(writer, tables: ["Ticket"]).item(named: "Ticket")?.shape)
            return shape.indexes.sorted { $0.name < $1.name }
        }
        let declared = try indexes()
        #expect(declared.map(\.columns) == [["gross"], ["row"]] && declared.map(\.isUnique) == [false, true])
        let other = try RawDatabase(folder.file())
        try other.run(change)
        other.close()
        #expect(try indexes() == declared)
    }
}
