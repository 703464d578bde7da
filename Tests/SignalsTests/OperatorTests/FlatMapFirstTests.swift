import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct FlatMapFirstTests {
    @Test func valuesThatComeWhileAnInnerSignalRunsAreIgnored() {
        let outer = Probe<Int, LawFailure>()
        let inner = (0..<3).map { _ in Probe<Int, LawFailure>() }
        let made = Count()
        let recorder = outer.signal.flatMapFirst { number in
            made.raise()
            return inner[number].signal
        }.record()
        outer.send(0)
        outer.send(1)
        inner[0].send(1)
        inner[0].finish()
        outer.send(2)
        inner[2].send(3)
        #expect(recorder.values == [1, 3] && made.value == 2 && inner[1].attachCount == 0)
        outer.finish()
        #expect(!recorder.isEnded, "An inner signal is still running.")
        inner[2].finish()
        #expect(recorder.completion == .finished)
    }

    @Test("S12 a failure of either cancels the other", arguments: [false, true]) func failure(ofTheOuter: Bool) {
        let outer = Probe<Int, LawFailure>()
        let inner = Probe<Int, LawFailure>()
        let recorder = outer.signal.flatMapFirst { _ in inner.signal }.record()
        outer.send(0)
        if ofTheOuter { outer.fail(LawFailure(5)) } else { inner.fail(LawFailure(5)) }
        #expect(recorder.completion == .failure(LawFailure(5)) && outer.liveCount == 0 && inner.liveCount == 0)
    }

    @Test("S14 S18 exactly the outstanding demand is requested from an inner signal") func demand() {
        let outer = Probe<Int, LawFailure>()
        let inner = (0..<2).map { _ in Probe<Int, LawFailure>() }
        let recorder = outer.signal.flatMapFirst { inner[$0].signal }.record(demand: .max(3))
        outer.send(0)
        inner[0].send(1)
        inner[0].finish()
        outer.send(1)
        #expect(inner[1].outstanding() == .max(2) && outer.outstanding() == .unlimited)
        recorder.cancel()
        #expect(inner[1].liveCount == 0 && outer.liveCount == 0)
    }

    @Test func mayFailWhereItsUpstreamOrItsInnerSignalsCannot() {
        let signal = Signal<Int, Never>.just(1).flatMapFirst { _ in Signal<Int, LawFailure>.fail(LawFailure()) }
        #expect(signal.record().history == [.upstream, .failure(LawFailure())])
        let calm = Signal<Int, LawFailure>.just(1).flatMapFirst { _ in Signal<Int, Never>.just(2) }
        #expect(calm.record().history == [.upstream, .value(2), .finished])
    }

    @Test("S25 a hundred thousand inner signals do not grow the stack") func stack() {
        let recorder = Recorder<Int, Never>()
        let returned = onSmallStack {
            Signal<Int, Never>.sequence(1...100_000).flatMapFirst { Signal<Int, Never>.sequence([$0]) }
                .attach(recorder.sink)
        }
        #expect(returned && recorder.values.count == 100_000 && recorder.isEnded)
    }

    @Test("S7 S10 no inner signal overlaps another, and none is cut off, whatever threads send") func threads() {
        for round in 0..<100 {
            let outer = Broadcast<Int, LawFailure>()
            let inner = (0..<40).map { _ in Broadcast<Int, LawFailure>() }
            let recorder = outer.signal.flatMapFirst { inner[$0].signal }.record()
            onThreads(2) { thread in
                for number in 0..<40 {
                    if thread == 0 {
                        outer.send(number)
                    } else {
                        inner[number].send(number)
                        inner[number].send(number + 100)
                        inner[number].send(completion: number == 39 ? .failure(LawFailure(round)) : .finished)
                    }
                }
            }
            outer.send(39)
            outer.send(completion: .finished)
            // Attached at any moment, an inner signal delivers both of its values, the second, or none; in order.
            let values = recorder.values
            let order = values.map { ($0 % 100) * 2 + $0 / 100 }
            #expect(order == order.sorted() && Set(values).count == values.count)
            report(recorder.breaches)
        }
    }
}
