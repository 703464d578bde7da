import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ScanTests {
    @Test func deliversRunningResults() {
        let recorder = Signal<Int, Never>.sequence(1...4).scan("") { "\($0)\($1)" }.record()
        #expect(recorder.values == ["1", "12", "123", "1234"])
    }

    @Test("S2 each run starts from the beginning") func cold() {
        let signal = Signal<Int, Never>.sequence(1...3).scan(0, +)
        #expect(signal.record().values == [1, 3, 6])
        #expect(signal.record().values == [1, 3, 6])
    }
}

@Suite struct TryScanTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [1, 3]) { upstream in
            upstream.tryScan(0) { sum, value throws(LawFailure) in try sum + tripping(value) }
        }
    }

    @Test func deliversRunningResults() {
        let signal = Signal<Int, LawFailure>.sequence([1, 2, 4])
        let recorder = signal.tryScan("") { text, value throws(LawFailure) in try "\(text)\(tripping(value))" }.record()
        #expect(recorder.history == [.upstream, .value("1"), .value("12"), .value("124"), .finished])
    }

    @Test("S2 each run starts from the beginning") func cold() {
        let signal = Signal<Int, LawFailure>.sequence([1, 2])
            .tryScan(0) { sum, value throws(LawFailure) in try sum + tripping(value) }
        for _ in 1...2 { #expect(signal.record().values == [1, 3]) }
        let probe = Probe<Int, LawFailure>()
        let sums = probe.signal.tryScan(0) { sum, value throws(LawFailure) in try sum + tripping(value) }
        let (first, second) = (sums.record(), sums.record())
        probe.send(1, toRun: 0)
        probe.send(10, toRun: 1)
        probe.send(2, toRun: 0)
        #expect(first.values == [1, 3] && second.values == [10])
        first.cancel()
        second.cancel()
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryScan(0) { sum, value throws(LawFailure) in
            try sum + tripping(value)
        }
        #expect(signal.record().history == [.upstream, .value(1), .value(3), .failure(LawFailure(3))])
    }
}
