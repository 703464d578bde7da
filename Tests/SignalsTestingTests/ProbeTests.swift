import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite struct ProbeTests {
    @Test func whatASinkDoesIsWrittenDown() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.signal.record(demand: .max(1), perValue: .max(2))
        probe.send(1)
        recorder.cancel()
        #expect(probe.history == [.attached, .requested(.max(1)), .answered(.max(2)), .cancelled])
        #expect(probe.attachCount == 1 && probe.liveCount == 0 && probe.heldUpstreams == 0)
    }

    @Test func aLawfulProbeRefusesWhatIsForbidden() {
        let probe = Probe<Int, LawFailure>()
        #expect(!probe.send(0), "No sink is attached.")
        let recorder = probe.signal.record(demand: .max(1))
        #expect(probe.send(1))
        #expect(!probe.send(2), "The value was not requested.")
        #expect(probe.finish())
        #expect(!probe.finish() && !probe.fail(LawFailure()) && !probe.send(3))
        #expect(recorder.history == [.upstream, .value(1), .finished])
    }

    @Test("S9 S20 the fence holds back the faults of a probe") func faulty() {
        let discarded = Lock<[Discard.Reason]>([])
        let token = DiscardHook.observe { discard in
            if let value = discard.payload as? Int, (7_000..<7_010).contains(value) {
                discarded.withLock { $0.append(discard.reason) }
            }
        }
        let probe = Probe<Int, LawFailure>(.faulty)
        let recorder = probe.signal.record(demand: .max(1))
        #expect(probe.send(7_000) && probe.send(7_001))
        #expect(probe.sendSecondUpstream() == 1)
        probe.finish()
        probe.send(7_002)
        probe.fail(LawFailure())
        #expect(recorder.history == [.upstream, .value(7_000), .finished])
        #expect(recorder.breaches == [])
        #expect(discarded.withLock { $0 } == [.overflow, .afterEnd])
        token.cancel()
    }

    @Test func eachSinkIsARun() {
        let probe = Probe<Int, LawFailure>()
        let first = probe.signal.record(demand: .max(2))
        let second = probe.signal.record(demand: .max(3))
        #expect(probe.outstanding(run: 0) == .max(2) && probe.outstanding() == .max(3))
        probe.send(1, toRun: 0)
        probe.send(2)
        probe.finish(run: 0)
        #expect(first.history == [.upstream, .value(1), .finished])
        #expect(second.values == [2])
        #expect(probe.history(ofRun: 0) == [.attached, .requested(.max(2))])
        #expect(probe.liveCount == 1)
        second.cancel()
    }
}
