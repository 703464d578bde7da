import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ContainsTests {
    @Test func findsAValueOrSaysNoAtTheEnd() {
        #expect(Signal<Int, Never>.sequence(1...).contains(3).record().history == [.upstream, .value(true), .finished])
        #expect(Signal<Int, Never>.sequence(1...2).contains(3).record().values == [false])
        #expect(Signal<String, Never>.sequence(["a", "bb"]).contains { $0.count == 2 }.record().values == [true])
    }

    @Test("S34 the first match cancels the upstream") func cancels() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.contains(2).record()
        for number in 1...3 { probe.send(number) }
        #expect(recorder.isEnded && probe.liveCount == 0 && probe.heldUpstreams == 0)
    }
}

@Suite struct TryContainsTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [Bool]()) { upstream in
            upstream.tryContains(where: { value throws(LawFailure) in try tripping(value) > 3 })
        }
    }

    @Test("S27 the first match ends it, and cancels the upstream") func endsEarly() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.tryContains(where: { value throws(LawFailure) in try tripping(value) == 2 })
            .record()
        for number in 1...3 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(true), .finished])
        #expect(probe.history == [.attached, .requested(.unlimited), .cancelled])
    }

    @Test func saysThatNoneDoes() {
        let signal = Signal<Int, LawFailure>.sequence([1, 2])
        let recorder = signal.tryContains(where: { value throws(LawFailure) in try tripping(value) > 3 }).record()
        #expect(recorder.history == [.upstream, .value(false), .finished])
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryContains(where: { value throws(LawFailure) in
            try tripping(value) > 3
        })
        #expect(signal.record().history == [.upstream, .failure(LawFailure(3))])
    }
}
