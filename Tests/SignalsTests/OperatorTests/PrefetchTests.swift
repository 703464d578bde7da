import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct PrefetchTests {
    @Test("S19 requests `high` values at first, and more when `low` are left") func marks() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.prefetch(high: 4, low: 1).record(demand: .none)
        #expect(probe.history == [.attached, .requested(.max(4))])
        for number in 1...4 { probe.send(number) }
        recorder.request(.max(2))
        #expect(probe.outstanding() == .none)
        recorder.request(.max(1))
        #expect(probe.outstanding() == .max(3))
        #expect(recorder.values == [1, 2, 3])
        recorder.cancel()
    }

    @Test("S12 fetched values are delivered before a failure") func failure() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.prefetch(high: 4, low: 1).record(demand: .max(1))
        for number in 1...3 { probe.send(number) }
        probe.fail(LawFailure())
        #expect(recorder.values == [1])
        recorder.request(.unlimited)
        #expect(recorder.history == [.upstream, .value(1), .value(2), .value(3), .failure(LawFailure())])
    }
}
