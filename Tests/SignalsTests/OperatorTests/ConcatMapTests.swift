import Signals
import SignalsTesting
import Testing

@Suite struct ConcatMapTests {
    @Test("S8 one inner signal after another, whichever is ready first") func order() {
        let inner = (0..<3).map { _ in Probe<Int, LawFailure>() }
        let recorder = Signal<Int, LawFailure>.sequence(0..<3).concatMap { inner[$0].signal }.record()
        #expect(inner.map(\.attachCount) == [1, 0, 0])
        inner[0].send(1)
        inner[0].finish()
        #expect(inner.map(\.attachCount) == [1, 1, 0])
        inner[1].finish()
        inner[2].send(3)
        inner[2].finish()
        #expect(recorder.history == [.upstream, .value(1), .value(3), .finished])
    }

    @Test func mayFailWhereItsUpstreamCannot() {
        let signal = Signal<Int, Never>.just(1).concatMap { _ in Signal<Int, LawFailure>.fail(LawFailure()) }
        #expect(signal.record().history == [.upstream, .failure(LawFailure())])
    }
}
