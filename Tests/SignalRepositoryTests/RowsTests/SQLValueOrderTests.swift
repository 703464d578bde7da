import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("The order of stored values") struct SQLValueOrderTests {
    @Test("A prefix comes before longer bytes, whatever lies behind it in memory")
    func beginnings() {
        var bytes = [UInt8](repeating: 7, count: 100) + [UInt8](repeating: 9, count: 100)
        // The removed bytes stay in memory.
        bytes.removeLast(100)
        let (short, long) = (SQLValue.blob(bytes), SQLValue.blob([UInt8](repeating: 7, count: 101)))
        #expect(short.precedes(long) && !long.precedes(short))
        #expect(short.order(.blob(bytes)) == 0)
    }
}
