import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct PrefixWhileTests {
    @Test("S6 the first value that does not satisfy the closure ends it") func ends() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.prefix { $0 < 3 }.record()
        for number in 1...4 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(1), .value(2), .finished])
        #expect(probe.liveCount == 0)
    }
}

@Suite struct TryPrefixWhileTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [1, 2]) { upstream in
            upstream.tryPrefix(while: { value throws(LawFailure) in try tripping(value) < 9 })
        }
    }

    @Test("S6 the first value that does not satisfy the closure ends it") func ends() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.tryPrefix(while: { value throws(LawFailure) in try tripping(value) < 2 }).record()
        for number in 1...4 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(1), .finished])
        #expect(probe.history.last == .cancelled && probe.liveCount == 0)
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryPrefix(while: { value throws(LawFailure) in
            try tripping(value) < 9
        })
        #expect(signal.record().history == [.upstream, .value(1), .value(2), .failure(LawFailure(3))])
    }
}
