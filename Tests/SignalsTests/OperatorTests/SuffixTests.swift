import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct SuffixTests {
    @Test(arguments: [0, 1, 2, 3, 16, 17, 1_000], [0, 1, 2, 3, 17, 40])
    func deliversTheLastValues(_ upstream: Int, _ count: Int) {
        let signal = Signal<Int, Never>.sequence(0..<upstream).suffix(count)
        for _ in 0..<2 {
            let recorder = signal.record()
            #expect(recorder.values == (0..<upstream).suffix(count) && recorder.isEnded)
        }
    }

    @Test("S14 the values are delivered as they are requested, and then the end") func demand() {
        let recorder = Signal<Int, Never>.sequence(1...100).suffix(3).record(demand: .max(1))
        #expect(recorder.values == [98])
        recorder.request(.max(1))
        #expect(recorder.values == [98, 99] && !recorder.isEnded)
        recorder.request(.max(1))
        #expect(recorder.values == [98, 99, 100] && recorder.isEnded)
    }

    @Test func aFailureComesAlone() {
        let recorder = Signal<Int, LawFailure>.sequence(1...3).append(.fail(LawFailure(2))).suffix(2).record()
        #expect(recorder.history == [.upstream, .failure(LawFailure(2))])
    }
}
