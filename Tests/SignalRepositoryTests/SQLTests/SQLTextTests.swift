import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("SQLText") struct SQLTextTests {
    @Test("A name is quoted, whatever it contains", arguments: ["a", "select", "a\"b", "\"; DROP TABLE x; --", "ü'"])
    func names(name: String) throws {
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        let sql: SQLText = "SELECT 1 AS \(name: name)"
        #expect(try connection.rows(sql.text) == [[.integer(1)]])
        #expect(sql.text.hasPrefix("SELECT 1 AS \"") && sql.text.hasSuffix("\""))
    }

    @Test("Values become parameters, in the order in which they are interpolated")
    func values() throws {
        let other: SQLText = ", \(bind: .integer(2))"
        let sql: SQLText = "SELECT \(bind: .text("'"))\(other)"
        #expect(sql.text == "SELECT ?, ?")
        #expect(sql.bindings == [.text("'"), .integer(2)])
    }

    @Test(
        "A JSON array carries texts unchanged, or is not made",
        arguments: [
            "plain", "\"", "\\", "\u{1}\u{1F}\n\t", "日本🎬", "\u{301}", "\u{FEFF}", "",
        ])
    func json(text: String) throws {
        let connection = try Connection(path: ":memory:", options: ConnectionOptions())
        let array = try #require(JSONArray.text(of: [.text(text), .integer(.min), .integer(.max)]))
        let rows = try connection.rows("SELECT value FROM json_each(?)", [.text(array)])
        #expect(rows == [[.text(text)], [.integer(.min)], [.integer(.max)]])
        #expect(JSONArray.text(of: [.text("\0")]) == nil)
        #expect(JSONArray.text(of: [.real(1)]) == nil)
    }

    @Test("Two texts are equal if they have the same bytes and the same values")
    func equal() {
        func text(_ name: String, _ value: SQLValue) -> SQLText {
            "SELECT \(name: name)\(bind: value)"
        }
        #expect(text("ü", .integer(1)) == text("ü", .integer(1)))
        #expect(text("ü", .integer(1)) != text("ü", .integer(2)))
        #expect(text("ü", .integer(1)) != text("u\u{308}", .integer(1)))
    }
}
