import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite("Faults", .timeLimit(.minutes(5))) struct FaultTests {
    /// A source that breaks every rule, on four threads, in front of every engine.
    @Test("S44 a faulty source causes no deadlock", arguments: 0..<8) func faultySource(_ seed: Int) {
        let chains: [@Sendable (Signal<Int, LawFailure>) -> Signal<Int, LawFailure>] = [
            { $0.map { $0 } }, { $0.buffer(size: 2, whenFull: .dropOldest) }, { $0.flatMap { .just($0) } },
            { $0.flatMapLatest { .sequence([$0]) } }, { $0.zip(.sequence(1...)).map { $0 + $1 } },
            { $0.share(replay: 2) },
            { $0.retry(3) }, { $0.conflate().prefetch(high: 3, low: 1) }, { $0.drop(until: .just(1)) },
        ]
        for chain in chains {
            let probe = Probe<Int, LawFailure>(.faulty)
            let recorder = chain(probe.signal).record(demand: .max(3))
            let returned = onThreads(4) { thread in
                for step in 0..<50 {
                    switch (step * 7 + thread * 3 + seed) % 11 {
                    case 0: recorder.request(.max(2))
                    case 1: _ = probe.sendSecondUpstream()
                    case 2 where step > 30: probe.finish()
                    case 3 where step > 40: probe.fail(LawFailure())
                    case 4 where thread == 3 && step > 45: recorder.cancel()
                    default: probe.send(step)
                    }
                }
            }
            #expect(returned)
            report(recorder.breaches)
            recorder.cancel()
        }
    }

    @Test("S44 a sink that makes every call inside each event causes no deadlock") func faultySink() {
        let source = Broadcast<Int, Never>()
        let returned = onThreads(1) { _ in
            let recorder = source.signal.flatMap { .just($0) }.buffer(size: 3, whenFull: .dropOldest)
                .record(demand: .max(1)) { recorder, event in
                    recorder.request(.unlimited)
                    source.send(1)
                    source.signal.sink { _ in }.cancel()
                    recorder.cancel()
                    recorder.request(.max(1))
                    source.send(completion: .finished)
                    _ = event
                }
            source.send(1)
            report(recorder.breaches)
        }
        #expect(returned)
    }
}
