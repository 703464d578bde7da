import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct AppendTests {
    @Test("S18 outstanding demand is requested from the second signal") func handover() {
        report(Laws.verifyHandover(at: .finished) { $0.append($1) })
    }

    @Test func theSecondIsAttachedAfterTheFirst() {
        let attached = Count()
        let probe = Probe<Int, Never>()
        let recorder = probe.signal.append(
            .deferred {
                attached.raise(); return .just(9)
            }
        ).record()
        probe.send(1)
        #expect(attached.value == 0)
        probe.finish()
        #expect(recorder.history == [.upstream, .value(1), .value(9), .finished])
        #expect(attached.value == 1)
    }

    @Test func aFailureOfTheFirstEndsIt() {
        let recorder = Signal<Int, LawFailure>.fail(LawFailure()).append(1, 2).record()
        #expect(recorder.history == [.upstream, .failure(LawFailure())])
    }

    @Test func valuesAreAppended() {
        #expect(Signal<Int, Never>.just(1).append(2, 3).record().values == [1, 2, 3])
    }

    @Test("S11 a signal that follows an empty sequence begins without demand") func afterAnEmptySequence() {
        let failing = Signal<Int, LawFailure>.sequence([]).append(.fail(LawFailure())).record(demand: .none)
        #expect(failing.history == [.upstream, .failure(LawFailure())])
        let probe = Probe<Int, LawFailure>()
        let recorder = Signal<Int, LawFailure>.sequence([]).append(probe.rawSignal).record(demand: .none)
        #expect(probe.liveCount == 1)
        recorder.cancel()
    }
}
