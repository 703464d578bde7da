import Signals
import SignalsTesting
import Testing

@Suite struct FirstTests {
    @Test func deliversOneAndFinishes() {
        #expect(Signal<Int, Never>.sequence(5...).first().record().history == [.upstream, .value(5), .finished])
        #expect(Signal<Int, Never>.sequence(5...).first { $0 > 6 }.record().values == [7])
        #expect(Signal<Int, Never>.empty().first().record().history == [.upstream, .finished])
    }
}
