import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// One entity in several versions of an application.
private protocol Version: Entity, Equatable where ID == Int {}

extension Version {
    static var entityName: String { "Item" }
}

private struct First: Version {
    let id: Int
    var name: String
    static let schema = Schema(Column("id", \First.id), Column("name", \.name), make: First.init)
}

/// The second version, with two new columns, an index, and a unique set of columns.
private struct Second: Version {
    let id: Int
    var name: String
    var rating: Double
    var note: String?
    static let schema = Schema(
        Column("id", \Second.id), Column("name", \.name, .indexed), Column("rating", \.rating, .default(0.1)),
        Column("note", \.note), unique: [[\Second.name, \Second.note]], make: Second.init)
}

private struct Retyped: Version {
    let id: Int
    var name: Int
    static let schema = Schema(Column("id", \Retyped.id), Column("name", \.name), make: Retyped.init)
}

private struct MadeOptional: Version {
    let id: Int
    var name: String?
    static let schema = Schema(Column("id", \MadeOptional.id), Column("name", \.name), make: MadeOptional.init)
}

private struct Rekeyed: Version {
    let id: Int
    var name: String
    static let schema = Schema(Column("number", \Rekeyed.id, .key), Column("name", \.name), make: Rekeyed.init)
}

private struct WithoutDefault: Version {
    let id: Int
    var name: String
    var added: Int
    static let schema = Schema(
        Column("id", \WithoutDefault.id), Column("name", \.name), Column("added", \.added), make: WithoutDefault.init)
}

private struct UniqueName: Version {
    let id: Int
    var name: String
    static let schema = Schema(Column("id", \UniqueName.id), Column("name", \.name, .unique), make: UniqueName.init)
}

private struct Extra: Entity, Equatable {
    let id: String
    var item: Int?
    static let schema = Schema(
        Column("id", \Extra.id), Column("item", \.item, .references(First.self, onDelete: .nullify)), make: Extra.init)
}

