import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct ZipTests {
    @Test("S7 S10 S12 S19 S34 two and three inputs") func laws() {
        report(Laws.verifyFanIn(inputs: 2, bound: 16) { Signal.zip($0[0], $0[1]) })
        report(Laws.verifyFanIn(inputs: 3, bound: 16) { $0[0].zip($0[1], $0[2]) })
    }

    @Test func pairsByPosition() {
        let letters = Signal<String, Never>.sequence(["a", "b", "c"])
        let recorder = letters.zip(.sequence(1...)).map { "\($0)\($1)" }.record()
        #expect(recorder.history == [.upstream, .value("a1"), .value("b2"), .value("c3"), .finished])
    }

    @Test func finishesWhenNoFurtherPairCanCome() {
        let left = Probe<Int, LawFailure>()
        let right = Probe<Int, LawFailure>()
        let recorder = left.signal.zip(right.signal).map { $0 + $1 }.record()
        left.send(1)
        left.send(2)
        left.finish()
        right.send(10)
        #expect(recorder.values == [11] && !recorder.isEnded)
        right.send(20)
        #expect(recorder.values == [11, 22] && recorder.isEnded)
        #expect(right.liveCount == 0)
    }

    @Test("S19 as many values are requested again as were used, not the whole bound") func refill() {
        let left = Probe<Int, LawFailure>()
        let right = Probe<Int, LawFailure>()
        let recorder = left.rawSignal.zip(right.rawSignal).map { $0 + $1 }.record(demand: .none)
        for number in 1...16 {
            left.send(number)
            right.send(number)
        }
        #expect(left.outstanding() == .none && right.outstanding() == .none)
        recorder.request(.max(8))
        #expect(left.outstanding() == .max(8) && right.outstanding() == .max(8))
        recorder.cancel()
    }

    @Test("S19 no more values are requested before half of the requested ones are used") func refillsAtHalf() {
        let left = Probe<Int, LawFailure>()
        let right = Probe<Int, LawFailure>()
        let recorder = left.rawSignal.zip(right.rawSignal).map { $0 + $1 }.record()
        for number in 1...8 {
            #expect(left.history == [.attached, .requested(.max(16))] && right.history == left.history)
            left.send(number)
            right.send(number)
        }
        #expect(left.history == [.attached, .requested(.max(16)), .requested(.max(8))])
        #expect(right.history == left.history)
        recorder.cancel()
    }

    @Test("S17 demand that a sink returns for a value counts", arguments: [false, true]) func answers(latest: Bool) {
        let left = Signal<Int, Never>.sequence(1...3)
        let right = Broadcast<Int, Never>(bufferSize: 9)
        let sums = latest ? left.append(.never()).combineLatest(right.signal) : left.zip(right.signal)
        let recorder = sums.map { $0 + $1 }.record(demand: .max(1), perValue: .max(1))
        for number in [10, 20, 30] { right.send(number) }
        #expect(recorder.values == (latest ? [13, 23, 33] : [11, 22, 33]))
        recorder.cancel()
    }

    @Test func anAliasWithItsOwnTypeOfValueZipsToo() {
        typealias Numbers = Signal<Int, LawFailure>
        let (a, b, c) = (Numbers.just(1), Signal<String, LawFailure>.just("a"), Signal<Bool, LawFailure>.just(true))
        #expect(Numbers.zip(a, b, c).map { "\($0)\($1)\($2)" }.record().values == ["1atrue"])
        #expect(Numbers.zip(a, b).map { "\($0)\($1)" }.record().values == ["1a"])
        #expect(Signal.zip(a, b, c).map { "\($0)\($1)\($2)" }.record().values == ["1atrue"])
        typealias Triples = Signal<(Int, String, Bool), LawFailure>
        #expect(Triples.zip(a, b, c).map { "\($0)\($1)\($2)" }.record().values == ["1atrue"])
    }

    @Test("S7 S10 S12 S19 S34 an array of inputs", arguments: 1...3) func arrayLaws(_ count: Int) {
        report(Laws.verifyFanIn(inputs: count, bound: 16) { Signal.zip($0) })
    }

    @Test("an array of signals of any size", arguments: [0, 1, 2, 3, 1_000]) func array(_ count: Int) {
        let signals = (0..<count).map { number in Signal<Int, Never>.sequence([number, -number]) }
        let recorder = Signal.zip(signals).record()
        #expect(recorder.values == (count == 0 ? [] : [Array(0..<count), (0..<count).map { -$0 }]) && recorder.isEnded)
        let slice = Signal.zip(signals.prefix(2)).record()
        #expect(slice.values.first == (count == 0 ? nil : Array((0..<count).prefix(2))) && slice.isEnded)
    }
}
