public import Signals
public import SignalsTesting

extension Laws {
    /// Checks an operator with several inputs against the clauses about inputs: failing fast, bounded buffers, one end.
    ///
    /// `verifyOperator` checks the other clauses.
    ///
    /// ```swift
    /// print(Laws.verifyFanIn(inputs: 3, bound: 16) { Signal.merge($0) })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - inputs: The number of inputs.
    ///   - bound: How many values of one input the operator may buffer.
    ///   - make: Builds the operator on its inputs.
    /// - Returns: The breaches of the contract, or an empty array.
    public static func verifyFanIn<Output: Sendable, Failure: Error>(
        inputs: Int, bound: Int,
        _ make: @escaping @Sendable ([Signal<LawValue, LawFailure>]) -> Signal<Output, Failure>
    ) -> [Breach] {
        let subject = FanInLaw<Output, Failure>.Subject(inputs: inputs, bound: bound, make: make)
        return breaches(of: FanInLaw<Output, Failure>.all, by: subject)
    }

    /// Checks an operator that follows signals in sequence against clause S18: outstanding demand survives the change.
    ///
    /// ```swift
    /// print(Laws.verifyHandover(at: .finished) { $0.append($1) })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - ending: How the first signal must end for the second to begin.
    ///   - make: Builds the operator on the two signals.
    /// - Returns: The breaches of the contract, or an empty array.
    public static func verifyHandover<Failure: Error>(
        at ending: LawInput.Ending,
        _ make: (Signal<LawValue, LawFailure>, Signal<LawValue, LawFailure>) -> Signal<LawValue, Failure>
    ) -> [Breach] {
        var findings = Findings()
        for asked in [1, 3, 5] {
            let first = Probe<LawValue, LawFailure>()
            let second = Probe<LawValue, LawFailure>()
            let recorder = findings.watch(make(first.rawSignal, second.rawSignal).record(demand: .max(asked)))
            first.send(1)
            if ending == .failed { first.fail(LawFailure()) } else { first.finish() }
            findings.expect(
                second.outstanding() == .max(asked - 1), "S18",
                "One of \(asked) values came, but the next signal has demand for \(second.outstanding()).")
            recorder.request(.max(2))
            findings.expect(
                second.outstanding() == .max(asked + 1), "S18",
                "Two more were requested, but the next signal has demand for \(second.outstanding()).")
            for number in 2...10 { second.send(LawValue(number)) }
            findings.expect(recorder.values.count == asked + 2, "S18", "It delivered \(recorder.values).")
            recorder.cancel()
            findings.expect(second.liveCount == 0, "S6", "A cancel did not reach the second signal.")
        }
        return findings.conclude("handover")
    }
}

/// The laws for operators with several inputs.
enum FanInLaw<Output: Sendable, Failure: Error> {
    /// The operator with several inputs that is under test.
    struct Subject: Sendable {
        let inputs: Int
        let bound: Int
        let make: @Sendable ([Signal<LawValue, LawFailure>]) -> Signal<Output, Failure>
    }

    /// Several probes, and one operator on them.
    struct Trial {
        let probes: [Probe<LawValue, LawFailure>]
        let signal: Signal<Output, Failure>
        let values = LiveCount()

        init(_ subject: Subject, _ conduct: Probe<LawValue, LawFailure>.Conduct = .lawful) {
            probes = (0..<subject.inputs).map { _ in Probe(conduct, upstreamHoldsSink: conduct == .lawful) }
            signal = subject.make(probes.map { conduct == .lawful ? $0.rawSignal : $0.signal })
        }

        func send(_ number: Int, into index: Int) -> Bool { probes[index].send(LawValue(number, countedBy: values)) }

        /// How many inputs are still attached.
        var live: Int { probes.reduce(0) { $0 + $1.liveCount } }
    }

    static var all: [Law<Subject>] {
        [
            Law("fails fast", failsFast),
            Law("finishes with all", finishesWithAll),
            Law("cancels all", cancelsAll),
            Law("bound", bound),
            Law("one terminal", oneTerminal),
            Law("threads", threads),
            Law("releases", releases),
        ]
    }

    private static func failsFast(_ subject: Subject, _ findings: inout Findings) {
        for failing in 0..<subject.inputs {
            for demand in [Demand.none, .max(1), .unlimited] {
                let trial = Trial(subject)
                let recorder = findings.watch(trial.signal.record(demand: demand))
                for index in 0..<subject.inputs { _ = trial.send(1, into: index) }
                trial.probes[failing].fail(LawFailure(failing))
                findings.expect(
                    recorder.isFailed, "S12", "Input \(failing) failed at demand \(demand), but the operator did not.")
                findings.expect(trial.live == 0, "S12", "Input \(failing) failed, but \(trial.live) inputs are live.")
            }
        }
    }

