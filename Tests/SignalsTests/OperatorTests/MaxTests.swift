import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct MaxTests {
    @Test func deliversTheGreatest() {
        #expect(Signal<Int, Never>.sequence([3, 9, 2]).max().record().history == [.upstream, .value(9), .finished])
        #expect(Signal<Int, Never>.empty().max().record().history == [.upstream, .finished])
    }

    /// As with a sequence, and in Combine.
    @Test func ofEqualOnesTheFirst() {
        let words = ["c", "aa", "bb"]
        let signal = Signal<String, Never>.sequence(words)
        #expect(signal.max { $0.count < $1.count }.record().values == ["aa"])
        #expect(words.max { $0.count < $1.count } == "aa")
    }
}

@Suite struct TryMaxTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [Int]()) { upstream in
            upstream.tryMax { left, right throws(LawFailure) in try tripping(left) < tripping(right) }
        }
    }

    @Test func deliversTheGreatest() {
        let greatest = { @Sendable (values: [Int]) in
            Signal<Int, LawFailure>.sequence(values)
                .tryMax { left, right throws(LawFailure) in try tripping(left) < tripping(right) }.record().history
        }
        #expect(greatest([4, 9, 2]) == [.upstream, .value(9), .finished])
        #expect(greatest([3]) == [.upstream, .value(3), .finished])
        #expect(greatest([]) == [.upstream, .finished])
    }

    @Test func ofEqualOnesTheFirst() {
        let words = Signal<String, LawFailure>.sequence(["c", "aa", "bb"])
        let recorder = words.tryMax { left, right throws(LawFailure) in left.count < right.count }.record()
        #expect(recorder.values == ["aa"])
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryMax { left, right throws(LawFailure) in
            try tripping(left) < tripping(right)
        }
        #expect(signal.record().history == [.upstream, .failure(LawFailure(3))])
    }
}
