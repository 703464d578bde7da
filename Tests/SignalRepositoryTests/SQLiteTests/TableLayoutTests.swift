import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The layout of a table") struct TableLayoutTests {
    @Test(
        "A table is foreign unless it is STRICT, and each column has a type and compares values by their bytes",
        arguments: [
            ("a INTEGER, b TEXT", false), ("a any, b TEXT", true), ("a INTEGER, _ROWID_ INTEGER", true),
            ("a INTEGER, b TEXT COLLATE NOCASE", true),
        ])
    func foreign(columns: String, isForeign: Bool) throws {
        let connection = try Memory(Box<Int>.self).connection
        _ = try connection.rows("CREATE TABLE t (\(columns)) STRICT")
        _ = try connection.rows("CREATE TABLE u (\(columns.replacing("any", with: "INTEGER")))")
        let layouts = try connection.foreignLayouts(of: ["t", "u"])
        #expect((layouts?["t"] != nil) == isForeign && layouts?["u"]?.isStrict == false)
        #expect(try connection.foreignLayouts(of: ["t", "missing"]) == nil)
    }

    @Test("Changed rows update no live query of a table whose rows a hook cannot report, or of a file in UTF-16")
    func unfollowed() throws {
        let connection = try Memory(Box<Int>.self).connection
        _ = try connection.rows("CREATE TABLE v (a INTEGER, b AS (a + 1))")
        _ = try connection.rows("CREATE VIEW w AS SELECT 1 AS a")
        for name in ["v", "w"] { #expect(try connection.foreignLayouts(of: [name]) == nil) }
        let folder = try TemporaryFolder()
        let path = try folder.database("PRAGMA encoding = 'UTF-16'; CREATE TABLE t (a TEXT) STRICT")
        let other = try Connection(path: path, options: ConnectionOptions())
        defer { other.close() }
        #expect(try other.foreignLayouts(of: ["t"]) == nil)
    }
}
