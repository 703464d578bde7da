import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct SetFailureTypeTests {
    @Test func joinsASignalThatMayFail() {
        let signal: Signal<Int, LawFailure> = Signal<Int, Never>.just(1).setFailureType(to: LawFailure.self)
        #expect(signal.append(.fail(LawFailure())).record().history == [.upstream, .value(1), .failure(LawFailure())])
    }
}
