import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Statements") struct StatementTests {
    private let connection: Connection
    private let store: OpenedStore

    init() throws {
        let memory = try Memory(Box<Int>.self)
        (connection, store) = (memory.connection, memory.store)
    }

    @Test("Values of every storage class are bound and read back")
    func values() throws {
        let values: [SQLValue] = [.null, .integer(.min), .real(-1.5), .text("a\0b"), .blob([0, 255]), .blob([])]
        #expect(try connection.rows("SELECT ?, ?, ?, ?, ?, ?", values) == [values])
    }

    @Test(
        "A text must hold exactly one statement, and is used to its end",
        arguments: ["SELECT 1; SELECT 2", "SELECT 1 -- more", "SELECT\u{0}1", ""])
    func whole(_ sql: String) throws {
        if sql.contains("--") {
            #expect(try connection.integer(sql) == 1)
        } else {
            let error = try thrown { () throws(RepositoryError) in try connection.prepare(sql) }
            guard case .misuse = error else { return #expect(Bool(false), "\(error)") }
        }
    }

    @Test("Spaces and semicolons at the end are allowed")
    func trailing() throws {
        #expect(try connection.integer("SELECT 4;\n ; ") == 4)
    }

    @Test("A faulty statement is a misuse with SQLite's message and the text")
    func faulty() throws {
        let error = try thrown { () throws(RepositoryError) in try connection.prepare("SELEC 1") }
        guard case .misuse(let detail) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == #"SQLite 1: near "SELEC": syntax error in: SELEC 1"#)
    }

    @Test("A failed step leaves the statement ready for the next use")
    func failedStep() throws {
        let insert = try connection.cached("INSERT INTO Box VALUES (?, ?)")
        try insert.bind([.integer(1), .integer(2)])
        try insert.run()
        let error = try thrown { () throws(RepositoryError) in try insert.run() }
        guard case .constraint(.primaryKey, ["id"], _, _) = error else { return #expect(Bool(false), "\(error)") }
        try insert.bind([.integer(2), .integer(3)])
        try insert.run()
        #expect(try connection.integer("SELECT count(*) FROM Box") == 2)
    }

    @Test("A value that cannot be bound is an error that names the parameter")
    func unbindable() throws {
        let statement = try connection.prepare("SELECT ?")
        let error = try thrown { () throws(RepositoryError) in try statement.bind([.real(.nan)]) }
        guard case .encoding("statement", "parameter 1", _, _) = error else { return #expect(Bool(false), "\(error)") }
        let range = try thrown { () throws(RepositoryError) in try statement.bind([.null, .null]) }
        guard case .encoding("statement", "parameter 2", _, _) = range else { return #expect(Bool(false), "\(range)") }
    }

    @Test("A result of an unexpected type is a decoding error that names the column")
    func results() throws {
        let statement = try connection.prepare("SELECT 'x' AS name")
        #expect(try statement.step())
        #expect(try statement.value(String.self, at: 0) == "x")
        let error = try thrown { () throws(RepositoryError) in try statement.value(Int.self, at: 0) }
        guard case .decoding("result", "name", "expected an integer, found text", _) = error else {
            return #expect(Bool(false), "\(error)")
        }
    }

    @Test("The trace receives the text of every statement, never its values")
    func trace() throws {
        let texts = ReceivedTexts()
        var options = ConnectionOptions()
        options.trace = { texts.append($0) }
        let traced = try Connection(path: ":memory:", options: options)
        _ = try traced.rows("SELECT ?", [.text("secret")])
        #expect(texts.all.last == "SELECT ?")
        #expect(!texts.all.contains { $0.contains("secret") })
    }

    @Test("A closed connection fails with .closed")
    func closed() throws {
        connection.close()
        connection.close()
        let error = try thrown { () throws(RepositoryError) in try connection.prepare("SELECT 1") }
        guard case .closed = error else { return #expect(Bool(false), "\(error)") }
    }
}
