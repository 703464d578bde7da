import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct FlatMapLatestTests {
    @Test func theLatestValueDecides() {
        let outer = Probe<Int, LawFailure>()
        let inner = (0..<2).map { _ in Probe<Int, LawFailure>() }
        let recorder = outer.signal.flatMapLatest { inner[$0].signal }.record()
        outer.send(0)
        inner[0].send(1)
        outer.send(1)
        inner[0].send(2)
        inner[1].send(3)
        #expect(recorder.values == [1, 3] && inner[0].liveCount == 0)
        outer.finish()
        inner[1].finish()
        #expect(recorder.isEnded)
    }

    @Test func mayFailWhereItsUpstreamCannot() {
        let signal = Signal<Int, Never>.just(1).flatMapLatest { _ in Signal<Int, LawFailure>.fail(LawFailure()) }
        #expect(signal.record().history == [.upstream, .failure(LawFailure())])
    }
}
