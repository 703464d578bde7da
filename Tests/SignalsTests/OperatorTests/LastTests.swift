import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct LastTests {
    @Test func deliversTheLastAtTheFinish() {
        #expect(Signal<Int, Never>.sequence(1...4).last().record().history == [.upstream, .value(4), .finished])
        #expect(Signal<Int, Never>.sequence(1...4).last { $0 % 2 == 1 }.record().values == [3])
        #expect(Signal<Int, Never>.empty().last().record().history == [.upstream, .finished])
    }

    @Test("S34 a value that a later one replaces is released") func releases() {
        let probe = Probe<Life, LawFailure>()
        let lives = Count()
        let recorder = probe.signal.last().record()
        for _ in 0..<3 { probe.send(Life(lives)) }
        #expect(lives.value == 2)
        recorder.cancel()
        #expect(lives.value == 3)
    }
}

/// An object that increments a count when it is released.
private final class Life: Sendable {
    private let ends: Count

    init(_ ends: Count) { self.ends = ends }
    deinit { ends.raise() }
}

@Suite struct TryLastTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
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
