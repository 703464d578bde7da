import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct MapErrorTests {
    private struct High: Error, Equatable { let cause: LawFailure }

    @Test func transformsTheFailure() {
        let signal = Signal<Int, LawFailure>.just(1).append(.fail(LawFailure(7))).mapError { High(cause: $0) }
        #expect(signal.record().history == [.upstream, .value(1), .failure(High(cause: LawFailure(7)))])
    }

    @Test("S13 a finish calls no closure") func finish() {
        let calls = Count()
        let signal = Signal<Int, LawFailure>.just(1).mapError { failure in
            calls.raise(); return failure
        }
        #expect(signal.record().isEnded && calls.value == 0)
    }
}
