import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct MergeTests {
    @Test("S7 S10 S12 S19 S34 two and four inputs") func laws() {
        report(Laws.verifyFanIn(inputs: 2, bound: 16) { $0[0].merge(with: $0[1]) })
        report(Laws.verifyFanIn(inputs: 4, bound: 16) { Signal.merge($0) })
    }

    @Test func valuesComeAsTheyCome() {
        let left = Probe<Int, LawFailure>()
        let right = Probe<Int, LawFailure>()
        let recorder = Signal.merge(left.signal, right.signal).record()
        left.send(1)
        right.send(2)
        left.send(3)
        left.finish()
        right.send(4)
        right.finish()
        #expect(recorder.history == [.upstream, .value(1), .value(2), .value(3), .value(4), .finished])
    }

    @Test func ofNoSignalsIsEmpty() {
        #expect(Signal<Int, Never>.merge([]).record().history == [.upstream, .finished])
    }
}
