import Signals
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct CacheTests {
    @Test("S2 S38 S39 it runs once, and every sink gets all of it", arguments: [false, true]) func once(fails: Bool) {
        let probe = Probe<Int, LawFailure>()
        let cached = probe.rawSignal.cache()
        #expect(probe.attachCount == 0)
        let early = cached.record()
        probe.send(1)
        probe.send(2)
        let late = cached.record()
        probe.send(3)
        if fails { probe.fail(LawFailure(4)) } else { probe.finish() }
        let after = (0..<2).map { _ in cached.record() }
        let end: Recorder<Int, LawFailure>.Event = fails ? .failure(LawFailure(4)) : .finished
        for recorder in [early, late] + after {
            #expect(recorder.history == [.upstream, .value(1), .value(2), .value(3), end])
            report(recorder.breaches)
        }
        #expect(probe.attachCount == 1)
    }

    @Test("S38 a result is kept when all sinks have left") func kept() {
        let probe = Probe<Int, LawFailure>()
        let cached = probe.rawSignal.cache()
        let first = cached.record()
        probe.send(1)
        probe.finish()
        first.cancel()
        for _ in 0..<3 {
            let other = cached.record(demand: .none)
            other.cancel()
        }
        #expect(cached.record().values == [1] && probe.attachCount == 1)
    }

    @Test("S6 S38 a run that all sinks leave before its end is cancelled once, and the next sink begins anew")
    func interrupted() {
        let probe = Probe<Int, LawFailure>()
        let cached = probe.rawSignal.cache()
        let first = cached.record()
        let second = cached.record()
        probe.send(1)
        first.cancel()
        #expect(probe.liveCount == 1)
        second.cancel()
        #expect(probe.liveCount == 0 && probe.history.count { $0 == .cancelled } == 1)
        let third = cached.record()
        probe.send(2)
        probe.finish()
        #expect(third.values == [2] && cached.record().values == [2] && probe.attachCount == 2)
    }

    @Test("S11 S12 S14 a sink gets as many as it asks for, and the end after them") func demand() {
        let cached = Signal<Int, Never>.sequence(1...100).cache()
        let first = cached.record(demand: .max(2))
        let second = cached.record(demand: .max(3))
        #expect(first.values == [1, 2] && second.values == [1, 2, 3] && !second.isEnded)
        first.request(.unlimited)
        #expect(first.values == Array(1...100) && first.isEnded && second.values == [1, 2, 3])
        second.request(.unlimited)
        #expect(second.values == Array(1...100) && second.isEnded)
    }

    @Test("S38 sinks of several threads have one run") func threads() async {
        for _ in 0..<200 {
            let runs = Count()
            let cached = Signal<Int, Never>.deferred {
                runs.raise()
                return .sequence(1...20)
            }.cache()
            let recorders = (0..<4).map { _ in Recorder<Int, Never>() }
            onThreads(4) { cached.attach(recorders[$0].sink) }
            // What one sent while another attached may come a moment later.
            for recorder in recorders { _ = await recorder.end() }
            #expect(runs.value == 1 && recorders.allSatisfy { $0.values == Array(1...20) && $0.isEnded })
        }
    }

    @Test("S34 what was kept is released with the signal") func releases() {
        weak var watched: Count?
        do {
            let held = Count()
            watched = held
            let cached = Signal<Count, Never>.just(held).cache()
            #expect(cached.record().values.count == 1 && cached.record().values.first === held)
        }
        #expect(watched == nil)
    }
}
