import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct CompactMapTests {
    @Test func keepsWhatIsNotNil() {
        let recorder = Signal<String, Never>.sequence(["1", "x", "3"]).compactMap { Int($0) }.record()
        #expect(recorder.history == [.upstream, .value(1), .value(3), .finished])
    }

    @Test("S17 a nil requests another value") func replenishes() {
        let probe = Probe<Int?, Never>()
        let recorder = probe.signal.compactMap { $0 }.record(demand: .max(1))
        probe.send(nil)
        #expect(probe.history == [.attached, .requested(.max(1)), .answered(.max(1))])
        probe.send(5)
        #expect(recorder.values == [5] && probe.outstanding() == .none)
        recorder.cancel()
    }
}

@Suite struct TryCompactMapTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: ["2"]) { upstream in
            upstream.tryCompactMap { value throws(LawFailure) in try tripping(value) > 1 ? "\(value)" : nil }
        }
    }

    @Test("S17 a nil is left out, and another value is requested") func leavesOutNil() {
        let probe = Probe<String, LawFailure>()
        let recorder = probe.signal.tryCompactMap { text throws(LawFailure) in Int(text) }.record(demand: .max(2))
        for text in ["1", "x", "3", "4"] { probe.send(text) }
        #expect(recorder.values == [1, 3] && probe.outstanding() == .none)
        recorder.cancel()
    }

    @Test func anOptionalMayBeTheValue() {
        let signal = Signal<Int, LawFailure>.sequence([1, 2]).tryCompactMap { value throws(LawFailure) in
            value == 1 ? Int??.some(nil) : .none
        }
        #expect(signal.record().values == [nil])
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryCompactMap { value throws(LawFailure) in
            try tripping(value) > 1 ? value : nil
        }
        #expect(signal.record().history == [.upstream, .value(2), .failure(LawFailure(3))])
    }
}
