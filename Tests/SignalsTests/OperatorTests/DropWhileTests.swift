import Signals
import SignalsTesting
import Testing

@Suite struct DropWhileTests {
    @Test("S13 the predicate is not asked again once it was not satisfied") func once() {
        let calls = Count()
        let recorder = Signal<Int, Never>.sequence([1, 2, 3, 1]).drop { value in
            calls.raise()
            return value < 3
        }.record()
        #expect(recorder.values == [3, 1] && calls.value == 3)
    }
}
