import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ReduceTests {
    @Test func combinesAllIntoOne() {
        let recorder = Signal<Int, Never>.sequence(1...4).reduce(0, +).record()
        #expect(recorder.history == [.upstream, .value(10), .finished])
        #expect(Signal<Int, Never>.empty().reduce(7, +).record().values == [7])
    }

    @Test func intoAResult() {
        let words = Signal<String, Never>.sequence(["a", "b", "a"])
        #expect(words.reduce(into: Set<String>()) { $0.insert($1) }.record().values == [["a", "b"]])
    }

    @Test("S27 cancelled inside its one value, it does not finish") func cancelInside() {
        let recorder = Signal<Int, Never>.sequence(1...4).reduce(0, +).record(cancelAt: 1)
        #expect(recorder.history == [.upstream, .value(10)])
    }
}

@Suite struct TryReduceTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [Int]()) { upstream in
            upstream.tryReduce(0) { sum, value throws(LawFailure) in try sum + tripping(value) }
        }
    }

    @Test("S2 S6 an error thrown by the closure of `tryReduce(into:)` does so, too") func failsInto() {
        expectTrip(after: [[Int]]()) { upstream in
            upstream.tryReduce(into: []) { all, value throws(LawFailure) in all.append(try tripping(value)) }
        }
    }

    @Test("S2 each run combines all into one, from the beginning") func combines() {
        let sum = Signal<Int, LawFailure>.sequence([1, 2, 4])
            .tryReduce(0) { sum, value throws(LawFailure) in try sum + tripping(value) }
        for _ in 1...2 { #expect(sum.record().history == [.upstream, .value(7), .finished]) }
        let set = Signal<Int, LawFailure>.sequence([1, 2, 1])
            .tryReduce(into: Set<Int>()) { set, value throws(LawFailure) in set.insert(try tripping(value)) }
        for _ in 1...2 { #expect(set.record().history == [.upstream, .value([1, 2]), .finished]) }
        #expect(Signal<Int, LawFailure>.empty().tryReduce(7) { $0 + $1 }.record().values == [7])
    }

    @Test("S14 it delivers nothing before a request") func demand() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.tryReduce(0) { sum, value throws(LawFailure) in try sum + tripping(value) }
            .record(demand: .none)
        probe.finish()
        #expect(recorder.history == [.upstream])
        recorder.request(.max(1))
        #expect(recorder.history == [.upstream, .value(0), .finished])
    }

    @Test("S10 an error thrown after a cancel inside the closure goes to the discard hook") func throwsAfterACancel() {
        struct Trouble: Error, Equatable {}
        let discards = Discards(of: Trouble.self)
        let token = SignalToken()
        let calls = Count()
        let ends = Count()
        Signal<Int, Trouble>.sequence(1...9).tryReduce(0) { _, _ throws(Trouble) in
            calls.raise()
            token.cancel()
            throw Trouble()
        }.sink(cancelledBy: token, onValue: { _ in }, onCompletion: { _ in ends.raise() })
        #expect(discards.payloads == [Trouble()] && discards.reasons == [.afterEnd])
        #expect(calls.value == 1 && ends.value == 0)
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryReduce(0) { sum, value throws(LawFailure) in
            try sum + tripping(value)
        }
        #expect(signal.record().history == [.upstream, .failure(LawFailure(3))])
    }

    @Test func soMayTheFormIntoAResult() {
        let signal = Signal<Int, Never>.sequence(1...).tryReduce(into: [Int]()) { all, value throws(LawFailure) in
            all.append(try tripping(value))
        }
        #expect(signal.record().history == [.upstream, .failure(LawFailure(3))])
    }
}
