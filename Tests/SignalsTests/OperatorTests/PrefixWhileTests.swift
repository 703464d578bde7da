import Signals
import SignalsTesting
import Testing

@Suite struct PrefixWhileTests {
    @Test("S6 the first that does not satisfy ends it") func ends() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.prefix { $0 < 3 }.record()
        for number in 1...4 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(1), .value(2), .finished])
        #expect(probe.liveCount == 0)
    }
}
