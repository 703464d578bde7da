import Signals
import SignalsTesting

extension OperatorLaw {
    static func nothingBeforeDemand(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let recorder = findings.watch(trial.attach(demand: .none))
        trial.send(3)
        findings.expect(recorder.values.isEmpty, "S3", "It delivered \(recorder.values) before demand.")
        findings.expect(!recorder.history.isEmpty, "S1", "The sink got no upstream.")
        findings.expect(
            !recorder.isEnded || subject.traits.contains(.endsEarly), "S9", "It ended before its upstream did.")
        recorder.cancel()
        trial.settle()
    }

    static func cold(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let copy = trial.signal
        findings.expect(trial.probe.attachCount == 0, "S2", "Building it attached its upstream.")
        guard !subject.traits.contains(.isShared), let copy else { return }
        let first = findings.watch(trial.attach())
        trial.send(2)
        let attached = trial.probe.attachCount
        let second = findings.watch(copy.record())
        trial.settle()
        let count = (1...6).count { number in
            defer { trial.settle() }
            return trial.probe.send(LawValue(number), toRun: attached)
        }
        trial.probe.finish(run: attached)
        trial.settle()
        findings.expect(
            second.isEnded && subject.accepts(second.values, count, .finished), "S2",
            "A second run delivered \(second.values), affected by the first.")
        trial.probe.finish(run: 0)
        trial.settle()
        findings.expect(
            first.isEnded && subject.accepts(first.values, trial.sent, .finished), "S2",
            "A second run affected the first.")
    }

    static func everyValue(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let recorder = findings.watch(trial.attach())
        trial.send(12)
        let early = recorder.values
        findings.expect(trial.accepts(early), "S8", "Before the end: " + trial.compare(early))
        findings.expect(
            !recorder.isEnded || subject.traits.contains(.endsEarly), "S9", "It ended before its upstream did.")
        trial.finish()
        findings.expect(trial.accepts(recorder.values), "S8", trial.compare(recorder.values))
        findings.expect(recorder.isFinished, "S11", "It did not finish with its upstream.")
        findings.expect(trial.probe.liveCount == 0, "S6", "It left its upstream attached.")
    }

    static func oneAtATime(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let recorder = findings.watch(trial.attach(demand: .none))
        for round in 1...12 where !recorder.isEnded {
            recorder.request(.max(1))
            trial.settle()
            while recorder.isHungry, trial.sent < 40 {
                guard trial.send() else {
                    findings.expect(false, "S17", "Its sink waits for value \(round), but it requests none.")
                    break
                }
            }
            let surplus = trial.probe.outstanding()
            findings.expect(
                surplus == .none || subject.traits.contains(.changesDemand) || recorder.isHungry, "S17",
                "It has requested \(surplus) more than its sink.")
        }
        trial.finish()
        for _ in 0..<60 where !recorder.isEnded {
            recorder.request(.max(1))
            trial.settle()
        }
        findings.expect(trial.accepts(recorder.values), "S14", trial.compare(recorder.values))
        findings.expect(recorder.isFinished, "S11", "It did not finish, although all was requested.")
    }

    static func endWithoutDemand(_ subject: Subject, _ findings: inout Findings) {
        let finished = Trial(subject)
        let first = findings.watch(finished.attach(demand: .none))
        finished.finish()
        if finished.expected.isEmpty && !subject.traits.contains(.endsOnDemand) {
            findings.expect(first.isFinished, "S11", "It waits for demand to finish.")
        } else {
            findings.expect(!first.isEnded, "S12", "It ended before it had delivered its values.")
            first.request(.unlimited)
            finished.settle()
            if finished.ending == .open { finished.finish() }
            findings.expect(
                first.isFinished && finished.accepts(first.values), "S12", finished.compare(first.values))
        }
        let failed = Trial(subject)
        let second = findings.watch(failed.attach(demand: .none))
        failed.fail()
        if failed.expected.isEmpty && !subject.traits.contains(.endsOnDemand) {
            findings.expect(second.isEnded, "S11", "It waits for demand to fail.")
        }
    }

    static func failure(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let recorder = findings.watch(trial.attach())
        trial.send(5)
        let isEarly = recorder.isEnded
        trial.fail()
        let isRight = subject.traits.contains(.recovers) || isEarly ? recorder.isFinished : recorder.isFailed
        findings.expect(isRight, "S10", "Its upstream failed, but it ended with \(recorder.completion as Any).")
        findings.expect(trial.accepts(recorder.values), "S12", trial.compare(recorder.values))
    }

    static func acceptedBeforeTheEnd(_ subject: Subject, _ findings: inout Findings) {
        for isFailing in [false, true] {
            let trial = Trial(subject)
            let recorder = findings.watch(trial.attach(demand: .max(1)))
            trial.send(5)
            if isFailing { trial.fail() } else { trial.finish() }
            let isFast = isFailing && subject.traits.contains(.failsFast)
            findings.expect(!isFast || recorder.isEnded, "S12", "It did not fail at once.")
            recorder.request(.unlimited)
            trial.settle()
            findings.expect(recorder.isEnded, "S11", "It did not end after the values that it had accepted.")
            findings.expect(
                isFast ? recorder.values.isSubsequence(of: trial.expected) : trial.accepts(recorder.values), "S12",
                trial.compare(recorder.values))
        }
    }
}
