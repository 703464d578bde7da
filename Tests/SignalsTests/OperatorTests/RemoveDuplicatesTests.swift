import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct RemoveDuplicatesTests {
    @Test func dropsWhatEqualsTheOneBefore() {
        let signal = Signal<Int, Never>.sequence([1, 1, 2, 2, 2, 1])
        #expect(signal.removeDuplicates().record().values == [1, 2, 1])
    }

    @Test func theCallerMaySayWhatIsEqual() {
        let signal = Signal<String, Never>.sequence(["a", "A", "b"])
        #expect(signal.removeDuplicates { $0.lowercased() == $1.lowercased() }.record().values == ["a", "b"])
    }

    @Test("S17 a duplicate requests another value") func replenishes() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.removeDuplicates().record(demand: .max(2))
        for number in [1, 1, 1, 2, 3] { probe.send(number) }
        #expect(recorder.values == [1, 2] && probe.outstanding() == .none)
        recorder.cancel()
    }
}

@Suite struct TryRemoveDuplicatesTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [1, 2]) { upstream in
            upstream.tryRemoveDuplicates { last, value throws(LawFailure) in try last == tripping(value) }
        }
    }

    @Test func dropsWhatEqualsTheOneBefore() {
        let signal = Signal<Int, LawFailure>.sequence([1, 1, 2, 2, 2, 1])
        let recorder = signal.tryRemoveDuplicates { last, value throws(LawFailure) in try last == tripping(value) }
        for _ in 1...2 { #expect(recorder.record().values == [1, 2, 1]) }
    }

    @Test("S13 the first value is compared with nothing") func first() {
        let calls = Count()
        let signal = Signal<Int, LawFailure>.sequence([3, 4]).tryRemoveDuplicates { last, value throws(LawFailure) in
            calls.raise()
            return try last == tripping(value)
        }
        #expect(signal.record().values == [3, 4] && calls.value == 1)
    }

    @Test("S17 a duplicate requests another value") func replenishes() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.tryRemoveDuplicates { last, value throws(LawFailure) in last == value }
            .record(demand: .max(2))
        for number in [1, 1, 1, 2, 3] { probe.send(number) }
        #expect(recorder.values == [1, 2] && probe.outstanding() == .none)
        recorder.cancel()
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryRemoveDuplicates { last, value throws(LawFailure) in
            try last == tripping(value)
        }
        #expect(signal.record().history == [.upstream, .value(1), .value(2), .failure(LawFailure(3))])
    }
}
