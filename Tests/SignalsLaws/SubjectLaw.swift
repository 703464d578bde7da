public import Signals
public import SignalsTesting

extension Laws {
    /// Checks a hot source, which several sinks share, against the contract.
    ///
    /// ```swift
    /// let breaches = Laws.verifySubject(replays: 0) {
    ///     let broadcast = Broadcast<LawValue, LawFailure>()
    ///     return LawSubject(
    ///         signal: broadcast.signal, send: { broadcast.send($0) }, end: { broadcast.send(completion: $0) })
    /// }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many of the last values the source replays to a new sink; its initial values must be 0 or less.
    ///   - make: Creates a new source.
    /// - Returns: The breaches of the contract, or an empty array.
    public static func verifySubject(replays count: Int, _ make: @escaping @Sendable () -> LawSubject) -> [Breach] {
        breaches(of: SubjectLaw.all, by: SubjectLaw.Subject(replays: count, make: make))
    }
}

/// A hot source under test: the functions that send to it, and the signal that delivers its values.
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

/// The laws for hot sources.
enum SubjectLaw {
    struct Subject: Sendable {
        let replays: Int
        let make: @Sendable () -> LawSubject
    }

    static var all: [Law<Subject>] {
        [
            Law("every value to every sink", everyValue),
            Law("attach order", attachOrder),
            Law("send inside", sendInside),
            Law("attach and cancel inside", attachAndCancelInside),
            Law("late sink", lateSink),
            Law("demand", demand),
            Law("nothing after the end", nothingAfterTheEnd),
            Law("threads", threads),
            Law("replay and live", replayAndLive),
            Law("cancel while sending", cancelWhileSending),
            Law("releases", releases),
            Law("one of six leaves") { hot($0).oneOfSixLeaves(&$1) },
            Law("no lock") { hot($0).noLock(&$1) },
            Law("beside a flood") { hot($0).besideAFlood(&$1) },
        ]
    }

    private static func hot(_ subject: Subject) -> HotLaw {
        let source = subject.make()
        return HotLaw(signal: source.signal, replays: subject.replays, send: source.send)
    }

    /// Returns the numbers that a recorder received, without the initial values, which are 0 or less.
    static func sent(_ recorder: Recorder<LawValue, LawFailure>) -> [Int] {
        recorder.values.map(\.number).filter { $0 > 0 }
    }

    private static func everyValue(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let recorders = (0..<3).map { _ in findings.watch(source.signal.record()) }
        for number in 1...5 { source.send(LawValue(number)) }
        source.end(.finished)
        for recorder in recorders {
            findings.expect(sent(recorder) == [1, 2, 3, 4, 5], "S8", "It delivered \(recorder.values), not 1 to 5.")
            findings.expect(recorder.isFinished, "S10", "It did not finish.")
        }
    }

