import Signals
import SignalsTesting

extension OperatorLaw {
    static func requestsAddUp(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let recorder = findings.watch(trial.attach(demand: .none))
        let before = trial.probe.history.count
        recorder.request(.none)
        trial.settle()
        findings.expect(trial.probe.history.count == before, "S16", "A request for none reached its upstream.")
        recorder.request(.max((1 << 40) - 1))
        recorder.request(.max((1 << 40) - 1))
        trial.settle()
        trial.send(30)
        findings.expect(
            trial.sent == 30 || recorder.isEnded, "S15", "With demand for all, it took \(trial.sent) of 30 values.")
        recorder.request(.unlimited)
        recorder.request(.max(1))
        trial.send(30)
        trial.finish()
        findings.expect(
            recorder.isEnded && trial.accepts(recorder.values), "S15",
            "After requests that saturate: " + trial.compare(recorder.values))
    }

    /// Requests inside deliveries do not recurse, neither with a synchronous source nor with buffered values.
    static func requestInside(_ subject: Subject, _ findings: inout Findings) {
        let scheduler = VirtualScheduler()
        let numbers = Signal<Int, LawFailure>.sequence(1...300).numbered
        let recorder = subject.make(numbers, scheduler).record(demand: .max(1)) { recorder, event in
            if event.isValue { recorder.request(.max(1)) }
        }
        findings.watch(recorder)
        for _ in 0..<400 where !recorder.isEnded { scheduler.advance(by: subject.settling) }
        let isComplete = subject.accepts(recorder.values, 300, .finished) || subject.traits.contains(.isTimed)
        findings.expect(
            recorder.isEnded && isComplete, "S24", "With requests inside deliveries, it delivered \(recorder.values).")
        let trial = Trial(subject)
        let waiting = trial.attach(demand: .none) { recorder, event in
            if event.isValue { recorder.request(.max(1)) }
        }
        findings.watch(waiting)
        trial.send(5)
        waiting.request(.max(1))
        for _ in 0..<5 { trial.settle() }
        waiting.cancel()
        trial.settle()
    }

    static func cancelInside(_ subject: Subject, _ findings: inout Findings) {
        let total = subject.expected(10, .finished).count
        for number in Set([1, (total + 1) / 2, total]).sorted() where number > 0 && number <= total {
            let trial = Trial(subject)
            let recorder = findings.watch(trial.attach(cancelAt: number))
            trial.send(10)
            trial.finish()
            findings.expect(
                recorder.values.count == number || subject.traits.contains(.dropsValues), "S27",
                "Cancelled inside value \(number), it delivered \(recorder.values.count).")
            findings.expect(trial.probe.liveCount == 0, "S6", "It did not cancel its upstream at value \(number).")
        }
    }

    static func cancelAtTheUpstream(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let recorder = findings.watch(trial.attach(cancelAt: 0))
        trial.send(2)
        trial.finish()
        findings.expect(
            recorder.history.count == 1, "S5", "Cancelled as the upstream arrived, it delivered \(recorder.history).")
        findings.expect(trial.probe.liveCount == 0, "S5", "The cancel did not reach its upstream.")
        let requests = trial.probe.history.contains { if case .requested = $0 { true } else { false } }
        findings.expect(!requests, "S5", "It was cancelled, but requested from its upstream.")
    }

    /// A cancel that arrives while the source serves a long request must reach the source before the request is done.
    static func cancelOvertakes(_ subject: Subject, _ findings: inout Findings) {
        let scheduler = VirtualScheduler()
        let made = LiveCount()
        let madeAtCancel = LiveCount()
        let endless = Signal<LawValue, LawFailure>.unfold(0) { number in
            number += 1
            made.add(1)
            return number <= 20_000 ? LawValue(number) : nil
        }
        let recorder = subject.make(endless, scheduler).record { recorder, event in
            guard case .value = event, madeAtCancel.current == 0 else { return }
            madeAtCancel.add(made.current)
            recorder.cancel()
        }
        findings.watch(recorder)
        for _ in 0..<10 { scheduler.advance(by: subject.settling) }
        if madeAtCancel.current > 0, !subject.traits.contains(.lingers) {
            let late = made.current - madeAtCancel.current
            findings.expect(late <= 100, "S32", "Its source made \(late) values after the cancel.")
        }
    }

    static func cancelTwice(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let count = LiveCount()
        let upstream = trial.signal?.attachKeepingUpstream(onValue: { count.add(1) }, onCompletion: { count.add(1) })
        upstream?.request(.max(1))
        trial.settle()
        let before = count.current
        for _ in 0..<3 { upstream?.cancel() }
        trial.settle()
        upstream?.request(.unlimited)
        trial.send(3)
        trial.finish()
        findings.expect(
            count.current == before, "S29", "It was cancelled, but delivered after another request.")
        findings.expect(trial.probe.liveCount == 0, "S29", "It was cancelled, but its upstream is attached.")
    }

    static func faultySource(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject, .faulty)
        let recorder = findings.watch(trial.attach())
        trial.send(2)
        let cancels = trial.probe.sendSecondUpstream()
        findings.expect(cancels == 1, "S4", "A second upstream was cancelled \(cancels) times, not once.")
        trial.finish()
        let expected = trial.expected
        trial.send(2)
        trial.fail()
        trial.finish()
        findings.expect(
            subject.traits.contains(.dropsValues) || recorder.values == expected, "S9",
            "It delivered values that were sent after the end: \(recorder.values).")
        let greedy = Trial(subject, .faulty)
        let modest = findings.watch(greedy.attach(demand: .max(2)))
        greedy.send(8)
        modest.cancel()
        greedy.send(2)
        greedy.finish()
    }

    /// The sink sends the next value into the source from inside a delivery, and finally the end.
    static func sendInside(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject, .faulty)
        let sent = LiveCount()
        let probe = trial.probe
        let recorder = trial.attach { _, event in
            guard event.isValue, sent.current < 10, probe.attachCount > 0 else { return }
            sent.add(1)
            probe.send(LawValue(sent.current))
            if sent.current == 10 { probe.finish() }
        }
        findings.watch(recorder)
        while sent.current < 10 {
            sent.add(1)
            probe.send(LawValue(sent.current))
            trial.settle()
        }
        probe.finish()
        for _ in 0..<10 { trial.settle() }
        let isRight = subject.accepts(recorder.values, 10, .finished) || subject.traits.contains(.isTimed)
        findings.expect(
            recorder.isEnded && isRight, "S26", "With sends inside deliveries, it delivered \(recorder.values).")
    }
}

extension Signal where Value == Int {
    /// The numbers as `LawValue`s.
    var numbered: Signal<LawValue, Failure> { map { LawValue($0) } }
}
