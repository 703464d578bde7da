import Signals
import SignalsTesting
import Testing

@Suite struct PairwiseTests {
    @Test("S17 the first value has no predecessor, and another is requested", arguments: [0, 1, 2, 3, 1_000])
    func pairs(_ count: Int) {
        let recorder = Signal<Int, Never>.sequence(0..<count).pairwise().map { [$0, $1] }.record(demand: .max(5_000))
        #expect(recorder.values == (0..<max(0, count - 1)).map { [$0, $0 + 1] } && recorder.isEnded)
        let one = Signal<Int, Never>.sequence(0..<count).pairwise().map { [$0, $1] }.record(demand: .max(1))
        #expect(one.values == (count > 1 ? [[0, 1]] : []))
        // A run that has not ended retains its recorder.
        one.cancel()
    }

    @Test("S2 each run begins without a value") func runs() {
        let signal = Signal<Int, Never>.sequence([1, 4, 9]).pairwise().map { $1 - $0 }
        for _ in 0..<2 { #expect(signal.record().values == [3, 5]) }
    }

    @Test("S34 the previous value is released with the run") func releases() {
        weak var watched: Count?
        let source = Broadcast<Count, Never>()
        let token = source.signal.pairwise().sink { _ in }
        do {
            let count = Count()
            watched = count
            source.send(count)
        }
        #expect(watched != nil)
        token.cancel()
        #expect(watched == nil)
    }
}
