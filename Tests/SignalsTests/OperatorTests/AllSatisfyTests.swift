import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct AllSatisfyTests {
    @Test func saysWhetherAllDo() {
        #expect(
            Signal<Int, Never>.sequence([2, 4]).allSatisfy { $0 % 2 == 0 }.record().history == [
                .upstream, .value(true), .finished,
            ])
        #expect(Signal<Int, Never>.empty().allSatisfy { _ in false }.record().values == [true])
    }

    @Test("S27 the first value that does not satisfy the closure ends it, and cancels the upstream") func endsEarly() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.allSatisfy { $0 < 2 }.record()
        for number in 1...3 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(false), .finished])
        #expect(probe.history == [.attached, .requested(.unlimited), .cancelled])
    }

    @Test func failsWithItsUpstream() {
        #expect(
            Signal<Int, LawFailure>.fail(LawFailure()).allSatisfy { _ in true }.record().history == [
                .upstream, .failure(LawFailure()),
            ])
    }
}

@Suite struct TryAllSatisfyTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [Bool]()) { upstream in
            upstream.tryAllSatisfy { value throws(LawFailure) in try tripping(value) < 9 }
        }
    }

    @Test("S27 the first value that does not satisfy the closure ends it, and cancels the upstream") func endsEarly() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.tryAllSatisfy { value throws(LawFailure) in try tripping(value) < 2 }.record()
        for number in 1...3 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(false), .finished])
        #expect(probe.history == [.attached, .requested(.unlimited), .cancelled])
    }

    @Test func saysThatAllDo() {
        let all = { @Sendable (values: [Int]) in
            Signal<Int, LawFailure>.sequence(values)
                .tryAllSatisfy { value throws(LawFailure) in try tripping(value) < 3 }.record().history
        }
        #expect(all([1, 2]) == [.upstream, .value(true), .finished])
        #expect(all([]) == [.upstream, .value(true), .finished])
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryAllSatisfy { value throws(LawFailure) in
            try tripping(value) < 9
        }
        #expect(signal.record().history == [.upstream, .failure(LawFailure(3))])
    }
}