/// Opening, by the bytes and the catalog of a file; `SchemaOpenerTests` and `SchemaShapeTests` test a server.
@Suite("Opening") struct StoreOpenerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ entities: any Entity.Type..., access: StoreAccess = .readWrite) throws(RepositoryError)
        -> OpenedStore
    {
        try OpenedStore(.file(folder.file()), access: access, entities: entities)
    }

    /// Makes and closes a store of the first version with two items.
    private func makeFirst() throws {
        let writer = try #require(try open(First.self).writer)
        try writer.execute("INSERT INTO Item VALUES (1, 'one'), (2, 'two')")
        writer.close()
    }

    private func mismatch(_ entities: any Entity.Type..., access: StoreAccess = .readWrite) throws -> String {
        let error = try thrown { () throws(RepositoryError) in
            try OpenedStore(.file(folder.file()), access: access, entities: entities)
        }
        guard case .schemaMismatch(let detail) = error else {
            Issue.record("\(error)")
            return ""
        }
        return detail
    }

    @Test("R14 Statements that ran in whenNew do not decide which tables the same statements read later")
    func namesOfTheBeginning() throws {
        let views: SQL = "SELECT count(*) FROM Things"
        let store = try OpenedStore(
            .inMemory, entities: [Box<Int>.self, Film.self],
            whenNew: { store in
                try store.execute("CREATE VIEW Things AS SELECT id FROM Film")
                _ = try store.rows(views)
                try store.execute("DROP VIEW Things")
                try store.execute("CREATE VIEW Things AS SELECT id FROM Box")
                _ = try store.rows(views)
                try store.execute("CREATE TABLE notes (text TEXT)")
                _ = try store.rows("SELECT count(*) FROM notes")
                try store.execute("DROP TABLE notes")
                try store.execute("CREATE TABLE Notes (text TEXT)")
            })
        let writer = try #require(store.writer)
        let things = try writer.cached("SELECT count(*) FROM Things").access.read
        #expect(things.contains("Box") && !things.contains("Film"))
        #expect(try writer.cached("SELECT count(*) FROM NOTES").access.read == ["Notes"])
    }

    @Test("A new file has the declared tables and the library's mark")
    func newFile() throws {
        let writer = try #require(try open(Second.self).writer)
        #expect(try writer.integer("PRAGMA application_id") == 0x5367_5270)
        #expect(try writer.integer("PRAGMA user_version") == 1)
        let file = try FileShape(writer, tables: ["Item"])
        #expect(file.items.map(\.name) == ["Item"])
        #expect(try SchemaPlan(declared: [TableShape(Second.self, in: SQLiteTypes())], stored: file).steps.isEmpty)
        #expect(try SchemaPlan(declared: [TableShape(Second.self, in: SQLiteTypes())], stored: file).isNew == false)
    }

    @Test("A file that matches its declaration opens without a write")
    func untouched() throws {
        try makeFirst()
        let before = try folder.contents()["store.sqlite"]
        try open(First.self).writer?.close()
        #expect(try folder.contents()["store.sqlite"] == before)
    }

    @Test("New columns, an index and a unique set are added; stored rows stay, with exact defaults")
    func additions() throws {
        try makeFirst()
        let writer = try #require(try open(Second.self).writer)
        let items = try writer.cached("SELECT id, name, rating, note FROM Item").items(Second.schema)
        #expect(items == [Second(id: 1, name: "one", rating: 0.1, note: nil), Second(id: 2, name: "two", rating: 0.1)])
        let indexes = try FileShape(writer, tables: ["Item"]).item(named: "Item")?.shape?.indexes.map(\.columns)
        #expect(Set(indexes ?? []) == [["name"], ["name", "note"]])
        try writer.execute("INSERT INTO Item VALUES (3, 'three', 1, 'x')")
        let error = try thrown { () throws(RepositoryError) in
            try writer.execute("INSERT INTO Item VALUES (4, 'three', 1, 'x')")
        }
        guard case .constraint(.unique, ["name", "note"], _, _) = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("Columns and indexes that are no longer declared are dropped")
    func removals() throws {
        let writer = try #require(try open(Second.self).writer)
        try writer.execute("INSERT INTO Item VALUES (1, 'one', 2, 'n')")
        writer.close()
        let dropping = [DroppedColumn.column("rating", of: First.self), .column("note", of: First.self)]
        let store = try OpenedStore(.file(folder.file()), entities: [First.self], dropping: dropping)
        let again = try #require(store.writer)
        #expect(try again.cached("SELECT * FROM Item").items(First.schema) == [First(id: 1, name: "one")])
        let shape = try FileShape(again, tables: ["Item"]).item(named: "Item")?.shape
        #expect(try shape == TableShape(First.self, in: SQLiteTypes()))
    }

    @Test("A table is added for a new entity, and the table of an undeclared entity is left alone")
    func entities() throws {
        try makeFirst()
        try open(First.self, Extra.self).writer?.close()
        try open(Extra.self).writer?.close()
        let writer = try #require(try open(First.self).writer)
        #expect(try FileShape(writer, tables: []).items.map(\.name) == ["Extra", "Item"])
        #expect(try writer.integer("SELECT count(*) FROM Item") == 2)
    }

    @Test("A reference that is no longer declared is dropped with its column")
    func droppedReference() throws {
        struct Plain: Entity {
            let id: String
            static let entityName = "Extra"
            static let schema = Schema(Column("id", \Plain.id), make: Plain.init)
        }
        let writer = try #require(try open(First.self, Extra.self).writer)
        try writer.execute("INSERT INTO Extra VALUES ('a', NULL)")
        writer.close()
        let again = try #require(try open(Plain.self).writer)
        #expect(try again.rows("SELECT * FROM Extra") == [[.text("a")]])
    }

    @Test("A change that cannot be inferred is refused by name, and every byte of the folder stays")
    func refusals() throws {
        try makeFirst()
        let before = try folder.contents().filter { !$0.key.hasSuffix("-lock") }
        #expect(
            try mismatch(Retyped.self)
                == "Item.name is declared as INTEGER and stored as TEXT: register Migration(\"…\") { store in "
                + "try store.changeColumn(\\Item.name, from: String.self) { … } }")
        let rekeyed = try mismatch(Rekeyed.self)
        #expect(rekeyed.hasPrefix("the stored key Item.id is not declared; "))
        #expect(rekeyed.hasSuffix(": register Migration(\"…\") { store in try store.recreateTable(Item.self) }"))
        #expect(
            try mismatch(WithoutDefault.self)
                == "Item.added is new, not optional, and has no .default(…): register "
                + "Migration(\"…\") { store in try store.addColumn(\\Item.added, value: …) }")
        #expect(try folder.contents().filter { !$0.key.hasSuffix("-lock") } == before)
    }

    @Test("A unique column over equal values is refused, and everything is rolled back")
    func notUnique() throws {
        let writer = try #require(try open(First.self).writer)
        try writer.execute("INSERT INTO Item VALUES (1, 'same'), (2, 'same')")
        writer.close()
        let before = try folder.contents()["store.sqlite"]
        #expect(try mismatch(UniqueName.self, Extra.self).hasPrefix("unique_Item(name) cannot be migrated"))
        #expect(try folder.contents()["store.sqlite"] == before)
        #expect(try open(First.self).writer?.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'Extra'") == 0)
    }

    @Test("Opening read-only does not migrate: missing columns are named, additional ones are ignored")
    func reading() throws {
        try makeFirst()
        let before = try folder.contents()
        #expect(try mismatch(Second.self, access: .readOnly).hasPrefix("Item.rating is missing"))
        #expect(try mismatch(First.self, Extra.self, access: .readOnly).hasPrefix("Extra is missing"))
        #expect(try folder.contents() == before)
        try open(Second.self).writer?.close()
        let reader = try open(First.self, access: .readOnly).makeReader()
        #expect(try reader.cached("SELECT id, name FROM Item").items(First.schema).count == 2)
    }

    @Test("An in-memory store cannot be opened read-only, nor by a second connection")
    func memory() throws {
        let error = try thrown { () throws(RepositoryError) in
            try OpenedStore(.inMemory, access: .readOnly, entities: [First.self])
        }
        guard case .misuse = error else { return #expect(Bool(false), "\(error)") }
        let store = try OpenedStore(.inMemory, entities: [First.self])
        guard case .misuse = try thrown(by: { () throws(RepositoryError) in try store.makeReader() }) else {
            return #expect(Bool(false))
        }
    }
}
