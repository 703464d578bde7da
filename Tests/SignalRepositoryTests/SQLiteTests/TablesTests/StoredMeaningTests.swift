import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The meaning of a column's values", .timeLimit(.minutes(10))) struct StoredMeaningTests {
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
                Issue.record("The entity was not refused.")
                continue
            }
            for word in words { #expect(detail.contains(word), "\(detail)") }
            #expect(try folder.contents() == before)
        }
    }

    @Test(
        "R19 A column that is declared with another meaning is refused, with the migration that converts it",
        arguments: StoreKind.kept)
    func declaredAnew(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Whole.self]) { try await $0.create(Whole(id: 1, value: 500)).value() }
        let step = #"changeColumn(\Ware.value, from: Int.self)"#
        for access in [StoreAccess.readWrite, .readOnly] {
            let detail = try place.mismatch([Cents.self], access: access)
            for words in ["Ware.value", "2 decimal places", step] { #expect(detail.contains(words), "\(detail)") }
        }
        try await place.with([Whole.self]) { repository async throws in
            #expect(try await repository.fetch(Whole.all).value().map(\.value) == [500])
        }
    }

    @Test(
        "R19 A Decimal is not read as a whole number, nor a date as a number or JSON as a text, nor the reverse",
        arguments: StoreKind.kept)
    func pairs(kind: StoreKind) async throws {
        let pairs: [(any Entity.Type, any Entity.Type)] = [
            (Cents.self, Whole.self), (Moment.self, Seconds.self), (Seconds.self, Moment.self),
            (Words.self, Lines.self), (Lines.self, Words.self),
        ]
        for (first, second) in pairs {
            let place = try StorePlace(kind)
            try await place.with([first]) { _ in }
            for access in [StoreAccess.readWrite, .readOnly] {
                let detail = try place.mismatch([second], access: access)
                #expect(detail.contains("Ware.value"), "\(detail)")
            }
        }
    }

    @Test("A type that reads the same value is accepted", arguments: StoreKind.kept)
    func sameMeaning(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Whole.self]) { try await $0.create(Whole(id: 1, value: 1)).value() }
        for entity in [Small.self, Units.self, Grade.self, Flag.self, Whole.self] as [any Entity.Type] {
            try await place.with([entity]) { _ in }
        }
    }

    // A server's schema has stored meanings from the beginning.
    @Test("A file of an earlier version opens, and stores the meaning of its columns from then on")
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

    @Test("R19 A migration cannot copy a number into a column with another meaning", arguments: StoreKind.kept)
    func copies(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Cents.self]) { try await $0.create(Cents(id: 1, value: 499.75)).value() }
        let step = Migration("whole prices") { store in
            try store.createTable(Goods.self)
            try store.copy("Ware", to: Goods.self)
        }
        let text = "\(try place.refusal([Goods.self], [step]))"
        #expect(text.contains("Ware.value") && text.contains("Goods.value"), "\(text)")
        try await place.with([Cents.self]) { repository async throws in
            #expect(try await repository.sum(of: \Cents.value).value() == 499.75)
        }
    }

    @Test("A migration that renames, adds and drops columns converts the values", arguments: StoreKind.kept)
    func conversion(kind: StoreKind) async throws {
        let place = try StorePlace(kind)
        try await place.with([Whole.self]) { repository async throws in
            try await repository.insert([Whole(id: 1, value: 500), Whole(id: 2, value: 7)]).value()
        }
        let step = Migration("values have two places") { store in
            try store.renameColumn("value", to: "old", of: "Ware")
            try store.addColumn(\Cents.value, value: 0)
            try store.execute(#"UPDATE "Ware" SET value = old * 100"#)
            try store.dropColumn("old", of: "Ware")
        }
        for _ in 0..<2 {
            try await place.with([Cents.self], [step]) { repository async throws in
                #expect(try await repository.sum(of: \Cents.value).value() == 507)
            }
        }
        await closed(try place.open([Cents.self], [step], access: .readOnly))
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
