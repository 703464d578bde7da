import Signals
import SignalsTesting
import Testing

@Suite struct MinTests {
    @Test func deliversTheLeast() {
        #expect(Signal<Int, Never>.sequence([3, 1, 2]).min().record().history == [.upstream, .value(1), .finished])
        #expect(Signal<Int, Never>.empty().min().record().history == [.upstream, .finished])
    }

    @Test func ofEqualOnesTheFirst() {
        let words = Signal<String, Never>.sequence(["cc", "a", "b"])
        #expect(words.min { $0.count < $1.count }.record().values == ["a"])
    }
}
