import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct DropWhileTests {
    @Test("S13 the closure is not called again once it has returned false") func once() {
        let calls = Count()
        let recorder = Signal<Int, Never>.sequence([1, 2, 3, 1]).drop { value in
            calls.raise()
            return value < 3
        }.record()
        #expect(recorder.values == [3, 1] && calls.value == 3)
    }
}

@Suite struct TryDropWhileTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [Int]()) { upstream in
            upstream.tryDrop(while: { value throws(LawFailure) in try tripping(value) < 9 })
        }
    }

    @Test("S13 the closure is not called again once it has returned false") func dropsNoMore() {
        let calls = Count()
        let recorder = Signal<Int, LawFailure>.sequence([1, 5, 3, 1]).tryDrop(while: { value throws(LawFailure) in
            calls.raise()
            return try tripping(value) < 3
        }).record()
        #expect(recorder.history == [.upstream, .value(5), .value(3), .value(1), .finished])
        #expect(calls.value == 2)
    }

    @Test("S2 each run starts from the beginning") func cold() {
        let signal = Signal<Int, LawFailure>.sequence([1, 5, 1])
            .tryDrop(while: { value throws(LawFailure) in try tripping(value) < 3 })
        for _ in 1...2 { #expect(signal.record().values == [5, 1]) }
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryDrop(while: { value throws(LawFailure) in
            try tripping(value) < 9
        })
        #expect(signal.record().history == [.upstream, .failure(LawFailure(3))])
    }
}
