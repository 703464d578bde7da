import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct MinTests {
    @Test func deliversTheLeast() {
        #expect(Signal<Int, Never>.sequence([3, 1, 2]).min().record().history == [.upstream, .value(1), .finished])
        #expect(Signal<Int, Never>.empty().min().record().history == [.upstream, .finished])
    }

    @Test func ofEqualOnesTheFirst() {
        let words = Signal<String, Never>.sequence(["cc", "a", "b"])
        #expect(words.min { $0.count < $1.count }.record().values == ["a"])
    }
}

@Suite struct TryMinTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [Int]()) { upstream in
            upstream.tryMin { left, right throws(LawFailure) in try tripping(left) < tripping(right) }
        }
    }

    @Test func deliversTheLeast() {
        let least = { @Sendable (values: [Int]) in
            Signal<Int, LawFailure>.sequence(values)
                .tryMin { left, right throws(LawFailure) in try tripping(left) < tripping(right) }.record().history
        }
        #expect(least([4, 9, 2]) == [.upstream, .value(2), .finished])
        #expect(least([3]) == [.upstream, .value(3), .finished])
        #expect(least([]) == [.upstream, .finished])
    }

    @Test func ofEqualOnesTheFirst() {
        let words = Signal<String, LawFailure>.sequence(["aa", "c", "d"])
        let recorder = words.tryMin { left, right throws(LawFailure) in left.count < right.count }.record()
        #expect(recorder.values == ["c"])
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryMin { left, right throws(LawFailure) in
            try tripping(left) < tripping(right)
        }
        #expect(signal.record().history == [.upstream, .failure(LawFailure(3))])
    }
}
