import Testing

@testable import SignalRepository

@Suite("What is known of the values of a group") struct AggregateStateTests {
    @Test("A row that cannot have been in is not taken out", arguments: [true, false])
    func remove(hasExtremes: Bool) {
        var state = AggregateState(hasLeast: hasExtremes, hasGreatest: hasExtremes)
        #expect(state.remove(.null) == false && state.remove(.integer(5)) == false)
        state.add(.null)
        #expect(state.remove(.integer(5)) == false)
        state.add(.integer(5))
        #expect(state.remove(.integer(5)) && state.remove(.integer(5)) == false)
    }

    @Test("A sum that counts no rows takes them in and out, and is never missing")
    func uncounted() {
        var state = AggregateState(hasLeast: false, hasGreatest: false, isCounted: false)
        state.add(.integer(.max))
        #expect(state.remove(.integer(5)) && state.remove(.integer(.max)) && state.remove(.integer(.max)))
        #expect(state.sum == -Int128(Int64.max) - 5)
        #expect(state.remove(.integer(-5)) && state.remove(.integer(-.max)))
        #expect(state.values(of: [.sum]) == [.integer(0), .integer(0)])
    }
}
