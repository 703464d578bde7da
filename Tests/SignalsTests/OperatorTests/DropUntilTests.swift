import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DropUntilTests {
    @Test("S17 a value that arrives before the other signal's first is dropped, and another requested") func opens() {
        let values = Probe<Int, LawFailure>()
        let start = Probe<Void, LawFailure>()
        let recorder = values.signal.drop(until: start.signal).record(demand: .max(2))
        values.send(1)
        values.send(2)
        start.send(())
        #expect(start.liveCount == 0)
        for number in 3...9 { values.send(number) }
        #expect(recorder.values == [3, 4] && values.outstanding() == .none)
        recorder.cancel()
    }

    @Test func finishesWhenTheOtherEndsWithoutAValue() {
        let values = Probe<Int, LawFailure>()
        let recorder = values.signal.drop(until: Signal<Int, LawFailure>.empty()).record()
        #expect(recorder.history == [.upstream, .finished])
        #expect(values.liveCount == 0)
    }

    @Test("S12 a failure of the other signal fails it and cancels the upstream") func failure() {
        let values = Probe<Int, LawFailure>()
        let start = Probe<Int, LawFailure>()
        let recorder = values.signal.drop(until: start.signal).record()
        start.fail(LawFailure())
        #expect(recorder.completion == .failure(LawFailure()) && values.liveCount == 0)
    }
}
