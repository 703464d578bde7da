import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct IgnoreValuesTests {
    @Test("S17 only the end arrives, and every value requests another") func endAlone() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.ignoreValues().record(demand: .max(1))
        for number in 1...5 { probe.send(number) }
        probe.fail(LawFailure())
        #expect(recorder.history == [.upstream, .failure(LawFailure())])
    }
}
