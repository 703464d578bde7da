public import Signals
public import SignalsTesting

extension Laws {
    /// Checks a bridge from a signal to an asynchronous sequence against clause S41.
    ///
    /// ```swift
    /// let breaches = await Laws.verifyAsync(bound: 8) { $0.values(prefetch: 8) }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - bound: How many values the bridge may run ahead of its loop.
    ///   - make: Builds the sequence.
    /// - Returns: The breaches of the contract, or an empty array.
    public static func verifyAsync<Bridge: AsyncSequence & Sendable & SendableMetatype>(
        bound: Int, _ make: @escaping @Sendable (Signal<LawValue, LawFailure>) -> Bridge
    ) async -> [Breach] where Bridge.Element == LawValue, Bridge.Failure == LawFailure {
        var breaches: [Breach] = []
        for law in AsyncLaw<Bridge>.all { breaches += await self.breaches(of: law, bound: bound, make) }
        return breaches
    }

    /// Checks one law, and that each signal is detached and released in the end.
    static func breaches<Bridge>(
        of law: AsyncLaw<Bridge>, bound: Int, _ make: @escaping @Sendable (Signal<LawValue, LawFailure>) -> Bridge
    ) async -> [Breach] {
        let attached = LiveCount()
        let (found, release) = await findings(of: law, bound: bound, counting: attached, make)
        var findings = found ?? Findings()
        findings.expect(found != nil, "S41", "A loop did not end in time.")
        if found != nil {
            findings.expect(await release.end() != nil, "S34", "Its loops are over, but a signal is retained.")
            findings.expect(attached.current == 0, "S41", "Its loops are over, but a signal is attached.")
        }
        return findings.conclude(law.name)
    }

    /// Checks a law; returns its findings, or nil after a timeout, and a recorder that ends when no signal is retained.
    ///
    /// The recorder may end a moment after the loops, because a bridge may have its own task, which ends later.
    private static func findings<Bridge>(
        of law: AsyncLaw<Bridge>, bound: Int, counting attached: LiveCount,
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>) -> Bridge
    ) async -> (Findings?, release: Recorder<Void, Never>) {
        let history = Lock<[String]>([])
        let held = Broadcast<Void, Never>()
        @Sendable func note(_ event: String, attaching change: Int = 0) {
            attached.add(change)
            withExtendedLifetime(held) { history.withLock { $0 = $0.suffix(19) + [event] } }
        }
        let subject = AsyncLaw<Bridge>.Subject(bound: bound) { signal in
            make(
                signal.handleEvents(
                    onUpstream: { note("attached", attaching: 1) }, onRequest: { note("requested \($0)") },
                    onValue: { note("\($0)") }, onCompletion: { note("\($0)", attaching: -1) },
                    onCancel: { note("cancelled", attaching: -1) }))
        }
        let found = await Patience.result(
            of: "the law '\(law.name)'", history: { history.withLock { "\($0)" } },
            {
                var findings = Findings()
                await law.check(subject, &findings)
                return findings
            })
        return (found, held.signal.record())
    }
}

