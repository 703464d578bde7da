import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct WithLatestTests {
    @Test("S19 it requests 16 values ahead, and all values of the other signal") func ahead() {
        let (probe, other) = (Probe<Int, LawFailure>(), Probe<Int, LawFailure>())
        let recorder = probe.rawSignal.withLatest(from: other.rawSignal).map { $0 + $1 }.record(demand: .none)
        #expect(probe.outstanding() == .max(16) && other.outstanding() == .unlimited)
        recorder.cancel()
    }

    @Test("S7 S10 S12 S34 both inputs") func laws() {
        report(
            Laws.verifyOperator(
                expecting: { $0.values.map(\.number) }, traits: [.changesDemand, .failsFast], seeds: 1...5
            ) { upstream, _ in
                upstream.withLatest(from: Signal<Int, LawFailure>.just(0).append(.never())).map { $0.number + $1 }
            })
    }

    @Test("S17 a value that arrives before the other signal's first is dropped, and another requested") func early() {
        let amounts = Probe<Int, LawFailure>()
        let rates = Probe<Int, LawFailure>()
        let recorder = amounts.signal.withLatest(from: rates.signal).map { $0 * $1 }.record()
        amounts.send(1)
        rates.send(10)
        amounts.send(2)
        rates.send(100)
        rates.finish()
        amounts.send(3)
        amounts.finish()
        #expect(recorder.history == [.upstream, .value(20), .value(300), .finished])
    }

    @Test("S17 after any number of values that arrive too early, the next one is paired", arguments: [1, 16, 17, 100])
    func manyEarly(_ count: Int) {
        let amounts = Probe<Int, LawFailure>()
        let rates = Probe<Int, LawFailure>()
        let recorder = amounts.signal.withLatest(from: rates.signal).map { $0 * $1 }.record()
        for number in 1...count { #expect(amounts.send(number), "Value \(number) was not requested.") }
        rates.send(10)
        amounts.send(7)
        #expect(recorder.values == [70])
        recorder.cancel()
    }

    @Test("S12 a failure of either cancels the other") func failure() {
        let amounts = Probe<Int, LawFailure>()
        let rates = Probe<Int, LawFailure>()
        let recorder = amounts.signal.withLatest(from: rates.signal).map { $0 * $1 }.record()
        rates.fail(LawFailure())
        #expect(recorder.completion == .failure(LawFailure()) && amounts.liveCount == 0)
    }
}