    private static func finishesWithAll(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        let recorder = findings.watch(trial.signal.record())
        for index in 0..<subject.inputs { _ = trial.send(1, into: index) }
        for probe in trial.probes { probe.finish() }
        findings.expect(recorder.isFinished, "S11", "All inputs finished, but the operator did not.")
    }

    private static func cancelsAll(_ subject: Subject, _ findings: inout Findings) {
        for cancelAt in [nil, 0, 1] as [Int?] {
            let trial = Trial(subject)
            let recorder = findings.watch(trial.signal.record(cancelAt: cancelAt))
            for index in 0..<subject.inputs { _ = trial.send(1, into: index) }
            if cancelAt == nil { recorder.cancel() }
            findings.expect(trial.live == 0, "S6", "It was cancelled, but \(trial.live) inputs are live.")
            for index in 0..<subject.inputs { _ = trial.send(2, into: index) }
        }
    }

    private static func bound(_ subject: Subject, _ findings: inout Findings) {
        let trial = Trial(subject)
        // Requests one value, because some operators request from their inputs only once their sink has requested.
        findings.watch(trial.signal.record(demand: .max(1)))
        for index in 0..<subject.inputs {
            let sent = (1...subject.bound + 50).prefix { trial.send($0, into: index) }.count
            let held = trial.values.current
            findings.expect(
                sent <= subject.bound + 1 || held <= subject.bound * (index + 1) + subject.inputs, "S19",
                "Without demand it holds \(held) values.")
        }
    }

    private static func oneTerminal(_ subject: Subject, _ findings: inout Findings) {
        for _ in 0..<200 where findings.breaches.isEmpty {
            let trial = Trial(subject)
            let recorder = findings.watch(trial.signal.record())
            let probes = trial.probes
            findings.run(2) { index in probes[index % probes.count].fail(LawFailure(index)) }
            findings.expect(recorder.isFailed, "S10", "Two inputs failed at once, but the operator did not.")
        }
    }

    private static func threads(_ subject: Subject, _ findings: inout Findings) {
        for seed in 1...20 where findings.breaches.isEmpty {
            let trial = Trial(subject, .faulty)
            let recorder = findings.watch(trial.signal.record(demand: .max(1)))
            // In every second round, the sink's demand stays limited, so the sink is always behind.
            let most = seed.isMultiple(of: 2) ? Demand.max(1) : .unlimited
            findings.run(4) { thread in
                var generator = SeededGenerator(seed: UInt64(seed * 4 + thread))
                for number in 0..<60 {
                    let index = Int.random(in: 0..<subject.inputs, using: &generator)
                    switch Int.random(in: 0..<200, using: &generator) {
                    case ..<140: _ = trial.send(number, into: index)
                    case ..<190: recorder.request(.max(Int.random(in: 0...(most.limit ?? 5), using: &generator)))
                    case ..<194: trial.probes[index].finish()
                    case ..<198: recorder.request(most)
                    default: recorder.cancel()
                    }
                }
            }
            for probe in trial.probes { probe.fail(LawFailure()) }
            recorder.request(.unlimited)
            let hasEnded = recorder.isCancelled || recorder.waits(for: "the end")
            findings.expect(hasEnded, "S10", "It did not end, although its inputs did.")
        }
    }

    private static func releases(_ subject: Subject, _ findings: inout Findings) {
        for end in ["failure", "finish", "cancel"] {
            let trial = Trial(subject)
            weak var sink: Recorder<Output, Failure>?
            do {
                let recorder = trial.signal.record(demand: end == "finish" ? .unlimited : .max(1))
                sink = recorder
                for number in 1...3 {
                    for index in 0..<subject.inputs { _ = trial.send(number, into: index) }
                }
                switch end {
                case "failure": trial.probes[0].fail(LawFailure())
                case "finish": for probe in trial.probes { probe.finish() }
                default: recorder.cancel()
                }
            }
            findings.expect(sink == nil, "S34", "After \(end) it retains its sink.")
            findings.expect(trial.values.current == 0, "S34", "After \(end) it retains \(trial.values.current) values.")
            let held = trial.probes.reduce(0) { $0 + $1.heldUpstreams }
            findings.expect(held == 0, "S34", "After \(end) it retains \(held) upstreams.")
        }
    }
}
