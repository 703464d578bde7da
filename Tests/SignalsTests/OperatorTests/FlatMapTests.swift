import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct FlatMapTests {
    /// A flatMap over probes, one for each value.
    private struct Bed {
        let outer = Probe<Int, LawFailure>()
        let inner = (0..<4).map { _ in Probe<Int, LawFailure>() }

        func signal(_ maxConcurrent: Demand) -> Signal<Int, LawFailure> {
            outer.signal.flatMap(maxConcurrent: maxConcurrent) { [inner] in inner[$0].signal }
        }
    }

    @Test("S7 S10 S12 S19 S34 inputs chosen by value") func laws() {
        report(
            Laws.verifyFanIn(inputs: 3, bound: 16) { inputs in
                Signal<Int, LawFailure>.sequence(0..<3).flatMap { inputs[$0] }
            })
    }

    @Test("S12 an inner failure cancels the siblings and the outer upstream") func innerFailure() {
        let bed = Bed()
        let recorder = bed.signal(.unlimited).record()
        for number in 0..<3 { bed.outer.send(number) }
        bed.inner[0].send(7)
        bed.inner[1].fail(LawFailure(1))
        #expect(recorder.history == [.upstream, .value(7), .failure(LawFailure(1))])
        #expect(bed.outer.liveCount == 0 && bed.inner.allSatisfy { $0.liveCount == 0 })
    }

    @Test("S19 no more inner signals are attached than allowed") func maxConcurrent() {
        let bed = Bed()
        let recorder = bed.signal(.max(2)).record()
        let sent = (0..<4).prefix { bed.outer.send($0) }
        #expect(sent.count == 2)
        bed.inner[0].finish()
        #expect(bed.outer.outstanding() == .max(1))
        bed.outer.send(2)
        bed.inner[2].send(5)
        #expect(recorder.values == [5])
        recorder.cancel()
        #expect(bed.inner.allSatisfy { $0.liveCount == 0 })
    }

    @Test("S18 S19 once the sink has requested everything, the demand on an inner signal is no longer bounded")
    func opensUp() {
        let bed = Bed()
        let recorder = bed.signal(.unlimited).record(demand: .max(2))
        bed.outer.send(0)
        #expect(bed.inner[0].outstanding() == .max(16))
        for number in 1...4 { bed.inner[0].send(number) }
        #expect(recorder.values == [1, 2] && bed.inner[0].outstanding() == .max(14))
        recorder.request(.unlimited)
        bed.inner[0].send(5)
        #expect(recorder.values == [1, 2, 3, 4, 5] && bed.inner[0].outstanding() == .unlimited)
        let history = bed.inner[0].history.count
        for number in 6...9 { bed.inner[0].send(number) }
        #expect(recorder.values == Array(1...9) && bed.inner[0].history.count == history)
        recorder.cancel()
    }

    @Test func finishesWhenAllHave() {
        let bed = Bed()
        let recorder = bed.signal(.unlimited).record()
        bed.outer.send(0)
        bed.outer.finish()
        #expect(!recorder.isEnded)
        bed.inner[0].send(1)
        bed.inner[0].finish()
        #expect(recorder.history == [.upstream, .value(1), .finished])
    }

    @Test func anUpstreamThatCannotFailMayMakeOnesThatCan() {
        let signal = Signal<Int, Never>.just(1).flatMap { _ in Signal<Int, LawFailure>.fail(LawFailure()) }
        #expect(signal.record().history == [.upstream, .failure(LawFailure())])
    }
}
