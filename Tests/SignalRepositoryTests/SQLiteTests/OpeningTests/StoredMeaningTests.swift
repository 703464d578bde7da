import Foundation
import Testing

@testable import SignalRepository

@Suite("What the values of a column mean", .timeLimit(.minutes(10))) struct StoredMeaningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ entity: any Entity.Type, _ access: StoreAccess = .readWrite, _ migrations: [Migration] = [],
        _ body: (Connection) throws -> Void = { _ in }
    ) throws {
        let store = try OpenedStore(.file(folder.file()), access: access, entities: [entity], migrations: migrations)
        guard let writer = store.writer else { return }
        try body(writer)
        writer.close()
    }

    private func failure(_ body: () throws -> Void) -> RepositoryError? {
        do { try body() } catch { return error as? RepositoryError }
        return nil
    }

    private func expectMismatch(_ entity: any Entity.Type, _ words: [String]) throws {
        let before = try folder.contents()
        for access in [StoreAccess.readWrite, .readOnly] {
            guard case .schemaMismatch(let detail)? = failure({ try open(entity, access) }) else {
                Issue.record("it was not refused")
                continue
            }
            for word in words { #expect(detail.contains(word), "\(detail)") }
            #expect(try folder.contents() == before)
        }
    }

    @Test("R19 A column that is declared to mean something else is refused, with the steps that convert it")
    func declaredAnew() throws {
        try open(Whole.self) { try $0.execute("INSERT INTO Ware VALUES (1, 500)") }
        let step = #"changeColumn(\Ware.value, from: Int.self)"#
        try expectMismatch(Cents.self, ["Ware.value", "2 decimal places", step])
        try open(Whole.self)
    }

    @Test("R19 A Decimal is not read as a whole number, a date not as a number, JSON not as a text, nor the reverse")
    func pairs() throws {
        let pairs: [(any Entity.Type, any Entity.Type)] = [
            (Cents.self, Whole.self), (Moment.self, Seconds.self), (Seconds.self, Moment.self),
            (Words.self, Lines.self), (Lines.self, Words.self),
        ]
        for (first, second) in pairs {
            try open(first)
            try expectMismatch(second, ["Ware.value"])
            try FileManager.default.removeItem(atPath: folder.file())
        }
    }

    @Test("What is read as the same value is accepted")
    func sameMeaning() throws {
        try open(Whole.self) { try $0.execute("INSERT INTO Ware VALUES (1, 1)") }
        for entity in [Small.self, Units.self, Grade.self, Flag.self, Whole.self] as [any Entity.Type] {
            try open(entity)
        }
    }

    @Test("A file of an earlier version opens, and from then on says what its columns mean")
    func earlier() throws {
        let raw = try RawDatabase(folder.file())
        try raw.run("CREATE TABLE \"Ware\" (\"id\" INTEGER PRIMARY KEY NOT NULL, \"value\" INTEGER NOT NULL) STRICT")
        try raw.run("INSERT INTO Ware VALUES (1, 500)")
        try raw.run("PRAGMA application_id = \(FileShape.applicationID); PRAGMA user_version = \(FileShape.version)")
        raw.close()
        try open(Whole.self, .readOnly)
        try open(Whole.self) { writer throws in #expect(try writer.integer("SELECT value FROM Ware") == 500) }
        try expectMismatch(Cents.self, ["Ware.value"])
        try open(Whole.self) { writer throws in
            #expect(try writer.rows("PRAGMA integrity_check") == [[.text("ok")]])
            try writer.execute("INSERT INTO Ware VALUES (2, 7)")
            #expect(try writer.integer("SELECT sum(value) FROM Ware") == 507)
        }
    }

    @Test("R19 A step copies no number into another meaning")
    func copies() throws {
        try open(Cents.self) { try $0.execute("INSERT INTO Ware VALUES (1, 49975)") }
        let step = Migration("whole prices") { store in
            try store.createTable(Goods.self)
            try store.copy("Ware", to: Goods.self)
        }
        let text = failure { try open(Goods.self, .readWrite, [step]) }.map { "\($0)" } ?? ""
        #expect(text.contains("Ware.value") && text.contains("Goods.value"), "\(text)")
        try open(Cents.self) { writer throws in #expect(try writer.integer("SELECT value FROM Ware") == 49975) }
    }

    @Test("The steps that the message names convert a column")
    func conversion() throws {
        try open(Whole.self) { try $0.execute("INSERT INTO Ware VALUES (1, 500), (2, 7)") }
        let step = Migration("values have two places") { store in
            try store.renameColumn("value", to: "old", of: "Ware")
            try store.addColumn(\Cents.value, value: 0)
            try store.execute("UPDATE Ware SET value = old * 100")
            try store.dropColumn("old", of: "Ware")
        }
        for _ in 0..<2 {
            try open(Cents.self, .readWrite, [step]) { writer throws in
                #expect(try writer.integer("SELECT sum(value) FROM Ware") == 50_700)
            }
        }
        try open(Cents.self, .readOnly, [step])
    }

    struct Whole: Entity {
        let id: Int
        var value: Int
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Whole.id), Column("value", \.value), make: Whole.init)
    }

    struct Goods: Entity {
        let id: Int
        var value: Int
        static let schema = Schema(Column("id", \Goods.id), Column("value", \.value), make: Goods.init)
    }

    struct Cents: Entity {
        let id: Int
        var value: Decimal
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Cents.id), Column("value", \.value, .scale(2)), make: Cents.init)
    }

    struct Units: Entity {
        let id: Int
        var value: Decimal
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Units.id), Column("value", \.value, .scale(0)), make: Units.init)
    }

    struct Small: Entity {
        let id: Int64
        var value: Int8
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Small.id), Column("value", \.value), make: Small.init)
    }

    struct Grade: Entity {
        enum Value: Int, ColumnValue { case one = 1 }
        let id: Int
        var value: Value
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Grade.id), Column("value", \.value), make: Grade.init)
    }

    struct Flag: Entity {
        let id: Int
        var value: Bool
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Flag.id), Column("value", \.value), make: Flag.init)
    }

    struct Moment: Entity {
        let id: Int
        var value: Date
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Moment.id), Column("value", \.value), make: Moment.init)
    }

    struct Seconds: Entity {
        let id: Int
        var value: Double
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Seconds.id), Column("value", \.value), make: Seconds.init)
    }

    struct Words: Entity {
        let id: Int
        var value: [String]
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Words.id), Column("value", json: \.value), make: Words.init)
    }

    struct Lines: Entity {
        let id: Int
        var value: String
        static let entityName = "Ware"
        static let schema = Schema(Column("id", \Lines.id), Column("value", \.value), make: Lines.init)
    }
}
