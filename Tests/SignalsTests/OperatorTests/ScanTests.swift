import Signals
import SignalsTesting
import Testing

@Suite struct ScanTests {
    @Test func deliversRunningResults() {
        let recorder = Signal<Int, Never>.sequence(1...4).scan("") { "\($0)\($1)" }.record()
        #expect(recorder.values == ["1", "12", "123", "1234"])
    }

    @Test("S2 each run starts from the beginning") func cold() {
        let signal = Signal<Int, Never>.sequence(1...3).scan(0, +)
        #expect(signal.record().values == [1, 3, 6])
        #expect(signal.record().values == [1, 3, 6])
    }
}
