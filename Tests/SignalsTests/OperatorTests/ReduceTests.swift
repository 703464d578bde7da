import Signals
import SignalsTesting
import Testing

@Suite struct ReduceTests {
    @Test func combinesAllIntoOne() {
        let recorder = Signal<Int, Never>.sequence(1...4).reduce(0, +).record()
        #expect(recorder.history == [.upstream, .value(10), .finished])
        #expect(Signal<Int, Never>.empty().reduce(7, +).record().values == [7])
    }

    @Test func intoAResult() {
        let words = Signal<String, Never>.sequence(["a", "b", "a"])
        #expect(words.reduce(into: Set<String>()) { $0.insert($1) }.record().values == [["a", "b"]])
    }

    @Test("S27 cancelled inside its one value, it does not finish") func cancelInside() {
        let recorder = Signal<Int, Never>.sequence(1...4).reduce(0, +).record(cancelAt: 1)
        #expect(recorder.history == [.upstream, .value(10)])
    }
}
