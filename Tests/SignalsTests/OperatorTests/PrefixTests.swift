import Signals
import SignalsTesting
import Testing

@Suite struct PrefixTests {
    @Test("S6 the last value is followed by the finish, and the upstream is cancelled") func finishes() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.prefix(2).record()
        for number in 1...3 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(1), .value(2), .finished])
        #expect(probe.history == [.attached, .requested(.unlimited), .cancelled])
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
