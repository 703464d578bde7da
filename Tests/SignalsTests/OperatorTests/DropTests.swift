import Signals
import SignalsTesting
import TestTraits
import Testing

@Suite struct DropTests {
    @Test func leavesOutTheFirst() {
        #expect(Signal<Int, Never>.sequence(1...4).drop(2).record().values == [3, 4])
        #expect(Signal<Int, Never>.sequence(1...2).drop().record().values == [2])
        #expect(Signal<Int, Never>.sequence(1...2).drop(0).record().values == [1, 2])
        #expect(Signal<Int, Never>.sequence(1...2).drop(5).record().history == [.upstream, .finished])
    }

    @Test(.prompt) func aNegativeCountIsAnError() async {
        await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never().drop(-1) }
    }
}
