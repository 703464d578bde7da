import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Columns") struct ColumnTests {
    private func misuse(_ entity: any Entity.Type...) throws -> String {
        let error = try thrown { () throws(RepositoryError) in try OpenedStore(.inMemory, entities: entity) }
        guard case .misuse(let detail) = error else {
            Issue.record("\(error)")
            return ""
        }
        return detail
    }

    @Test("A faulty declaration is refused with an error that says what is wrong, before anything is created")
    func faulty() throws {
        struct NoKey: Entity {
            var id: Int { 1 }
            var name: String
            static let schema = Schema(Column("name", \NoKey.name), make: NoKey.init)
        }
        struct Twice: Entity {
            let id: Int
            var name: String
            static let schema = Schema(Column("id", \Twice.id), Column("ID", \.name), make: Twice.init)
        }
        struct Scaled: Entity {
            let id: Int
            var price: Decimal
            static let schema = Schema(
                Column("id", \Scaled.id), Column("price", \.price, .scale(19)), make: Scaled.init)
        }
        struct Nullified: Entity {
            let id: Int
            var other: Int
            static let schema = Schema(
                Column("id", \Nullified.id), Column("other", \.other, .references(Scaled.self, onDelete: .nullify)),
                make: Nullified.init)
        }
        struct Dangling: Entity {
            let id: Int
            var other: Int
            static let schema = Schema(
                Column("id", \Dangling.id), Column("other", \.other, .references(NoKey.self)), make: Dangling.init)
        }
        struct NotANumber: Entity {
            let id: Int
            var value: Double
            static let schema = Schema(
                Column("id", \NotANumber.id), Column("value", \.value, .default(.nan)), make: NotANumber.init)
        }
        #expect(
            try misuse(NoKey.self)
                == "the schema of NoKey declares no column for its id, which is of type Int: add "
                + #"Column("id", \NoKey.id), mark the one that holds it with .key, or name several with key:"#)
        #expect(try misuse(Twice.self) == "Twice declares two columns with the name ID")
        #expect(try misuse(Scaled.self) == "the scale of Scaled.price is 19; it can be 0 to 18")
        #expect(try misuse(Nullified.self) == "Nullified.other must be optional, because its delete rule is .nullify")
        #expect(try misuse(Dangling.self) == "Dangling.other refers to NoKey, which is not among the entities")
        #expect(try misuse(Box<Int>.self, Box<String>.self).hasPrefix("two entities have the name Box, but neither"))
        let error = try thrown { () throws(RepositoryError) in
            try OpenedStore(.inMemory, entities: [NotANumber.self])
        }
        guard case .encoding("NotANumber", "value", _, _) = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("An integer key is the row id; other keys are not NULL")
    func keys() throws {
        let integer = try Memory(Box<Int>.self)
        try integer.connection.execute("INSERT INTO Box VALUES (7, 1)")
        #expect(try integer.connection.integer("SELECT rowid FROM Box") == 7)
        let text = try Memory(Person.self)
        let error = try thrown { () throws(RepositoryError) in
            try text.connection.execute("INSERT INTO Person (id, name) VALUES (NULL, 'x')")
        }
        guard case .constraint(.notNull, ["id"], _, _) = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("References cascade, nullify or restrict as declared; an entity may refer to itself")
    func references() throws {
        let store = try OpenedStore(.inMemory, entities: [Person.self, Letter.self])
        let connection = try #require(store.writer)
        for sql in [
            "INSERT INTO Person VALUES ('a', 'Ann', NULL), ('b', 'Bob', 'a')",
            "INSERT INTO Letter VALUES (1, 'a', 'b', NULL), (2, 'b', NULL, NULL)",
        ] {
            try connection.execute(sql)
        }
        try connection.execute("DELETE FROM Person WHERE id = 'a'")
        #expect(try connection.rows("SELECT id, friend FROM Person") == [[.text("b"), .null]])
        #expect(try connection.rows("SELECT id FROM Letter") == [[.integer(2)]])
        try connection.execute("INSERT INTO Letter VALUES (3, 'b', NULL, 'b')")
        let error = try thrown { () throws(RepositoryError) in try connection.execute("DELETE FROM Person") }
        guard case .constraint(.foreignKey, [], _, _) = error else { return #expect(Bool(false), "\(error)") }
        let missing = try thrown { () throws(RepositoryError) in
            try connection.execute("INSERT INTO Letter VALUES (4, 'nobody', NULL, NULL)")
        }
        guard case .constraint(.foreignKey, _, _, _) = missing else { return #expect(Bool(false), "\(missing)") }
    }

    @Test(
        "The table declares a default, for rows that other programs insert",
        arguments: [
            SQLValue.integer(-5), .real(1e300), .real(.infinity), .text("it's \"so\""), .blob([0, 255, 16]), .null,
        ])
    func literals(_ value: SQLValue) throws {
        let connection = try Memory(Box<Int>.self).connection
        let literal = SQLiteTypes().literal(value, of: "ANY")
        #expect(try connection.rows("SELECT \(literal)") == [[value]])
        let error = try thrown { () throws(RepositoryError) in
            try ColumnShape.checkDefault(.text("\0"), of: "E.c")
        }
        guard case .misuse = error else { return #expect(Bool(false), "\(error)") }
    }
}

private struct Person: Entity {
    let id: String
    var name: String
    var friend: String?
    static let schema = Schema(
        Column("id", \Person.id), Column("name", \.name, .unique),
        Column("friend", \.friend, .references(Person.self, onDelete: .nullify)), make: Person.init)
}

private struct Letter: Entity {
    let id: Int
    var from: String
    var to: String?
    var witness: String?
    static let schema = Schema(
        Column("id", \Letter.id), Column("from", \.from, .references(Person.self, onDelete: .cascade)),
        Column("to", \.to, .references(Person.self, onDelete: .nullify)),
        Column("witness", \.witness, .references(Person.self, onDelete: .restrict)), make: Letter.init)
}
