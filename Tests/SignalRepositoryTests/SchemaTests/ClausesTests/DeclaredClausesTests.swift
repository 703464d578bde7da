import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// The SQL of clauses in a declaration, in readable form.
@Suite struct DeclaredClausesTests {
    private struct Item: Entity {
        let id: Int
        var name: String
        var price: Decimal
        var owner: Int?
        var total: Decimal = 0
        static let schema = Schema<Item>(
            clauses: [
                .check("fair") { $0.price >= 1.5 && $0.name.isIn(["it's", "?"]) && $0.owner != 3 },
                .unique("named", [\.name]) { $0.owner == nil || $0.price < 2 },
                .index("by length", sql: "length(\"name\") + \(1)"),
            ]
        ) {
            Column("id", \.id)
            Column("name", \.name)
            Column("price", \.price, .scale(2))
            Column("owner", \.owner)
            Column("total", \.total, .scale(3), computed: { $0.price + 1 })
        } decode: { row in
            try Item(id: row.next(), name: row.next(), price: row.next(), owner: row.next(), total: row.next())
        }
    }

    @Test func sqlite() throws {
        let table = try TableShape(Item.self, in: SQLiteTypes())
        let sum = #"(("price" + (1 * 100)) * 10)"#
        let total = "(\(sum) + 0 * abs((typeof(\(sum)) = 'real') * -9223372036854775807 - 1))"
        #expect(
            table.creation == #"""
                CREATE TABLE "Item" ("id" /* scale 0 */ INTEGER PRIMARY KEY NOT NULL, \#
                "name" /* text */ TEXT NOT NULL, "price" /* scale 2 */ INTEGER NOT NULL, \#
                "owner" /* scale 0 */ INTEGER, "total" /* scale 3 */ INTEGER NOT NULL \#
                GENERATED ALWAYS AS (\#(total)) STORED \#
                CONSTRAINT "total" CHECK (typeof(\#(total)) IN ('integer', 'null')), \#
                CONSTRAINT "check_Item(fair)" CHECK ((("price" >= 150 AND ("name" IN ('it''s', '?')) \#
                AND "owner" IS NOT 3)) IS TRUE)) STRICT
                """#)
        #expect(
            table.indexes.map { $0.creation(on: "Item") } == [
                #"""
                CREATE UNIQUE INDEX "unique_Item(named)" ON "Item" ("name") WHERE ("owner" IS NULL OR "price" < 200)
                """#,
                #"CREATE INDEX "index_Item(by length)" ON "Item" (length("name") + 1)"#,
            ])
        let declaration = TableDeclaration(table.creation)
        #expect(declaration.checks == table.checks)
        #expect(declaration.computation(of: "total") == table.columns[4].computation)
    }

    @Test("AUTOINCREMENT in quotes or in a comment does not make a key generated")
    func generatedKey() {
        for item in ["[autoincrement] TEXT", "`autoincrement` TEXT", "\"autoincrement\"", "x /* autoincrement */"] {
            #expect(!TableDeclaration("CREATE TABLE Own (id INTEGER PRIMARY KEY, \(item))").isGenerated)
        }
        #expect(TableDeclaration("CREATE TABLE Own (id INTEGER primary key AutoIncrement)").isGenerated)
        #expect(TableDeclaration("CREATE TABLE Own (id INTEGER, PRIMARY KEY (id AUTOINCREMENT))").isGenerated)
    }
}
