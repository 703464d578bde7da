import Foundation
import Testing

@testable import SignalRepository

@Suite("The decimal places of a column in the file", .timeLimit(.minutes(10))) struct StoredScaleTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    struct Cents: Entity {
        let id: Int
        var price: Decimal
        static let entityName = "Ware"
        static let schema = Schema(
            Column("id", \Cents.id), Column("price", \.price, .scale(2), .default(0)), make: Cents.init)
    }

    struct Whole: Entity {
        let id: Int
        var price: Int
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Whole.id), Column("price", \.price, .default(0)), make: Whole.init)
    }

    struct Mills: Entity {
        let id: Int
        var price: Decimal
        var old: Decimal?
        static let entityName = "Ware"
        static let schema = Schema(
            Column("id", \Mills.id), Column("price", \.price, .scale(3)), Column("old", \.old, .scale(2)),
            make: Mills.init)
    }

    private func write(
        _ entity: any Entity.Type, _ migrations: [Migration] = [], _ body: (Connection) throws -> Void = { _ in }
    ) throws {
        let store = try OpenedStore(.file(folder.file()), entities: [entity], migrations: migrations)
        let writer = try #require(store.writer)
        try body(writer)
        writer.close()
    }

    @Test("R19 Another number of places is refused before a value is read as another")
    func refused() throws {
        try write(Cents.self) { try $0.execute("INSERT INTO Ware VALUES (1, 1250)") }
        let before = try folder.contents()
        for (entity, places) in [(Mills.self, 3), (Whole.self, 0)] as [(any Entity.Type, Int)] {
            for access in [StoreAccess.readWrite, .readOnly] {
                let error = try thrown { () throws(RepositoryError) in
                    try OpenedStore(.file(folder.file()), access: access, entities: [entity])
                }
                guard case .schemaMismatch(let detail) = error else { return #expect(Bool(false), "\(error)") }
                #expect(detail.contains("Ware.price is declared with \(places) decimal places and stored with 2"))
                #expect(try folder.contents() == before)
            }
        }
        try write(Cents.self) { writer throws in #expect(try writer.integer("SELECT price FROM Ware") == 1250) }
    }

    @Test("A column that is renamed or added keeps its places")
    func renamed() throws {
        try write(Cents.self) { try $0.execute("INSERT INTO Ware VALUES (1, 1250)") }
        let step = Migration("prices have three places") { store in
            try store.execute("ALTER TABLE Ware RENAME COLUMN price TO old")
            try store.execute("ALTER TABLE Ware ADD COLUMN \"price\" /* scale 3 */ INTEGER NOT NULL DEFAULT 0")
            try store.execute("UPDATE Ware SET price = old * 10")
        }
        // The old column becomes optional, and keeps its places too.
        try write(Mills.self, [step]) { writer throws in
            #expect(try writer.rows("SELECT price, old FROM Ware") == [[.integer(12_500), .integer(1250)]])
        }
        // Both are said in the file now.
        try write(Mills.self, [step]) { _ in }
        let error = try thrown { () throws(RepositoryError) in
            try OpenedStore(.file(folder.file()), entities: [Cents.self], migrations: [step])
        }
        guard case .schemaMismatch(let detail) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail.contains("declared with 2 decimal places and stored with 3"))
    }

    @Test("A name with quotes and marks has its places too")
    func names() {
        let shape = ColumnShape(
            name: "a\"\u{301}b", type: "INTEGER", isOptional: true, isKey: false, meaning: .scaled(places: 7))
        let table = TableShape(name: "t", columns: [shape], indexes: [])
        #expect(ColumnMeaning(of: shape.name, in: table.creation) == .scaled(places: 7))
        #expect(ColumnMeaning(of: "b", in: table.creation) == nil)
    }
}
