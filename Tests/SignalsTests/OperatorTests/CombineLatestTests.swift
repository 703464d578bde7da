import Signals
import SignalsLaws
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

    @Test func anAliasWithItsOwnTypeOfValueCombinesToo() {
        typealias Numbers = Signal<Int, LawFailure>
        let (a, b, c) = (Numbers.just(1), Signal<String, LawFailure>.just("a"), Signal<Bool, LawFailure>.just(true))
        #expect(Numbers.combineLatest(a, b, c).map { "\($0)\($1)\($2)" }.record().values == ["1atrue"])
        #expect(Numbers.combineLatest(a, b).map { "\($0)\($1)" }.record().values == ["1a"])
    }

    @Test("S7 S10 S12 S19 S34 an array of inputs", arguments: 1...3) func arrayLaws(_ count: Int) {
        report(Laws.verifyFanIn(inputs: count, bound: 1) { Signal.combineLatest($0) })
    }

    @Test("an array of signals of any size", arguments: [0, 1, 2, 3, 1_000]) func array(_ count: Int) {
        let values = (0..<count).map { CurrentValue<Int, Never>($0) }
        let recorder = Signal.combineLatest(values.map(\.signal)).record()
        #expect(recorder.values.last == (count == 0 ? nil : Array(0..<count)) && recorder.isEnded == (count == 0))
        values.last?.send(-1)
        #expect(recorder.values.last?.last == (count == 0 ? nil : -1))
        for value in values { value.send(completion: .finished) }
        #expect(recorder.isEnded)
    }
}
