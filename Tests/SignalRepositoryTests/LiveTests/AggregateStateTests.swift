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
}
