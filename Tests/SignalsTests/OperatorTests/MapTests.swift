import Signals
import SignalsTesting
import Testing

@Suite struct MapTests {
    @Test func transformsEachValue() {
        let recorder = Signal<Int, Never>.sequence(1...3).map { "\($0)" }.record()
        #expect(recorder.history == [.upstream, .value("1"), .value("2"), .value("3"), .finished])
    }

    @Test("S13 the closure runs once for each value, and not after a cancel") func once() {
        let calls = Count()
        _ = Signal<Int, Never>.sequence(1...9).map { _ in calls.raise() }.record(cancelAt: 3)
        #expect(calls.value == 3)
    }
}
