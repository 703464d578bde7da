public import Signals
public import SignalsTesting

extension Laws {
    /// Checks an operator that shares one upstream among its sinks against the clauses about sharing.
    ///
    /// ```swift
    /// print(Laws.verifyMulticast(replays: 0) { $0.share() })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many of the last values the operator replays to a late sink.
    ///   - make: Builds the operator on an upstream.
    /// - Returns: The breaches of the contract, or an empty array.
    public static func verifyMulticast(
        replays count: Int,
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>) -> Signal<LawValue, LawFailure>
    ) -> [Breach] {
        breaches(of: MulticastLaw.all, by: MulticastLaw.Subject(replays: count, make: make))
    }
}

/// The laws for operators that share one upstream among their sinks.
enum MulticastLaw {
    typealias Shared = Signal<LawValue, LawFailure>

    struct Subject: Sendable {
        let replays: Int
        let make: @Sendable (Shared) -> Shared
    }

    static var all: [Law<Subject>] {
        [
            Law("one upstream", oneUpstream),
            Law("disconnects once", disconnectsOnce),
            Law("begins again", beginsAgain),
            Law("connects once", connectsOnce),
            Law("balance", balance),
            Law("late sink", lateSink),
            Law("reconnection", reconnection),
            Law("one of six leaves") { hot($0).oneOfSixLeaves(&$1) },
            Law("no lock") { hot($0).noLock(&$1) },
            Law("beside a flood") { hot($0).besideAFlood(&$1) },
        ]
    }

    private static func hot(_ subject: Subject) -> HotLaw {
        let source = Broadcast<LawValue, LawFailure>()
        return HotLaw(signal: subject.make(source.signal), replays: subject.replays, send: { source.send($0) })
    }

    private static func oneUpstream(_ subject: Subject, _ findings: inout Findings) {
        let probe = Probe<LawValue, LawFailure>()
        let shared = subject.make(probe.rawSignal)
        findings.expect(probe.attachCount == 0, "S2", "Building it attached its upstream.")
        let recorders = (0..<3).map { _ in findings.watch(shared.record()) }
        findings.expect(probe.attachCount == 1, "S38", "Three sinks attached its upstream \(probe.attachCount) times.")
        for number in 1...3 { probe.send(LawValue(number)) }
        probe.finish()
        for recorder in recorders {
            findings.expect(
                recorder.values == [1, 2, 3] && recorder.isFinished, "S38", "It delivered \(recorder.values).")
        }
    }

    private static func disconnectsOnce(_ subject: Subject, _ findings: inout Findings) {
        let probe = Probe<LawValue, LawFailure>()
        let shared = subject.make(probe.rawSignal)
        let first = shared.attachKeepingUpstream(demand: .unlimited)
        let second = findings.watch(shared.record())
        for _ in 0..<3 { first?.cancel() }
        findings.expect(probe.liveCount == 1, "S38", "One sink cancelled three times, and the other lost its upstream.")
        probe.send(1)
        findings.expect(second.values == [1], "S38", "The sink that stayed got \(second.values).")
        second.cancel()
        findings.expect(probe.liveCount == 0, "S38", "The last sink has left, but its upstream is attached.")
        let cancels = probe.history.count { $0 == .cancelled }
        findings.expect(cancels == 1, "S38", "It cancelled its upstream \(cancels) times.")
    }

    private static func beginsAgain(_ subject: Subject, _ findings: inout Findings) {
        let probe = Probe<LawValue, LawFailure>()
        let shared = subject.make(probe.rawSignal)
        let first = findings.watch(shared.record())
        probe.send(1)
        probe.fail(LawFailure())
        let second = findings.watch(shared.record())
        findings.expect(probe.attachCount == 2, "S38", "After its end, a new sink did not attach its upstream.")
        probe.send(2)
        second.cancel()
        let third = findings.watch(shared.record())
        probe.send(3)
        findings.expect(first.isFailed && second.values == [2] && third.values == [3], "S38", "The runs are mixed up.")
    }

    /// Four threads attach at once, with no sink attached before.
    private static func connectsOnce(_ subject: Subject, _ findings: inout Findings) {
        for _ in 0..<100 where findings.breaches.isEmpty {
            let probe = Probe<LawValue, LawFailure>()
            let shared = subject.make(probe.rawSignal)
            let recorders = (0..<4).map { _ in Recorder<LawValue, LawFailure>() }
            findings.run(4) { shared.run(into: recorders[$0].sink) }
            findings.expect(probe.attachCount == 1, "S38", "Four threads attached it \(probe.attachCount) times.")
            findings.run(4) { recorders[$0].cancel() }
            findings.expect(probe.liveCount == 0, "S38", "All have left, but its upstream is attached.")
        }
    }

    /// Four threads attach and detach sinks; once all sinks have detached, every upstream is cancelled.
    private static func balance(_ subject: Subject, _ findings: inout Findings) {
        for round in 0..<20 where findings.breaches.isEmpty {
            let probe = Probe<LawValue, LawFailure>()
            let shared = subject.make(probe.rawSignal)
            findings.run(4) { thread in
                for turn in 0..<25 {
                    let recorder = shared.record(cancelAt: (turn + thread + round).isMultiple(of: 5) ? 0 : nil)
                    recorder.cancel()
                }
            }
            findings.expect(
                probe.liveCount == 0, "S38", "All have left, but \(probe.liveCount) upstreams are attached.")
            let last = shared.record()
            findings.expect(probe.liveCount == 1, "S38", "For one sink, \(probe.liveCount) upstreams are attached.")
            last.cancel()
        }
    }

    private static func lateSink(_ subject: Subject, _ findings: inout Findings) {
        let probe = Probe<LawValue, LawFailure>()
        let shared = subject.make(probe.rawSignal)
        findings.watch(shared.record())
        for number in 1...5 { probe.send(LawValue(number)) }
        let late = findings.watch(shared.record())
        probe.send(6)
        let expected = (1...6).suffix(subject.replays + 1).map { LawValue($0) }
        findings.expect(late.values == expected, "S39", "It replays \(subject.replays), but delivered \(late.values).")
    }

    /// Nothing that belongs to a finished run affects the next one.
    private static func reconnection(_ subject: Subject, _ findings: inout Findings) {
        for isFailing in [false, true] {
            let probe = Probe<LawValue, LawFailure>()
            let shared = subject.make(probe.rawSignal)
            let kept = (0..<2).map { _ in shared.attachKeepingUpstream(demand: .unlimited) }
            if isFailing { probe.fail(LawFailure()) } else { probe.finish() }
            let next = findings.watch(shared.record())
            findings.expect(probe.attachCount == 2, "S38", "After its end, a new sink did not attach its upstream.")
            for upstream in kept + kept { upstream?.cancel() }
            findings.expect(probe.liveCount == 1, "S38", "Sinks of a finished run cancelled the next one.")
            probe.send(1)
            findings.expect(next.values == [1], "S38", "After reconnecting, it delivered \(next.values).")
            next.cancel()
            findings.expect(probe.liveCount == 0, "S38", "The last sink has left, but its upstream is attached.")
        }
    }
}
