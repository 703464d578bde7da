import Signals
import SignalsLaws
import SignalsTesting
import TestTraits
import Testing

@Suite struct AssertNoFailureTests {
    @Test func passesASoundSignalOn() {
        let signal = Signal<Int, LawFailure>.sequence(1...2).assertNoFailure()
        #expect(signal.record().history == [.upstream, .value(1), .value(2), .finished])
    }

    @Test(.prompt) func aFailureEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            _ = Signal<Int, LawFailure>.fail(LawFailure()).assertNoFailure("it was said").record()
        }
    }
}
