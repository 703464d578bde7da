import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct FilterTests {
    @Test func keepsWhatSatisfies() {
        let recorder = Signal<Int, Never>.sequence(1...6).filter { $0 % 2 == 0 }.record()
        #expect(recorder.history == [.upstream, .value(2), .value(4), .value(6), .finished])
    }

    @Test("S17 a request for one drops as many values as needed, and delivers one") func replenishes() {
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.filter { $0 > 3 }.record(demand: .max(1))
        for number in 1...9 { probe.send(number) }
        #expect(recorder.values == [4] && probe.outstanding() == .none)
        recorder.cancel()
    }

    @Test("S13 the closure runs once for each value") func once() {
        let calls = Count()
        let recorder = Signal<Int, Never>.sequence(1...5).filter { _ in calls.raise() > 2 }.record()
        #expect(calls.value == 5 && recorder.values == [3, 4, 5])
    }
}

@Suite struct TryFilterTests {
    @Test("S2 S6 an error thrown by the closure fails each run and cancels the upstream") func fails() {
        expectTrip(after: [2]) { upstream in
            upstream.tryFilter { value throws(LawFailure) in try tripping(value) % 2 == 0 }
        }
    }

    @Test func keepsWhatSatisfies() {
        let signal = Signal<Int, LawFailure>.sequence([1, 2, 4, 5])
        let recorder = signal.tryFilter { value throws(LawFailure) in try tripping(value) % 2 == 0 }.record()
        #expect(recorder.history == [.upstream, .value(2), .value(4), .finished])
    }

    @Test("S17 a request for one drops as many values as needed, and delivers one") func replenishes() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.tryFilter { value throws(LawFailure) in try tripping(value) > 5 }
            .record(demand: .max(1))
        for number in [1, 2, 4, 5, 6, 7] { probe.send(number) }
        #expect(recorder.values == [6] && probe.outstanding() == .none)
        recorder.cancel()
    }

    @Test("S13 the closure runs once for each value, and not after it has thrown") func once() {
        let calls = Count()
        let recorder = Signal<Int, LawFailure>.sequence(1...5).tryFilter { value throws(LawFailure) in
            calls.raise()
            return try tripping(value) > 1
        }.record()
        #expect(calls.value == 3 && recorder.values == [2])
    }

    @Test func anUpstreamThatCannotFailMayBeMadeTo() {
        let signal = Signal<Int, Never>.sequence(1...).tryFilter { value throws(LawFailure) in try tripping(value) > 1 }
        #expect(signal.record().history == [.upstream, .value(2), .failure(LawFailure(3))])
    }
}
