import Signals
import SignalsTesting
import Testing

@Suite struct RemoveDuplicatesTests {
    @Test func dropsWhatEqualsTheOneBefore() {
        let signal = Signal<Int, Never>.sequence([1, 1, 2, 2, 2, 1])
        #expect(signal.removeDuplicates().record().values == [1, 2, 1])
    }

    @Test func theCallerMaySayWhatIsEqual() {
        let signal = Signal<String, Never>.sequence(["a", "A", "b"])
        #expect(signal.removeDuplicates { $0.lowercased() == $1.lowercased() }.record().values == ["a", "b"])
    }

    @Test("S17 a duplicate is asked for again") func replenishes() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.removeDuplicates().record(demand: .max(2))
        for number in [1, 1, 1, 2, 3] { probe.send(number) }
        #expect(recorder.values == [1, 2] && probe.outstanding() == .none)
        recorder.cancel()
    }
}
