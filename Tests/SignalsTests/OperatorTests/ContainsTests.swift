import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ContainsTests {
    @Test func findsAValueOrSaysNoAtTheEnd() {
        #expect(Signal<Int, Never>.sequence(1...).contains(3).record().history == [.upstream, .value(true), .finished])
        #expect(Signal<Int, Never>.sequence(1...2).contains(3).record().values == [false])
        #expect(Signal<String, Never>.sequence(["a", "bb"]).contains { $0.count == 2 }.record().values == [true])
    }

    @Test("S34 the first that matches cancels the upstream") func cancels() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.contains(2).record()
        for number in 1...3 { probe.send(number) }
        #expect(recorder.isEnded && probe.liveCount == 0 && probe.heldUpstreams == 0)
    }
}
