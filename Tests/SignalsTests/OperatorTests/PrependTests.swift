import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct PrependTests {
    @Test("S18 outstanding demand is requested from the upstream") func handover() {
        report(Laws.verifyHandover(at: .finished) { $1.prepend($0) })
    }

    @Test func comesBeforeTheUpstreamIsAttached() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.prepend(1, 2).record(demand: .max(1))
        #expect(recorder.values == [1] && probe.attachCount == 0)
        recorder.request(.max(2))
        #expect(probe.outstanding() == .max(1))
        probe.send(3)
        #expect(recorder.values == [1, 2, 3])
        recorder.cancel()
    }
}
