import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct TryLastTests {
    @Test("S2 S6 what the closure throws fails each run and cancels the upstream") func fails() {
        expectTrip(after: [Int]()) { upstream in
            upstream.tryLast(where: { value throws(LawFailure) in try tripping(value) < 9 })
        }
    }

    @Test func deliversTheLastThatSatisfies() {
        let last = { @Sendable (values: [Int]) in
            Signal<Int, LawFailure>.sequence(values)
                .tryLast(where: { value throws(LawFailure) in try tripping(value) < 5 }).record().history
        }
        #expect(last([1, 4, 7]) == [.upstream, .value(4), .finished])
        #expect(last([7]) == [.upstream, .finished])
        #expect(last([]) == [.upstream, .finished])
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryLast(where: { value throws(LawFailure) in
            try tripping(value) < 9
        })
        #expect(signal.record().history == [.upstream, .failure(LawFailure(3))])
    }
}
