import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct MapTests {
    @Test func transformsEachValue() {
        let recorder = Signal<Int, Never>.sequence(1...3).map { "\($0)" }.record()
        #expect(recorder.history == [.upstream, .value("1"), .value("2"), .value("3"), .finished])
    }

    @Test("S13 the closure runs once for each value, and not after a cancel") func once() {
        let calls = Count()
        _ = Signal<Int, Never>.sequence(1...9).map { _ in calls.raise() }.record(cancelAt: 3)
        #expect(calls.value == 3)
    }
}

@Suite struct TryMapTests {
    @Test("S6 an error thrown by the closure fails the signal and cancels the upstream") func fails() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.tryMap { value throws(LawFailure) in
            if value == 2 { throw LawFailure(2) }
            return value * 10
        }.record()
        for number in 1...3 { probe.send(number) }
        #expect(recorder.history == [.upstream, .value(10), .failure(LawFailure(2))])
        #expect(probe.history.last == .cancelled)
    }

    @Test func theUpstreamsFailureIsPassedOn() {
        let signal = Signal<Int, LawFailure>.fail(LawFailure(1)).tryMap { value throws(LawFailure) in value }
        #expect(signal.record().history == [.upstream, .failure(LawFailure(1))])
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryMap { value throws(LawFailure) in
            if value == 3 { throw LawFailure(3) }
            return value
        }
        #expect(signal.record().history == [.upstream, .value(1), .value(2), .failure(LawFailure(3))])
    }

    @Test("S10 an error thrown after a cancel inside the closure goes to the discard hook") func throwsAfterACancel() {
        struct Trouble: Error, Equatable {}
        let discards = Discards(of: Trouble.self)
        let token = SignalToken()
        let calls = Count()
        let ends = Count()
        Signal<Int, Trouble>.sequence(1...9).tryMap { _ throws(Trouble) -> Int in
            calls.raise()
            token.cancel()
            throw Trouble()
        }.sink(cancelledBy: token, onValue: { _ in }, onCompletion: { _ in ends.raise() })
        #expect(discards.payloads == [Trouble()] && discards.reasons == [.afterEnd])
        #expect(calls.value == 1 && ends.value == 0)
    }
}
