import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct FirstTests {
    @Test func deliversOneAndFinishes() {
        #expect(Signal<Int, Never>.sequence(5...).first().record().history == [.upstream, .value(5), .finished])
        #expect(Signal<Int, Never>.sequence(5...).first { $0 > 6 }.record().values == [7])
        #expect(Signal<Int, Never>.empty().first().record().history == [.upstream, .finished])
    }
}

@Suite struct TryFirstTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [Int]()) { upstream in
            upstream.tryFirst(where: { value throws(LawFailure) in try tripping(value) > 3 })
        }
    }

    @Test("S6 the first value that satisfies the closure ends it, before a later one could throw") func ends() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.tryFirst(where: { value throws(LawFailure) in try tripping(value) > 1 }).record()
        for number in 1...4 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(2), .finished])
        #expect(probe.history.last == .cancelled && probe.liveCount == 0)
    }

    @Test func ofNoneItDeliversNone() {
        let signal = Signal<Int, LawFailure>.sequence([1, 2])
        let recorder = signal.tryFirst(where: { value throws(LawFailure) in try tripping(value) > 3 }).record()
        #expect(recorder.history == [.upstream, .finished])
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryFirst(where: { value throws(LawFailure) in
            try tripping(value) > 3
        })
        #expect(signal.record().history == [.upstream, .failure(LawFailure(3))])
    }
}
