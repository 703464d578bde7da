import Signals

/// One law for time-based operators, with its name.
struct TimedLaw<Output: Sendable & Equatable> {
    struct Subject: Sendable {
        let flushesAtFinish: Bool
        let last: @Sendable (LawValue) -> Output
        let make: @Sendable (Signal<LawValue, LawFailure>, any SignalScheduler) -> Signal<Output, LawFailure>
    }

    let name: String
    let check: (Subject, inout Findings) -> Void

    static var all: [TimedLaw] {
        [
            TimedLaw(name: "finish", check: finish),
            TimedLaw(name: "failure", check: failure),
            TimedLaw(name: "cancel", check: cancel),
            TimedLaw(name: "same again", check: sameAgain),
            TimedLaw(name: "cancel races the clock", check: cancelRacesTheClock),
            TimedLaw(name: "on its scheduler", check: onItsScheduler),
            TimedLaw(name: "senders race the clock", check: sendersRaceTheClock),
            TimedLaw(name: "time stands still", check: timeStandsStill),
        ]
    }
}

extension TimedLaw {
    private struct Trial {
        let scheduler = VirtualScheduler()
        let probe = Probe<LawValue, LawFailure>()
        let recorder: Recorder<Output, LawFailure>

        init(_ subject: Subject, demand: Demand = .unlimited) {
            recorder = subject.make(probe.rawSignal, scheduler).record(demand: demand, clock: scheduler)
        }

        func send() { for number in 1...3 { probe.send(LawValue(number)) } }

        /// Runs what is due when the upstream ends; for an operator that delays the end itself, everything.
        func settle(_ subject: Subject) {
            if subject.flushesAtFinish { scheduler.advance(by: .zero) } else { scheduler.run() }
        }
    }

    private static func finish(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        trial.send()
        trial.probe.finish()
        trial.settle(subject)
        findings.expect(
            trial.recorder.values.last == subject.last(3), "S37",
            "It finished with \(trial.recorder.values), and the last value was 3.")
        findings.expect(trial.recorder.isFinished, "S37", "It did not finish.")
        findings.expect(trial.scheduler.pendingCount == 0, "S37", "It finished and left a timer behind.")
        findings.add(trial.recorder.breaches)
    }

    private static func failure(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        trial.send()
        trial.probe.fail(LawFailure())
        trial.settle(subject)
        findings.expect(trial.recorder.isFailed, "S37", "Its upstream failed, and it did not.")
        findings.expect(trial.scheduler.pendingCount == 0, "S37", "It failed and left a timer behind.")
        findings.add(trial.recorder.breaches)
    }

    private static func cancel(_ subject: Subject, _ findings: inout Findings) {
        for demand in [Demand.max(1), .unlimited] {
            let trial = Trial(subject, demand: demand)
            trial.send()
            trial.recorder.cancel()
            trial.scheduler.advance(by: .zero)
            findings.expect(trial.scheduler.pendingCount == 0, "S37", "It was cancelled and left a timer behind.")
            trial.scheduler.run()
            findings.add(trial.recorder.breaches)
        }
    }

    private static func sameAgain(_ subject: Subject, _ findings: inout Findings) {
        let histories = (0..<2).map { _ in
            let trial = Trial(subject)
            for number in 1...20 {
                trial.probe.send(LawValue(number))
                trial.scheduler.advance(by: .milliseconds(number * 97))
            }
            trial.probe.finish()
            trial.scheduler.run()
            findings.add(trial.recorder.breaches)
            return trial.recorder.state.withLock { $0.log.map { "\($0.event) at \($0.time)" } }
        }
        findings.expect(histories[0] == histories[1], "S36", "The same schedule went two ways: \(histories).")
    }

    /// One thread sends, one moves the clock, one cancels.
    private static func cancelRacesTheClock(_ subject: Subject, _ findings: inout Findings) {
        for round in 0..<50 where findings.breaches.isEmpty {
            let trial = Trial(subject)
            let (probe, scheduler, recorder) = (trial.probe, trial.scheduler, trial.recorder)
            let returned = Crew.run(3) { thread in
                for number in 1...20 {
                    switch thread {
                    case 0: probe.send(LawValue(number))
                    case 1: scheduler.advance(by: .milliseconds(300))
                    default: if number == 10, !round.isMultiple(of: 3) { recorder.cancel() }
                    }
                }
            }
            findings.expect(returned, "S44", "Three threads did not come back in time.")
            if round.isMultiple(of: 3) { probe.finish() }
            scheduler.run()
            findings.expect(scheduler.pendingCount == 0, "S37", "It left a timer behind.")
            findings.add(recorder.breaches)
        }
    }
}
