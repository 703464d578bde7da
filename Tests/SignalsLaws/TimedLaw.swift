public import Signals
public import SignalsTesting

extension Laws {
    /// Checks a time-based operator against the clauses about time; `verifyOperator` checks the other clauses.
    ///
    /// ```swift
    /// let breaches = Laws.verifyTimed(delivering: { $0 }) { upstream, scheduler in
    ///     upstream.debounce(for: .seconds(1), on: scheduler)
    /// }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - flushesAtFinish: Whether the operator delivers held-back values as soon as its upstream finishes. It is
    ///     false for an operator that delays the end itself.
    ///   - last: Returns the last value that the operator delivers, given its upstream's last value.
    ///   - make: Builds the operator on an upstream and a scheduler, which has virtual time or is `.immediate`.
    /// - Returns: The breaches of the contract, or an empty array.
    public static func verifyTimed<Output: Sendable & Equatable>(
        flushesAtFinish: Bool = true, delivering last: @escaping @Sendable (LawValue) -> Output,
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>, any SignalScheduler) -> Signal<Output, LawFailure>
    ) -> [Breach] {
        let subject = TimedLaw<Output>.Subject(flushesAtFinish: flushesAtFinish, last: last, make: make)
        return breaches(of: TimedLaw<Output>.all, by: subject)
    }
}

/// The laws for time-based operators.
enum TimedLaw<Output: Sendable & Equatable> {
    struct Subject: Sendable {
        let flushesAtFinish: Bool
        let last: @Sendable (LawValue) -> Output
        let make: @Sendable (Signal<LawValue, LawFailure>, any SignalScheduler) -> Signal<Output, LawFailure>
    }

    static var all: [Law<Subject>] {
        [
            Law("finish", finish),
            Law("failure", failure),
            Law("cancel", cancel),
            Law("same again", sameAgain),
            Law("cancel races the clock", cancelRacesTheClock),
            Law("on its scheduler", onItsScheduler),
            Law("senders race the clock", sendersRaceTheClock),
            Law("time does not move", timeDoesNotMove),
        ]
    }

    /// A run of the operator, on a scheduler that shows whether deliveries happen on it.
    private struct Trial {
        let marked = MarkedScheduler()
        let probe = Probe<LawValue, LawFailure>()
        let strays = Lock<[Recorder<Output, LawFailure>.Event]>([])
        let recorder: Recorder<Output, LawFailure>

        var scheduler: VirtualScheduler { marked.base }

        init(_ subject: Subject, demand: Demand = .unlimited, _ findings: inout Findings) {
            let (marked, strays) = (marked, strays)
            recorder = subject.make(probe.rawSignal, marked).record(demand: demand, clock: marked.base) {
                _, event in
                if case .upstream = event { return }
                if !marked.isRunningHere { strays.withLock { $0.append(event) } }
            }
            findings.watch(recorder)
        }

        func send() { for number in 1...3 { probe.send(LawValue(number)) } }

        /// Runs the work that is due when the upstream ends; for an operator that delays the end itself, runs all work.
        func settle(_ subject: Subject) {
            if subject.flushesAtFinish { scheduler.advance(by: .zero) } else { scheduler.run() }
        }

        func judge(_ findings: inout Findings) {
            let strays = strays.withLock { $0 }
            findings.expect(strays.isEmpty, "S37", "It delivered \(strays) outside its scheduler.")
        }
    }

