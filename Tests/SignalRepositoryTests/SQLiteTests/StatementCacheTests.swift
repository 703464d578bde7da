import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Statement cache") struct StatementCacheTests {
    @Test("A statement is prepared once for each text")
    func once() throws {
        let connection = try Memory(Box<Int>.self).connection
        let first = try connection.cached("SELECT 1")
        #expect(try first.step())
        let second = try connection.cached("SELECT 1")
        #expect(first === second)
        #expect(try second.step())
        connection.forgetStatements()
        #expect(try connection.cached("SELECT 1") !== first)
    }

    @Test("The least recently used statement is evicted")
    func bound() throws {
        let memory = try Memory(Box<Int>.self)
        var cache = StatementCache(capacity: 3)
        for number in 1...3 { cache["\(number)"] = try memory.connection.prepare("SELECT \(number)") }
        #expect(cache["1"] != nil)
        cache["4"] = try memory.connection.prepare("SELECT 4")
        #expect(cache.count == 3)
        #expect(cache["2"] == nil)
        #expect(cache["1"] != nil && cache["3"] != nil && cache["4"] != nil)
        cache["3"] = nil
        #expect(cache.count == 2)
        cache.removeAll()
        #expect(cache.count == 0)
    }
}
