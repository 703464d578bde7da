import Testing

@testable import SignalRepository

@Suite("The order of stored values") struct SQLValueOrderTests {
    @Test("Bytes that begin with others come after them, whatever is in memory behind those")
    func beginnings() {
        var bytes = [UInt8](repeating: 7, count: 100) + [UInt8](repeating: 9, count: 100)
        // What is removed stays in memory.
        bytes.removeLast(100)
        let (short, long) = (SQLValue.blob(bytes), SQLValue.blob([UInt8](repeating: 7, count: 101)))
        #expect(short.precedes(long) && !long.precedes(short))
        #expect(short.order(.blob(bytes)) == 0)
    }
}
