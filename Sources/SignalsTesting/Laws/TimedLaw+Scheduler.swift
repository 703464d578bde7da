import Signals

/// A scheduler with virtual time that knows the thread on which it runs work.
struct MarkedScheduler: SignalScheduler {
    let base = VirtualScheduler()
    private let runner = Lock<ThreadIdentity?>(nil)

    var now: Duration { base.now }

    /// Whether the caller is running as work of this scheduler.
    var isRunningHere: Bool { runner.withLock { $0 } == ThreadIdentity.current }

    func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule { mark(work) } }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> SignalToken {
        base.schedule(after: delay) { mark(work) }
    }

    private func mark(_ work: () -> Void) {
        runner.withLock { $0 = ThreadIdentity.current }
        work()
        runner.withLock { $0 = nil }
    }
}

extension TimedLaw {
    /// A run on a scheduler that reports whether deliveries happen on it.
    private struct MarkedTrial {
        let scheduler = MarkedScheduler()
        let probe = Probe<LawValue, LawFailure>()
        let strays = Lock<[Recorder<Output, LawFailure>.Event]>([])
        let recorder: Recorder<Output, LawFailure>

        init(_ subject: Subject, demand: Demand = .unlimited) {
            let (scheduler, strays) = (scheduler, strays)
            recorder = subject.make(probe.rawSignal, scheduler).record(demand: demand) { _, event in
                if case .upstream = event { return }
                if !scheduler.isRunningHere { strays.withLock { $0.append(event) } }
            }
        }

        func judge(_ findings: inout Findings) {
            let strays = strays.withLock { $0 }
            findings.expect(strays.isEmpty, "S37", "It delivered \(strays) elsewhere than on its scheduler.")
            findings.add(recorder.breaches)
        }
    }

    /// Values and the end arrive on the scheduler: what is delivered at once, what waited for a request, and the rest.
    static func onItsScheduler(_ subject: Subject, _ findings: inout Findings) {
        for (demand, isFailing) in [(Demand.unlimited, false), (.unlimited, true), (.max(1), false)] {
            let trial = MarkedTrial(subject, demand: demand)
            for number in 1...5 {
                trial.probe.send(LawValue(number))
                if number == 3 { trial.scheduler.base.advance(by: .milliseconds(700)) }
                if number == 4 { trial.recorder.request(.max(1)) }
            }
            if isFailing { trial.probe.fail(LawFailure()) } else { trial.probe.finish() }
            trial.recorder.request(.unlimited)
            trial.scheduler.base.run()
            findings.expect(trial.recorder.isEnded, "S37", "It did not end.")
            trial.judge(&findings)
        }
    }

    /// A timer that fires while a sender is at work does not leave its value to the sender.
    static func sendersRaceTheClock(_ subject: Subject, _ findings: inout Findings) {
        for _ in 0..<20 where findings.breaches.isEmpty {
            let trial = MarkedTrial(subject)
            let (probe, scheduler) = (trial.probe, trial.scheduler.base)
            let sent = GripCount()
            let returned = Crew.run(2) { thread in
                while thread == 1 && sent.current < 200 { scheduler.advance(by: .milliseconds(300)) }
                while thread == 0 && sent.current < 200 {
                    probe.send(LawValue(sent.current + 1))
                    sent.add(1)
                }
            }
            findings.expect(returned, "S44", "Two threads did not come back in time.")
            probe.finish()
            scheduler.run()
            trial.judge(&findings)
        }
    }

    /// Where no wait takes time, a finite source ends, and an endless one releases its sink.
    static func timeStandsStill(_ subject: Subject, _ findings: inout Findings) {
        let make = subject.make
        let whole = Recorder<Output, LawFailure>()
        let endless = Recorder<Output, LawFailure>(cancelAt: 3)
        let returned = Crew.run(1) { _ in
            make(Signal<Int, LawFailure>.sequence(1...1_000).numbered, .immediate).attach(whole.sink)
            make(Signal<Int, LawFailure>.sequence(1...).numbered, .immediate).attach(endless.sink)
        }
        findings.expect(returned, "S45", "On a scheduler without time it did not come back.")
        guard returned else { return }
        findings.expect(whole.isEnded, "S45", "On a scheduler without time it did not end.")
        let isOver = endless.isEnded || endless.isCancelled
        findings.expect(isOver, "S45", "On a scheduler without time it delivered \(endless.values).")
        findings.add(whole.breaches + endless.breaches)
    }
}
