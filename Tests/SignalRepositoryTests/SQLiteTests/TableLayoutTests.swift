import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The layout of a table") struct TableLayoutTests {
    @Test(
        "A layout is exact if each column has values of one type and compares them by their bytes",
        arguments: [
            ("a INTEGER, b TEXT", true), ("a any, b TEXT", false), ("a INTEGER, _ROWID_ INTEGER", false),
            ("a INTEGER, b TEXT COLLATE NOCASE", false),
        ])
    func exact(columns: String, isExact: Bool) throws {
        let connection = try Memory(Box<Int>.self).connection
        _ = try connection.rows("CREATE TABLE t (\(columns)) STRICT")
        _ = try connection.rows("CREATE TABLE u (\(columns.replacing("any", with: "INTEGER")))")
        let layouts = try connection.tableLayouts()
        #expect(layouts["t"]?.isExact == isExact)
        // Of a table that is not STRICT, each changed row is checked.
        #expect(layouts["u"]?.isExact == (isExact || columns.contains("any")) && layouts["u"]?.isStrict == false)
    }
}