    private static func finish(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject, &findings)
        trial.send()
        trial.probe.finish()
        trial.settle(subject)
        findings.expect(
            trial.recorder.values.last == subject.last(3), "S37",
            "It finished with \(trial.recorder.values), but the last value was 3.")
        findings.expect(trial.recorder.isFinished, "S37", "It did not finish.")
        findings.expect(trial.scheduler.pendingCount == 0, "S37", "It finished, but left a timer behind.")
    }

    private static func failure(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject, &findings)
        trial.send()
        trial.probe.fail(LawFailure())
        trial.settle(subject)
        findings.expect(trial.recorder.isFailed, "S37", "Its upstream failed, but the operator did not.")
        findings.expect(trial.scheduler.pendingCount == 0, "S37", "It failed, but left a timer behind.")
    }

    private static func cancel(_ subject: Subject, _ findings: inout Findings) {
        for demand in [Demand.max(1), .unlimited] {
            let trial = Trial(subject, demand: demand, &findings)
            trial.send()
            trial.recorder.cancel()
            trial.scheduler.advance(by: .zero)
            findings.expect(trial.scheduler.pendingCount == 0, "S37", "It was cancelled, but left a timer behind.")
            trial.scheduler.run()
        }
    }

    private static func sameAgain(_ subject: Subject, _ findings: inout Findings) {
        let histories = (0..<2).map { _ in
            let trial = Trial(subject, &findings)
            for number in 1...20 {
                trial.probe.send(LawValue(number))
                trial.scheduler.advance(by: .milliseconds(number * 97))
            }
            trial.probe.finish()
            trial.scheduler.run()
            return trial.recorder.state.withLock { $0.log.map { "\($0.event) at \($0.time)" } }
        }
        findings.expect(histories[0] == histories[1], "S36", "The same schedule had two results: \(histories).")
    }

    /// One thread sends values, a second advances the clock, and a third cancels.
    private static func cancelRacesTheClock(_ subject: Subject, _ findings: inout Findings) {
        for round in 0..<50 where findings.breaches.isEmpty {
            let trial = Trial(subject, &findings)
            let (probe, scheduler, recorder) = (trial.probe, trial.scheduler, trial.recorder)
            findings.run(3) { thread in
                for number in 1...20 {
                    switch thread {
                    case 0: probe.send(LawValue(number))
                    case 1: scheduler.advance(by: .milliseconds(300))
                    default: if number == 10, !round.isMultiple(of: 3) { recorder.cancel() }
                    }
                }
            }
            if round.isMultiple(of: 3) { probe.finish() }
            scheduler.run()
            findings.expect(scheduler.pendingCount == 0, "S37", "It left a timer behind.")
        }
    }

    /// Values and the end arrive on the scheduler, whether delivered at once, after a request or at the end.
    static func onItsScheduler(_ subject: Subject, _ findings: inout Findings) {
        for (demand, isFailing) in [(Demand.unlimited, false), (.unlimited, true), (.max(1), false)] {
            let trial = Trial(subject, demand: demand, &findings)
            for number in 1...5 {
                trial.probe.send(LawValue(number))
                if number == 3 { trial.scheduler.advance(by: .milliseconds(700)) }
                if number == 4 { trial.recorder.request(.max(1)) }
            }
            if isFailing { trial.probe.fail(LawFailure()) } else { trial.probe.finish() }
            trial.recorder.request(.unlimited)
            trial.scheduler.run()
            findings.expect(trial.recorder.isEnded, "S37", "It did not end.")
            trial.judge(&findings)
        }
    }

    /// If a timer fires while another thread sends, the timer's value is delivered on the scheduler, not by the sender.
    static func sendersRaceTheClock(_ subject: Subject, _ findings: inout Findings) {
        for _ in 0..<20 where findings.breaches.isEmpty {
            let trial = Trial(subject, &findings)
            let (probe, scheduler) = (trial.probe, trial.scheduler)
            let sent = LiveCount()
            findings.run(2) { thread in
                while thread == 1 && sent.current < 200 { scheduler.advance(by: .milliseconds(300)) }
                while thread == 0 && sent.current < 200 {
                    probe.send(LawValue(sent.current + 1))
                    sent.add(1)
                }
            }
            probe.finish()
            scheduler.run()
            trial.judge(&findings)
        }
    }

    /// On a scheduler whose waits take no time, a finite source ends, and a sink can cancel an endless source.
    static func timeDoesNotMove(_ subject: Subject, _ findings: inout Findings) {
        let make = subject.make
        let whole = findings.watch(Recorder<Output, LawFailure>())
        let endless = findings.watch(Recorder<Output, LawFailure>(cancelAt: 3))
        let returned = Crew.run(1) { _ in
            make(Signal<Int, LawFailure>.sequence(1...1_000).numbered, .immediate).run(into: whole.sink)
            make(Signal<Int, LawFailure>.sequence(1...).numbered, .immediate).run(into: endless.sink)
        }
        findings.expect(returned, "S45", "On a scheduler without time it did not return.")
        guard returned else { return }
        findings.expect(whole.isEnded, "S45", "On a scheduler without time it did not end.")
        let isOver = endless.isEnded || endless.isCancelled
        findings.expect(isOver, "S45", "On a scheduler without time it delivered \(endless.values).")
    }
}

/// A scheduler with virtual time that knows the thread on which it runs work.
struct MarkedScheduler: SignalScheduler {
    let base = VirtualScheduler()
    private let runner = Lock<ThreadIdentity?>(nil)

    var now: Duration { base.now }

    /// Whether the calling code runs as work of this scheduler.
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
