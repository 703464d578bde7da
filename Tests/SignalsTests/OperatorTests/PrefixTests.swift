import Signals
import SignalsTesting
import Testing

@Suite struct PrefixTests {
    @Test("S6 the last value is followed by the finish, and the upstream is cancelled") func finishes() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.prefix(2).record()
        for number in 1...3 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(1), .value(2), .finished])
        #expect(probe.history == [.attached, .requested(.max(2).opened), .cancelled])
    }

    @Test("S14 no more is requested from the upstream than will be delivered") func asksForNoMore() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.prefix(4).record(demand: .max(1), perValue: .max(1))
        recorder.request(.max(1))
        #expect(probe.outstanding() == .max(2))
        probe.send(1)
        #expect(probe.outstanding() == .max(2))
        recorder.request(.max(2))
        #expect(probe.outstanding() == .max(3))
        for number in 2...3 { probe.send(number) }
        #expect(probe.outstanding() == .max(1))
        probe.send(4)
        #expect(recorder.values == [1, 2, 3, 4] && recorder.isEnded)
        let limited = Probe<Int, Never>()
        let first = limited.signal.first().record()
        #expect(limited.outstanding() == .max(1))
        first.cancel()
    }

    @Test func ofNothingNeverAttachesTheUpstream() {
        let probe = Probe<Int, Never>()
        #expect(probe.signal.prefix(0).record().history == [.upstream, .finished])
        #expect(probe.attachCount == 0)
    }

    @Test("S27 cancelled inside the last value, it does not finish") func cancelInside() {
        #expect(
            Signal<Int, Never>.sequence(1...).prefix(2).record(cancelAt: 2).history == [
                .upstream, .value(1), .value(2),
            ])
    }
}
