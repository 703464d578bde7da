import Signals
import SignalsTesting
import Testing

@Suite struct MaxTests {
    @Test func deliversTheGreatest() {
        #expect(Signal<Int, Never>.sequence([3, 9, 2]).max().record().history == [.upstream, .value(9), .finished])
        #expect(Signal<Int, Never>.empty().max().record().history == [.upstream, .finished])
    }

    /// As of a sequence, and in Combine.
    @Test func ofEqualOnesTheFirst() {
        let words = ["c", "aa", "bb"]
        let signal = Signal<String, Never>.sequence(words)
        #expect(signal.max { $0.count < $1.count }.record().values == ["aa"])
        #expect(words.max { $0.count < $1.count } == "aa")
    }
}