/// A named law for bridges from signals to asynchronous sequences.
struct AsyncLaw<Bridge: AsyncSequence & Sendable & SendableMetatype>
where Bridge.Element == LawValue, Bridge.Failure == LawFailure {
    struct Subject: Sendable {
        let bound: Int
        let make: @Sendable (Signal<LawValue, LawFailure>) -> Bridge
    }

    let name: String
    let check: @Sendable (Subject, inout Findings) async -> Void

    static var all: [AsyncLaw] {
        [
            AsyncLaw(name: "exactly once", check: exactlyOnce),
            AsyncLaw(name: "bounded", check: bounded),
            AsyncLaw(name: "failure after values", check: failureAfterValues),
            AsyncLaw(name: "break cancels", check: breakCancels),
            AsyncLaw(name: "task cancels", check: taskCancels),
            AsyncLaw(name: "task cancels an endless source", check: taskCancelsEndless),
            AsyncLaw(name: "cancelled before", check: cancelledBefore),
            AsyncLaw(name: "cancel races values", check: cancelRacesValues),
            AsyncLaw(name: "each loop a run", check: eachLoopARun),
        ]
    }

    /// Loops until `body` returns false; returns the failure that ended the loop, if there was one.
    private static func loop(over bridge: Bridge, _ body: (LawValue) -> Bool) async -> LawFailure? {
        do throws(LawFailure) {
            for try await value in bridge {
                if !body(value) { break }
            }
            return nil
        } catch {
            return error
        }
    }

    private static func collect(_ bridge: Bridge) async -> (values: [Int], failure: LawFailure?) {
        var values: [Int] = []
        let failure = await loop(over: bridge) { value in
            values.append(value.number)
            return true
        }
        return (values, failure)
    }

    private static func exactlyOnce(_ subject: Subject, _ findings: inout Findings) async {
        let (values, failure) = await collect(subject.make(Signal<Int, LawFailure>.sequence(1...1_000).numbered))
        findings.expect(values == Array(1...1_000) && failure == nil, "S41", "The loop got \(values), not 1 to 1000.")
        let attached = LiveCount()
        let counted = subject.make(
            Signal<LawValue, LawFailure>.deferred {
                attached.add(1)
                return .create { emitter in
                    let sender = Task {
                        for number in 1...500 { emitter.send(LawValue(number)) }
                        emitter.finish()
                    }
                    return { sender.cancel() }
                }
            })
        let pushed = await collect(counted).values
        findings.expect(pushed == Array(1...500), "S41", "The loop got \(pushed.count) of 500 pushed values.")
        findings.expect(attached.current == 1, "S41", "One loop attached the signal \(attached.current) times.")
    }

    private static func bounded(_ subject: Subject, _ findings: inout Findings) async {
        let made = LiveCount()
        let numbers = Signal<LawValue, LawFailure>.unfold(0) { number in
            number += 1
            made.add(1)
            return LawValue(number)
        }
        var most = 0
        _ = await loop(over: subject.make(numbers)) { value in
            most = max(most, made.current - value.number)
            return value.number < 50
        }
        findings.expect(most <= subject.bound, "S41", "It was \(most) values ahead of its loop.")
    }

    private static func failureAfterValues(_ subject: Subject, _ findings: inout Findings) async {
        let failing = Signal<Int, LawFailure>.sequence(1...3).numbered.append(.fail(LawFailure(7)))
        var values: [LawValue] = []
        var iterator = subject.make(failing).makeAsyncIterator()
        do throws(LawFailure) {
            while let value = try await iterator.next(isolation: nil) { values.append(value) }
            findings.expect(false, "S41", "The signal failed, but the loop ended without an error.")
        } catch {
            findings.expect(error == LawFailure(7) && values == [1, 2, 3], "S41", "\(error) followed \(values).")
        }
        do throws(LawFailure) {
            let next = try await iterator.next(isolation: nil)
            findings.expect(next == nil, "S41", "The failure was followed by a value.")
        } catch {
            findings.expect(false, "S41", "The failure was thrown twice.")
        }
    }

    private static func breakCancels(_ subject: Subject, _ findings: inout Findings) async {
        let failure = await loop(over: subject.make(.just(1).append(.never()))) { _ in false }
        findings.expect(failure == nil, "S41", "The loop failed with \(failure as Any).")
    }

    private static func taskCancels(_ subject: Subject, _ findings: inout Findings) async {
        let probe = Probe<LawValue, LawFailure>()
        let hasBegun = Broadcast<Void, Never>()
        let begun = hasBegun.signal.record()
        let bridge = subject.make(probe.rawSignal.handleEvents(onRequest: { _ in hasBegun.send() }))
        let task = Task { await collect(bridge) }
        _ = await begun.values(1)
        probe.send(1)
        task.cancel()
        let (values, failure) = await task.value
        findings.expect(values.count <= 1 && failure == nil, "S41", "After a cancel the loop got \(values).")
    }

    /// A source that always has the next value available never makes the loop wait.
    private static func taskCancelsEndless(_ subject: Subject, _ findings: inout Findings) async {
        let numbers = Signal<LawValue, LawFailure>.unfold(0) { number in
            number += 1
            return LawValue(number)
        }
        let bridge = subject.make(numbers)
        let task = Task {
            var taken = 0
            _ = await loop(over: bridge) { _ in
                taken += 1
                if taken == 10 { withUnsafeCurrentTask { $0?.cancel() } }
                return taken < 1_000
            }
            return taken
        }
        let taken = await task.value
        findings.expect(
            taken <= 10 + subject.bound, "S41", "Its task was cancelled at value 10, but the loop got \(taken).")
    }

    private static func cancelledBefore(_ subject: Subject, _ findings: inout Findings) async {
        let bridge = subject.make(.never())
        let gate = Broadcast<Void, Never>()
        let task = Task {
            _ = await gate.signal.record().values(1)
            return await collect(bridge)
        }
        task.cancel()
        let (values, _) = await task.value
        findings.expect(values.isEmpty, "S41", "Its task was cancelled before the loop, but it got \(values).")
    }

    private static func cancelRacesValues(_ subject: Subject, _ findings: inout Findings) async {
        // Only 96 rounds, because each step waits for its turn among the other tasks of the program, which may be slow.
        for round in 0..<96 where findings.breaches.isEmpty {
            let broadcast = Broadcast<LawValue, LawFailure>(bufferSize: .max)
            let probe = Probe<LawValue, LawFailure>()
            let bridge = subject.make(broadcast.signal.merge(with: probe.rawSignal))
            let task = Task { await collect(bridge) }
            let sender = Task {
                for number in 0...11 {
                    if number == round % 12 { task.cancel() }
                    broadcast.send(LawValue(number))
                    await Task.yield()
                }
                probe.fail(LawFailure())
            }
            _ = await sender.value
            let (values, _) = await task.value
            findings.expect(values == values.sorted(), "S41", "The values are out of order: \(values).")
            findings.expect(Set(values).count == values.count, "S41", "A value came twice: \(values).")
        }
    }

    private static func eachLoopARun(_ subject: Subject, _ findings: inout Findings) async {
        let bridge = subject.make(Signal<Int, LawFailure>.sequence(1...5).numbered)
        let first = await collect(bridge).values
        let second = await collect(bridge).values
        findings.expect(first == second && first.count == 5, "S2", "Two loops got \(first) and \(second).")
    }
}
