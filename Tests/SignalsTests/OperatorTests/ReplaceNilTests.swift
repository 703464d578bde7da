import Signals
import SignalsTesting
import Testing

@Suite struct ReplaceNilTests {
    @Test func nilsBecomeTheValue() {
        let recorder = Signal<Int?, Never>.sequence([1, nil, 3]).replaceNil(with: 0).record()
        #expect(recorder.history == [.upstream, .value(1), .value(0), .value(3), .finished])
    }
}
