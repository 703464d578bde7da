import Signals
import SignalsTesting
import Testing

@Suite struct MaxTests {
    @Test func deliversTheGreatest() {
        #expect(Signal<Int, Never>.sequence([3, 9, 2]).max().record().history == [.upstream, .value(9), .finished])
        #expect(Signal<Int, Never>.empty().max().record().history == [.upstream, .finished])
    }

    @Test func ofEqualOnesTheLast() {
        let words = Signal<String, Never>.sequence(["aa", "bb", "c"])
        #expect(words.max { $0.count < $1.count }.record().values == ["bb"])
    }
}