    private static func attachOrder(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let order = Lock<[Int]>([])
        let recorders = (0..<20).map { index in
            source.signal.record { _, event in
                if case .value(let value) = event, value.number > 0 { order.withLock { $0.append(index) } }
            }
        }
        for recorder in recorders { findings.watch(recorder) }
        for index in [3, 4, 17] { recorders[index].cancel() }
        source.send(1)
        let served = order.withLock { $0 }
        findings.expect(
            served == (0..<20).filter { ![3, 4, 17].contains($0) }, "S40", "Sinks were served in the order \(served).")
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
            findings.watch(recorder)
            findings.expect(sent(recorder) == [1, 2, 3, 4], "S26", "Sent inside, it delivered \(recorder.values).")
            findings.expect(recorder.isFinished, "S27", "It did not finish from inside a delivery.")
        }
    }

    private static func attachAndCancelInside(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let late = Recorder<LawValue, LawFailure>()
        let gone = Recorder<LawValue, LawFailure>()
        let first = source.signal.record { _, event in
            guard case .value(1) = event else { return }
            source.signal.run(into: late.sink)
            gone.cancel()
        }
        for recorder in [first, late, gone] { findings.watch(recorder) }
        source.signal.run(into: gone.sink)
        source.send(1)
        source.send(2)
        findings.expect(sent(gone).isEmpty, "S30", "Cancelled before its turn, a sink got \(gone.values).")
        let expected = subject.replays > 0 ? [1, 2] : [2]
        findings.expect(sent(late) == expected, "S40", "Attached inside value 1, a sink got \(late.values).")
    }

    private static func lateSink(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        findings.watch(source.signal.record())
        for number in 1...4 { source.send(LawValue(number)) }
        let late = findings.watch(source.signal.record())
        source.send(5)
        let expected = Array((1...5).suffix(subject.replays + 1))
        findings.expect(sent(late) == expected, "S39", "It replays \(subject.replays), but delivered \(late.values).")
        source.end(.failure(LawFailure(1)))
        let tooLate = findings.watch(source.signal.record())
        findings.expect(tooLate.isFailed, "S10", "A sink that attached after the end did not get it.")
    }

    private static func demand(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let modest = findings.watch(source.signal.record(demand: .none))
        let eager = findings.watch(source.signal.record())
        for number in 1...10 {
            source.send(LawValue(number))
            if number.isMultiple(of: 3) { modest.request(.max(1)) }
        }
        findings.expect(sent(eager) == Array(1...10), "S14", "A slow sink held up another: \(eager.values).")
        findings.expect(sent(modest) == sent(modest).sorted(), "S8", "The values are out of order: \(modest.values).")
        source.end(.finished)
        modest.request(.unlimited)
        findings.expect(modest.isFinished, "S11", "It did not finish, although everything was requested.")
    }

    private static func nothingAfterTheEnd(_ subject: Subject, _ findings: inout Findings) {
        let source = subject.make()
        let recorder = findings.watch(source.signal.record())
        source.send(1)
        source.end(.failure(LawFailure()))
        source.send(2)
        source.end(.finished)
        source.end(.failure(LawFailure(1)))
        findings.expect(sent(recorder) == [1], "S9", "With sends after its end, it delivered \(recorder.values).")
        findings.expect(recorder.completion == .failure(LawFailure()), "S10", "The first end did not win.")
    }

    /// Four threads send; every sink gets all values in the same order, which preserves the order of each thread.
    static func threads(_ subject: Subject, _ findings: inout Findings) {
        for _ in 0..<10 where findings.breaches.isEmpty {
            let source = subject.make()
            let recorders = (0..<3).map { _ in findings.watch(source.signal.record()) }
            findings.run(4) { thread in
                for number in 1...200 { source.send(LawValue(thread * 1_000 + number)) }
            }
            let order = sent(recorders[0])
            findings.expect(order.count == 800, "S7", "It delivered \(order.count) of 800 values from four threads.")
            for recorder in recorders {
                findings.expect(sent(recorder) == order, "S40", "Two sinks got the values in different orders.")
            }
            for thread in 0..<4 {
                let own = order.filter { $0 / 1_000 == thread }
                findings.expect(own == own.sorted(), "S8", "The values of one thread changed their order.")
            }
        }
    }

    /// One thread sends, another attaches: the values of a sink have no gaps and no duplicates.
    static func replayAndLive(_ subject: Subject, _ findings: inout Findings) {
        for _ in 0..<20 where findings.breaches.isEmpty {
            let source = subject.make()
            let recorders = Lock<[Recorder<LawValue, LawFailure>]>([])
            let sent = LiveCount()
            let attached = LiveCount()
            findings.run(2) { thread in
                // Both threads continue until there are enough sends and enough attaches, within bounds.
                while thread == 0 && sent.current < 1_000 && (attached.current < 10 || sent.current < 50) {
                    sent.add(1)
                    source.send(LawValue(sent.current))
                }
                while thread == 1 && attached.current < 50 && (attached.current < 10 || sent.current < 50) {
                    let recorder = source.signal.record()
                    recorders.withLock { $0.append(recorder) }
                    attached.add(1)
                }
            }
            let last = sent.current + 1
            source.send(LawValue(last))
            for recorder in recorders.withLock({ $0 }).map({ findings.watch($0) }) {
                // A value that another thread sent alongside an attach may arrive a moment later.
                _ = recorder.waits(for: "the last value") { $0.endsWithValue { $0.number == last } }
                let numbers = Self.sent(recorder)
                findings.expect(
                    numbers == Array((numbers.first ?? last)...last), "S39", "There is a gap or a double in \(numbers)."
                )
            }
        }
    }

    static func cancelWhileSending(_ subject: Subject, _ findings: inout Findings) {
        for round in 0..<100 where findings.breaches.isEmpty {
            let source = subject.make()
            // The cancel comes from a third thread, from inside a delivery, or not at all.
            let recorder = findings.watch(source.signal.record(cancelAt: round % 4 == 1 ? round % 20 : nil))
            findings.run(3) { thread in
                if thread == 0 && round % 4 > 1 { recorder.cancel() }
                for number in 1...20 where thread > 0 { source.send(LawValue(number)) }
                if thread == 1 { source.end(.finished) }
            }
        }
    }

    static func releases(_ subject: Subject, _ findings: inout Findings) {
        for end in ["cancel", "finish", "failure"] {
            let source = subject.make()
            let count = LiveCount()
            weak var sink: Recorder<LawValue, LawFailure>?
            do {
                let recorder = source.signal.record()
                sink = recorder
                source.send(LawValue(1, countedBy: count))
                source.send(2)
                switch end {
                case "cancel": recorder.cancel()
                case "finish": source.end(.finished)
                default: source.end(.failure(LawFailure()))
                }
            }
            findings.expect(sink == nil, "S34", "After \(end) it retains its sink.")
            if subject.replays < 2 {
                findings.expect(count.current == 0, "S34", "After \(end) it retains a replaced value.")
            }
        }
    }
}
