import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct RetryTests {
    @Test("S18 outstanding demand is requested from a new attempt") func demand() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.retry(1).record(demand: .max(5))
        probe.send(1)
        probe.fail(LawFailure(1))
        #expect(probe.attachCount == 2 && probe.outstanding() == .max(4))
        probe.send(2)
        probe.fail(LawFailure(2))
        #expect(recorder.history == [.upstream, .value(1), .value(2), .failure(LawFailure(2))])
    }

    @Test("S6 S29 a cancel ends the attempts") func cancel() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.retry().record()
        probe.fail(LawFailure())
        recorder.cancel()
        #expect(probe.attachCount == 2 && probe.liveCount == 0)
    }

    @Test("S25 a hundred thousand attempts do not grow the stack") func stack() {
        let attempts = Count()
        let signal = Signal<Int, LawFailure>.deferred {
            attempts.raise() < 100_000 ? .fail(LawFailure()) : .just(7)
        }
        let recorder = Recorder<Int, LawFailure>()
        let returned = onSmallStack { signal.retry().attach(recorder.sink) }
        #expect(returned && recorder.values == [7])
        #expect(attempts.value == 100_000)
    }
}
