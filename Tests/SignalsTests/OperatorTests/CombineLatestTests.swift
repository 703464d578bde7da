import Signals
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct CombineLatestTests {
    @Test("S7 S10 S12 S19 S34 two and three inputs") func laws() {
        report(Laws.verifyFanIn(inputs: 2, bound: 1) { Signal.combineLatest($0[0], $0[1]) })
        report(Laws.verifyFanIn(inputs: 3, bound: 1) { $0[0].combineLatest($0[1], $0[2]) })
    }

    @Test func deliversTheLatestOfAllAtEachChange() {
        let letters = Probe<String, LawFailure>()
        let numbers = Probe<Int, LawFailure>()
        let recorder = letters.signal.combineLatest(numbers.signal).map { "\($0)\($1)" }.record()
        letters.send("a")
        letters.send("b")
        #expect(recorder.values.isEmpty)
        numbers.send(1)
        numbers.send(2)
        letters.send("c")
        #expect(recorder.values == ["b1", "b2", "c2"])
        numbers.finish()
        letters.send("d")
        #expect(recorder.values.last == "d2")
        letters.finish()
        #expect(recorder.isEnded)
    }

    @Test func anInputThatFinishesWithoutAValueEndsIt() {
        let letters = Probe<String, LawFailure>()
        let recorder = letters.signal.combineLatest(Signal<Int, LawFailure>.empty()).map { "\($0)\($1)" }.record()
        #expect(recorder.history == [.upstream, .finished])
        #expect(letters.liveCount == 0)
    }

    @Test func anyNumberOfAnyTypes() {
        let signal = Signal.combineLatest(
            Signal<Int, Never>.just(1), Signal<String, Never>.just("a"), Signal<Bool, Never>.just(true),
            Signal<Double, Never>.just(0.5))
        #expect(signal.map { "\($0)\($1)\($2)\($3)" }.record().history == [.upstream, .value("1atrue0.5"), .finished])
    }
}
