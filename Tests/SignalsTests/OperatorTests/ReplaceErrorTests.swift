import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ReplaceErrorTests {
    @Test func aFailureBecomesAValueOnceItIsAskedFor() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.replaceError(with: -1).record(demand: .max(1))
        probe.send(1)
        probe.fail(LawFailure())
        #expect(recorder.history == [.upstream, .value(1)])
        recorder.request(.max(1))
        #expect(recorder.history == [.upstream, .value(1), .value(-1), .finished])
    }
}
