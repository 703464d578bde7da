public import Signals
public import SignalsTesting

extension Laws {
    /// Checks a source, a signal that begins a chain, against the contract.
    ///
    /// ```swift
    /// print(Laws.verifySource(expecting: [1, 2, 3]) { _ in Signal<Int, Never>.sequence(1...3) })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - values: All values that one run delivers.
    ///   - ending: How the run ends after these values.
    ///   - endsWhenAsked: Whether the source ends only when one more value is requested.
    ///   - settling: How much virtual time passes between the steps of a check.
    ///   - make: Builds the source, on the given scheduler if the source needs one.
    /// - Returns: The breaches of the contract, or an empty array.
    public static func verifySource<Output: Sendable & Equatable, Failure: Error>(
        expecting values: [Output], ending: LawInput.Ending = .finished, endsWhenAsked: Bool = false,
        settling: Duration = .zero,
        _ make: @escaping @Sendable (VirtualScheduler) -> Signal<Output, Failure>
    ) -> [Breach] {
        let subject = SourceLaw<Output, Failure>.Subject(
            expected: values, ending: ending, endsWhenAsked: endsWhenAsked, settling: settling, make: make)
        return breaches(of: SourceLaw<Output, Failure>.all, by: subject)
    }
}

/// The laws for sources.
enum SourceLaw<Output: Sendable & Equatable, Failure: Error> {
    /// A source under test, and all that one of its runs must deliver.
    struct Subject: Sendable {
        let expected: [Output]
        let ending: LawInput.Ending
        let endsWhenAsked: Bool
        let settling: Duration
        let make: @Sendable (VirtualScheduler) -> Signal<Output, Failure>
    }

    static var all: [Law<Subject>] {
        [
            Law("nothing before demand", nothingBeforeDemand),
            Law("whole", whole),
            Law("cold", cold),
            Law("one at a time", oneAtATime),
            Law("end without demand", endWithoutDemand),
            Law("request inside", requestInside),
            Law("requests add up", requestsAddUp),
            Law("cancel inside", cancelInside),
            Law("cancel at the upstream", cancelAtTheUpstream),
            Law("cancel twice", cancelTwice),
            Law("releases", releases),
            Law("threads", threads),
        ]
    }

    /// Advances time until the run has ended, or until all expected values are due.
    private static func settle(
        _ scheduler: VirtualScheduler, _ subject: Subject, _ recorder: Recorder<Output, Failure>
    ) {
        for _ in 0...subject.expected.count + 1 where !recorder.isEnded { scheduler.advance(by: subject.settling) }
    }

    private static func run(
        _ subject: Subject, _ findings: inout Findings, _ recorder: Recorder<Output, Failure> = Recorder()
    ) -> (recorder: Recorder<Output, Failure>, scheduler: VirtualScheduler) {
        let scheduler = VirtualScheduler()
        subject.make(scheduler).run(into: findings.watch(recorder).sink)
        settle(scheduler, subject, recorder)
        return (recorder, scheduler)
    }

    private static func compare(
        _ recorder: Recorder<Output, Failure>, _ subject: Subject, _ clause: String, _ findings: inout Findings
    ) {
        findings.expect(
            recorder.values == subject.expected, clause,
            "It delivered \(recorder.values) instead of \(subject.expected).")
        let isRight =
            switch subject.ending {
            case .open: !recorder.isEnded
            case .finished: recorder.isFinished
            case .failed: recorder.isFailed
            }
        findings.expect(isRight, "S10", "It ended with \(recorder.completion as Any).")
    }

    private static func nothingBeforeDemand(_ subject: Subject, _ findings: inout Findings) {
        let (recorder, _) = run(subject, &findings, Recorder(demand: .none))
        findings.expect(recorder.values.isEmpty, "S3", "It delivered \(recorder.values) before demand.")
        if case .upstream = recorder.history.first {} else { findings.expect(false, "S1", "No upstream came first.") }
        findings.expect(!recorder.isEnded || subject.expected.isEmpty, "S10", "It ended without delivering its values.")
    }

    private static func whole(_ subject: Subject, _ findings: inout Findings) {
        compare(run(subject, &findings).recorder, subject, "S8", &findings)
    }

    private static func cold(_ subject: Subject, _ findings: inout Findings) {
        let scheduler = VirtualScheduler()
        let signal = subject.make(scheduler)
        let first = findings.watch(signal.record(demand: .max(1)))
        let second = findings.watch(signal.record())
        settle(scheduler, subject, second)
        compare(second, subject, "S2", &findings)
        first.request(.unlimited)
        settle(scheduler, subject, first)
        compare(first, subject, "S2", &findings)
    }

