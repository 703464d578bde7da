import Signals
import SignalsTesting
import Testing

@Suite struct FilterTests {
    @Test func keepsWhatSatisfies() {
        let recorder = Signal<Int, Never>.sequence(1...6).filter { $0 % 2 == 0 }.record()
        #expect(recorder.history == [.upstream, .value(2), .value(4), .value(6), .finished])
    }

    @Test("S17 asked for one, it uses up what it must and delivers one") func replenishes() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.filter { $0 > 3 }.record(demand: .max(1))
        for number in 1...9 { probe.send(number) }
        #expect(recorder.values == [4] && probe.outstanding() == .none)
        recorder.cancel()
    }

    @Test("S13 the closure runs once for each value") func once() {
        let calls = Count()
        let recorder = Signal<Int, Never>.sequence(1...5).filter { _ in calls.raise() > 2 }.record()
        #expect(calls.value == 5 && recorder.values == [3, 4, 5])
    }
}
