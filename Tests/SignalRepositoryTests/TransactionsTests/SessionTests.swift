import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Statements of a session") struct SessionTests {
    @Test("R14 Statements are forgotten once after SQLite had to recompile one")
    func forgotten() throws {
        let connection = try Memory(Box<Int>.self).connection
        let session = Session(connection)
        let sql = "SELECT count(*) FROM Box"
        let statement = try connection.cached(sql)
        #expect(!session.forgetOutdatedStatements())
        try connection.execute("CREATE INDEX byValue ON Box (value)")
        #expect(try connection.cached(sql) === statement)
        #expect(try statement.step())
        statement.reset()
        #expect(session.forgetOutdatedStatements())
        #expect(!session.forgetOutdatedStatements())
        #expect(try connection.cached(sql) !== statement)
    }
}