    private static func oneAtATime(_ subject: Subject, _ findings: inout Findings) {
        let (recorder, scheduler) = run(subject, &findings, Recorder(demand: .none))
        for count in 1...subject.expected.count + 2 where !recorder.isEnded {
            recorder.request(.max(1))
            scheduler.advance(by: subject.settling)
            settle(scheduler, subject, recorder)
            let got = recorder.values.count
            findings.expect(
                got == min(count, subject.expected.count), "S14", "With demand for \(count), it delivered \(got).")
        }
        compare(recorder, subject, "S14", &findings)
    }

    /// A source that has delivered its last value, or has no values, ends without another request.
    private static func endWithoutDemand(_ subject: Subject, _ findings: inout Findings) {
        if subject.endsWhenAsked || subject.ending == .open { return }
        let exact = run(subject, &findings, Recorder(demand: .max(subject.expected.count))).recorder
        findings.expect(
            exact.isEnded, "S11", "After all \(subject.expected.count) values, it needs another request to end.")
    }

    private static func requestInside(_ subject: Subject, _ findings: inout Findings) {
        let requesting = Recorder<Output, Failure>(demand: .max(1)) { recorder, event in
            if event.isValue { recorder.request(.max(1)) }
        }
        for asking in [requesting, Recorder(demand: .max(1), perValue: .max(1))] {
            compare(run(subject, &findings, asking).recorder, subject, "S24", &findings)
        }
    }

    private static func requestsAddUp(_ subject: Subject, _ findings: inout Findings) {
        let (recorder, scheduler) = run(subject, &findings, Recorder(demand: .none))
        recorder.request(.none)
        settle(scheduler, subject, recorder)
        findings.expect(recorder.values.isEmpty, "S16", "After a request for none, it delivered \(recorder.values).")
        for _ in 0..<2 { recorder.request(.max((1 << 40) - 1)) }
        settle(scheduler, subject, recorder)
        compare(recorder, subject, "S15", &findings)
    }

    private static func cancelInside(_ subject: Subject, _ findings: inout Findings) {
        guard !subject.expected.isEmpty else { return }
        for number in 1...subject.expected.count {
            let (recorder, scheduler) = run(subject, &findings, Recorder(cancelAt: number))
            recorder.request(.unlimited)
            settle(scheduler, subject, recorder)
            findings.expect(
                recorder.values.count == number, "S27",
                "Cancelled inside value \(number), it delivered \(recorder.values.count).")
            findings.expect(scheduler.pendingCount == 0, "S37", "It was cancelled, but has work scheduled.")
        }
    }

    private static func cancelAtTheUpstream(_ subject: Subject, _ findings: inout Findings) {
        let (recorder, scheduler) = run(subject, &findings, Recorder(cancelAt: 0))
        findings.expect(recorder.history.count == 1, "S5", "It delivered \(recorder.history) after a cancel.")
        findings.expect(scheduler.pendingCount == 0, "S37", "It was cancelled, but has work scheduled.")
    }

    private static func cancelTwice(_ subject: Subject, _ findings: inout Findings) {
        let scheduler = VirtualScheduler()
        let count = LiveCount()
        let upstream = subject.make(scheduler).attachKeepingUpstream(
            onValue: { count.add(1) }, onCompletion: { if !subject.expected.isEmpty { count.add(1) } })
        for _ in 0..<3 { upstream?.cancel() }
        upstream?.request(.unlimited)
        scheduler.advance(by: subject.settling)
        findings.expect(count.current == 0, "S29", "It was cancelled, but delivered after another request.")
    }

    private static func releases(_ subject: Subject, _ findings: inout Findings) {
        for cancelAt in [nil, 0, 1] as [Int?] {
            weak var sink: Recorder<Output, Failure>?
            let scheduler = VirtualScheduler()
            do {
                let recorder = subject.make(scheduler).record(cancelAt: cancelAt)
                sink = recorder
                settle(scheduler, subject, recorder)
                if subject.ending == .open { recorder.cancel() }
            }
            let end = cancelAt == nil ? "its end" : "a cancel"
            findings.expect(sink == nil, "S34", "After \(end) it retains its sink.")
            findings.expect(scheduler.pendingCount == 0, "S37", "After \(end) it has work scheduled.")
        }
    }

    /// Four threads request, and sometimes one of them cancels.
    private static func threads(_ subject: Subject, _ findings: inout Findings) {
        for round in 0..<40 where findings.breaches.isEmpty {
            let scheduler = VirtualScheduler()
            let settling = subject.settling
            let recorder = findings.watch(subject.make(scheduler).record(demand: .none))
            findings.run(4) { index in
                for _ in 0...subject.expected.count {
                    recorder.request(.max(1))
                    scheduler.advance(by: settling)
                }
                if round.isMultiple(of: 4), index == 0 { recorder.cancel() }
            }
            settle(scheduler, subject, recorder)
            if !round.isMultiple(of: 4) {
                let count = subject.expected.count
                if subject.ending == .open {
                    _ = recorder.waits(for: "\(count) values") { $0.delivered >= count }
                } else {
                    _ = recorder.waits(for: "the end")
                }
                compare(recorder, subject, "S7", &findings)
            }
        }
    }
}
