import Signals
import SignalsTesting
import Testing

@Suite struct CompactMapTests {
    @Test func keepsWhatIsNotNil() {
        let recorder = Signal<String, Never>.sequence(["1", "x", "3"]).compactMap { Int($0) }.record()
        #expect(recorder.history == [.upstream, .value(1), .value(3), .finished])
    }

    @Test("S17 a nil is asked for again") func replenishes() {
        let probe = Probe<Int?, Never>()
        let recorder = probe.signal.compactMap { $0 }.record(demand: .max(1))
        probe.send(nil)
        #expect(probe.history == [.attached, .requested(.max(1)), .answered(.max(1))])
        probe.send(5)
        #expect(recorder.values == [5] && probe.outstanding() == .none)
        recorder.cancel()
    }
}
