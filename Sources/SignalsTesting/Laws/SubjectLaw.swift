public import Signals

/// A hot source as the laws see it: where values go in, and the signal that delivers them.
public struct LawSubject: Sendable {
    let send: @Sendable (LawValue) -> Void
    let end: @Sendable (Completion<LawFailure>) -> Void
    let signal: Signal<LawValue, LawFailure>

    /// Creates a subject from its parts.
    public init(
        signal: Signal<LawValue, LawFailure>, send: @escaping @Sendable (LawValue) -> Void,
        end: @escaping @Sendable (Completion<LawFailure>) -> Void
    ) {
        self.signal = signal
        self.send = send
        self.end = end
    }
}

/// One law for hot sources, with its name.
struct SubjectLaw {
    struct Subject: Sendable {
        let replays: Int
        let make: @Sendable () -> LawSubject
    }

    let name: String
    let check: (Subject, inout Findings) -> Void

    static var all: [SubjectLaw] {
        [
            SubjectLaw(name: "every value to every sink", check: everyValue),
            SubjectLaw(name: "attach order", check: attachOrder),
            SubjectLaw(name: "send inside", check: sendInside),
            SubjectLaw(name: "attach and cancel inside", check: attachAndCancelInside),
            SubjectLaw(name: "late sink", check: lateSink),
            SubjectLaw(name: "demand", check: demand),
            SubjectLaw(name: "nothing after the end", check: nothingAfterTheEnd),
            SubjectLaw(name: "threads", check: threads),
            SubjectLaw(name: "replay and live", check: replayAndLive),
            SubjectLaw(name: "cancel while sending", check: cancelWhileSending),
            SubjectLaw(name: "releases", check: releases),
            SubjectLaw(name: "one of six leaves", check: oneOfSixLeaves),
            SubjectLaw(name: "no lock", check: noLock),
            SubjectLaw(name: "beside a flood", check: besideAFlood),
        ]
    }
}

extension SubjectLaw {
    /// The values that were sent, without those that a subject with replay began with.
    static func sent(_ recorder: Recorder<LawValue, LawFailure>) -> [Int] {
        recorder.values.map(\.number).filter { $0 > 0 }
    }

    private static func everyValue(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let recorders = (0..<3).map { _ in source.signal.record() }
        for number in 1...5 { source.send(LawValue(number)) }
        source.end(.finished)
        for recorder in recorders {
            findings.expect(sent(recorder) == [1, 2, 3, 4, 5], "S8", "Sent 1 to 5, it delivered \(recorder.values).")
            findings.expect(recorder.isFinished, "S10", "It did not finish.")
            findings.add(recorder.breaches)
        }
    }

    private static func attachOrder(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let order = Lock<[Int]>([])
        let recorders = (0..<20).map { place in
            source.signal.record { _, event in
                if case .value(let value) = event, value.number > 0 { order.withLock { $0.append(place) } }
            }
        }
        for place in [3, 4, 17] { recorders[place].cancel() }
        source.send(1)
        let served = order.withLock { $0 }
        findings.expect(
            served == (0..<20).filter { ![3, 4, 17].contains($0) }, "S40", "Sinks were served in the order \(served).")
        for recorder in recorders { recorder.cancel() }
    }

    private static func sendInside(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let first = source.signal.record { _, event in
            guard case .value(let value) = event, (1..<4).contains(value.number) else { return }
            source.send(LawValue(value.number + 1))
            if value.number == 3 { source.end(.finished) }
        }
        let second = source.signal.record()
        source.send(1)
        for recorder in [first, second] {
            findings.expect(sent(recorder) == [1, 2, 3, 4], "S26", "Sent from inside: \(recorder.values).")
            findings.expect(recorder.isFinished, "S27", "Finished from inside, it did not finish.")
            findings.add(recorder.breaches)
        }
    }

    private static func attachAndCancelInside(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let late = Recorder<LawValue, LawFailure>()
        let gone = Recorder<LawValue, LawFailure>()
        let first = source.signal.record { _, event in
            guard case .value(1) = event else { return }
            source.signal.attach(late.sink)
            gone.cancel()
        }
        source.signal.attach(gone.sink)
        source.send(1)
        source.send(2)
        findings.expect(sent(gone).isEmpty, "S30", "Cancelled before its turn, a sink got \(gone.values).")
        let expected = subject.replays > 0 ? [1, 2] : [2]
        findings.expect(sent(late) == expected, "S40", "Attached inside value 1, a sink got \(late.values).")
        for recorder in [first, late, gone] {
            findings.add(recorder.breaches)
            recorder.cancel()
        }
    }

    private static func lateSink(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let witness = source.signal.record()
        for number in 1...4 { source.send(LawValue(number)) }
        let late = source.signal.record()
        source.send(5)
        let expected = Array((1...5).suffix(subject.replays + 1))
        findings.expect(sent(late) == expected, "S39", "It remembers \(subject.replays), and delivered \(late.values).")
        source.end(.failure(LawFailure(1)))
        let tooLate = source.signal.record()
        findings.expect(tooLate.isFailed, "S10", "A sink that came after the end did not get it.")
        for recorder in [witness, late, tooLate] { findings.add(recorder.breaches) }
    }

    private static func demand(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let modest = source.signal.record(demand: .none)
        let eager = source.signal.record()
        for number in 1...10 {
            source.send(LawValue(number))
            if number.isMultiple(of: 3) { modest.request(.max(1)) }
        }
        findings.expect(sent(eager) == Array(1...10), "S14", "A slow sink held up another: \(eager.values).")
        findings.expect(sent(modest) == sent(modest).sorted(), "S8", "Out of order: \(modest.values).")
        source.end(.finished)
        modest.request(.unlimited)
        findings.expect(modest.isFinished, "S11", "It did not finish after it had been asked for everything.")
        for recorder in [modest, eager] { findings.add(recorder.breaches) }
    }

    private static func nothingAfterTheEnd(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let recorder = source.signal.record()
        source.send(1)
        source.end(.failure(LawFailure()))
        source.send(2)
        source.end(.finished)
        source.end(.failure(LawFailure(1)))
        findings.expect(sent(recorder) == [1], "S9", "Sent after its end: \(recorder.values).")
        findings.expect(recorder.completion == .failure(LawFailure()), "S10", "The first end did not win.")
        findings.add(recorder.breaches)
    }
}
