import Signals
import SignalsLaws
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct RetryWhenTests {
    @Test("S18 each value of the deciding signal begins an attempt, with the outstanding demand")
    func demand() {
        let probe = Probe<Int, LawFailure>()
        let decide = Broadcast<Void, Never>()
        let seen = Lock<[LawFailure]>([])
        let recorder = probe.rawSignal.retry { failures in
            failures.map { failure in seen.withLock { $0.append(failure) } }.flatMap { decide.signal.first() }
        }.record(demand: .max(5))
        probe.send(1)
        decide.send()
        probe.fail(LawFailure(1))
        #expect(probe.attachCount == 1 && seen.withLock { $0 } == [LawFailure(1)], "No decision has followed yet.")
        decide.send()
        #expect(probe.attachCount == 2 && probe.outstanding() == .max(4))
        probe.send(2)
        probe.fail(LawFailure(2))
        decide.send()
        probe.send(3)
        probe.finish()
        #expect(recorder.history == [.upstream, .value(1), .value(2), .value(3), .finished])
        #expect(seen.withLock { $0 } == [LawFailure(1), LawFailure(2)])
        report(recorder.breaches)
    }

    @Test func aDecisionThatComesBeforeAFailureBeginsNothing() {
        let probe = Probe<Int, LawFailure>()
        let decide = Broadcast<Void, Never>()
        let recorder = probe.rawSignal.retry { _ in decide.signal }.record()
        for _ in 0..<3 { decide.send() }
        #expect(probe.attachCount == 1)
        probe.fail(LawFailure())
        #expect(probe.attachCount == 1)
        for _ in 0..<3 { decide.send() }
        #expect(probe.attachCount == 2)
        recorder.cancel()
    }

    @Test("S6 S10 the end of the deciding signal ends the run", arguments: [false, true]) func decided(fails: Bool) {
        struct Enough: Error, Equatable {}
        let probe = Probe<Int, LawFailure>()
        let decide = Probe<Int, Enough>()
        let recorder = probe.rawSignal.retry { _ in decide.rawSignal }.record()
        probe.send(1)
        if fails { decide.fail(Enough()) } else { decide.finish() }
        #expect(recorder.history == [.upstream, .value(1), fails ? .failure(Enough()) : .finished])
        #expect(probe.liveCount == 0 && probe.history.count { $0 == .cancelled } == 1)
    }

    @Test func oneThatEndsAtOnceBeginsNoAttempt() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.rawSignal.retry { _ in Signal<Int, Never>.empty() }.record()
        #expect(recorder.history == [.upstream, .finished] && probe.attachCount == 0)
    }

    @Test("S6 S29 a cancel reaches the attempt and the deciding signal") func cancel() {
        let probe = Probe<Int, LawFailure>()
        let decide = Probe<Int, Never>()
        let recorder = probe.rawSignal.retry { _ in decide.rawSignal }.record()
        recorder.cancel()
        #expect(probe.liveCount == 0 && decide.liveCount == 0)
        #expect(probe.history.count { $0 == .cancelled } == 1 && decide.history.count { $0 == .cancelled } == 1)
    }

    @Test("S6 an attempt that has ended is not cancelled") func endedAttempt() {
        let probe = Probe<Int, LawFailure>()
        let recorder = probe.rawSignal.retry { $0.prefix(2) }.record()
        probe.fail(LawFailure())
        probe.finish()
        #expect(recorder.completion == .finished && !probe.history.contains(.cancelled))
    }

    @Test("S25 a hundred thousand attempts do not grow the stack") func stack() {
        let attempts = Count()
        let signal = Signal<Int, LawFailure>.deferred {
            attempts.raise() < 100_000 ? .fail(LawFailure()) : .just(7)
        }
        let recorder = Recorder<Int, Never>()
        let returned = onSmallStack { signal.retry { $0 }.attach(recorder.sink) }
        #expect(returned && recorder.values == [7] && recorder.isEnded)
        #expect(attempts.value == 100_000)
    }

    @Test("S7 S10 S44 values, failures and decisions on three threads") func threads() {
        for round in 0..<100 {
            let attempts = CurrentValue<Broadcast<Int, LawFailure>?, Never>(nil)
            let source = Signal<Int, LawFailure>.deferred {
                let attempt = Broadcast<Int, LawFailure>()
                attempts.value = attempt
                return attempt.signal
            }
            let decide = Broadcast<Void, LawFailure>()
            let recorder = source.retry { _ in decide.signal }.record()
            onThreads(3) { thread in
                for number in 0..<60 {
                    switch thread {
                    case 0: attempts.value?.send(number)
                    case 1: attempts.value?.send(completion: .failure(LawFailure(number)))
                    default: number == 59 ? decide.send(completion: .failure(LawFailure(round))) : decide.send()
                    }
                }
            }
            #expect(recorder.completion == .failure(LawFailure(round)))
            report(recorder.breaches)
        }
    }
}
