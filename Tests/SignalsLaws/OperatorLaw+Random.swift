import Foundation
import Signals
import SignalsTesting

extension OperatorLaw {
    /// Runs a random schedule on one thread, and compares each step with the model.
    static func oneThread(_ subject: Subject, seed: UInt64, _ findings: inout Findings) {
        var generator = SeededGenerator(seed: seed)
        let trial = Trial(subject)
        let demand = [Demand.none, .max(1), .max(3), .unlimited].randomElement(using: &generator) ?? .none
        let perValue = [Demand.none, .max(1), .max(2)].randomElement(using: &generator) ?? .none
        let cancelAt = generator.chance(20) ? Int.random(in: 1...6, using: &generator) : nil
        let reentry = Demand.max(generator.chance(30) ? 1 : 0)
        let recorder = trial.attach(demand: demand, perValue: perValue, cancelAt: cancelAt) { recorder, event in
            if event.isValue { recorder.request(reentry) }
        }
        findings.watch(recorder)
        for _ in 0..<Int.random(in: 5...60, using: &generator) where trial.ending == .open {
            step(trial, recorder, &generator)
            compare(trial, recorder, &findings)
        }
        recorder.request(.unlimited)
        if trial.ending == .open { trial.finish() }
        trial.settle()
        compare(trial, recorder, &findings)
        findings.expect(
            recorder.isEnded || recorder.isCancelled, "S11", "It did not end, although its upstream did.")
        if recorder.isEnded, !subject.traits.contains(.isTimed), !subject.traits.contains(.failsFast) {
            findings.expect(trial.accepts(recorder.values), "S12", trial.compare(recorder.values))
        }
    }

    private static func step(
        _ trial: Trial, _ recorder: Recorder<Output, Failure>, _ generator: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<50: trial.send(settling: generator.chance(60))
        case ..<80: recorder.request(.max(Int.random(in: 0...4, using: &generator)))
        case ..<93: trial.settle()
        case ..<95: recorder.cancel()
        case ..<98: trial.finish()
        default: trial.fail()
        }
    }

    private static func compare(
        _ trial: Trial, _ recorder: Recorder<Output, Failure>, _ findings: inout Findings
    ) {
        guard findings.breaches.isEmpty else { return }
        let traits = trial.subject.traits
        if !traits.contains(.isTimed) {
            let isPart =
                traits.contains(.dropsValues)
                ? recorder.values.isSubsequence(of: trial.expected) : trial.expected.starts(with: recorder.values)
            findings.expect(isPart, "S8", trial.compare(recorder.values))
        }
        let isLive = trial.ending == .open && !recorder.isEnded && !recorder.isCancelled
        if isLive, recorder.isHungry, trial.scheduler.pendingCount == 0 {
            findings.expect(
                trial.probe.outstanding() > .none, "S17", "Its sink waits, but it requests nothing from its upstream.")
        }
        let isKept = traits.contains(.isKept) && !trial.expected.isEmpty
        if recorder.isCancelled, trial.scheduler.pendingCount == 0, !isKept {
            findings.expect(trial.probe.liveCount == 0, "S6", "It was cancelled, but its upstream is attached.")
        }
    }

    /// Runs a random schedule on four threads at once, and checks only the contract, since the model does not apply.
    static func threads(_ subject: Subject, seed: UInt64, _ findings: inout Findings) {
        let trial = Trial(subject, .faulty)
        let probe = trial.probe
        let scheduler = trial.scheduler
        let settling = subject.settling
        let values = trial.values
        let recorder = findings.watch(
            Recorder<Output, Failure>(demand: .max(1), perValue: seed.isMultiple(of: 2) ? .max(1) : .none))
        trial.signal?.run(into: recorder.sink)
        let returned = findings.run(4) { index in
            var generator = SeededGenerator(seed: seed &* 4 &+ UInt64(index))
            for number in 0..<40 {
                switch Int.random(in: 0..<200, using: &generator) {
                case ..<110: probe.send(LawValue(index * 1_000 + number, countedBy: values))
                case ..<160: recorder.request(.max(Int.random(in: 0...4, using: &generator)))
                case ..<194: scheduler.advance(by: settling)
                case ..<196: recorder.cancel()
                case ..<198: probe.finish()
                default: probe.fail(LawFailure(index))
                }
            }
        }
        guard returned else { return }
        recorder.request(.unlimited)
        // Events sent alongside a request, including the end, may arrive a moment later. An operator that attaches its
        // upstream again may do so later, too, so the loop fails the upstream repeatedly.
        let bound = ContinuousClock.now + .seconds(Patience.seconds)
        var hasEnded: Bool { recorder.isCancelled || recorder.isEnded }
        repeat {
            trial.fail()
            sched_yield()
        } while !hasEnded && ContinuousClock.now < bound
        findings.expect(hasEnded, "S10", "It did not end, although its upstream did.")
    }
}

extension Recorder {
    /// Whether `cancel` was called.
    var isCancelled: Bool { state.withLock { !$0.cancelled.isEmpty } }
}
