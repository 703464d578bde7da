public import Signals

extension Laws {
    /// Checks an operator with several inputs against the clauses about them: fail fast, bounds, one terminal.
    ///
    /// `verifyOperator` checks the rest.
    ///
    /// ```swift
    /// print(Laws.verifyFanIn(inputs: 3, bound: 16) { Signal.merge($0) })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - inputs: How many inputs there are.
    ///   - bound: How many values of one input it may buffer.
    ///   - make: Builds the operator on its inputs.
    /// - Returns: the breaches of the contract; empty if there are none.
    public static func verifyFanIn<Output: Sendable, Failure: Error>(
        inputs: Int, bound: Int,
        _ make: @escaping @Sendable ([Signal<LawValue, LawFailure>]) -> Signal<Output, Failure>
    ) -> [Breach] {
        let subject = FanInUnderLaw(inputs: inputs, bound: bound, make: make)
        return FanInLaw<Output, Failure>.all.flatMap { law in
            var findings = Findings()
            law.check(subject, &findings)
            return findings.signed(by: law.name)
        }
    }

    /// Checks an operator that follows one signal after another against S18: outstanding demand survives the change.
    ///
    /// ```swift
    /// print(Laws.verifyHandover(at: .finished) { $0.append($1) })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - ending: How the first signal has to end for the second to begin.
    ///   - make: Builds the operator on the two.
    /// - Returns: the breaches of the contract; empty if there are none.
    public static func verifyHandover<Failure: Error>(
        at ending: LawInput.Ending,
        _ make: (Signal<LawValue, LawFailure>, Signal<LawValue, LawFailure>) -> Signal<LawValue, Failure>
    ) -> [Breach] {
        var findings = Findings()
        for asked in [1, 3, 5] {
            let first = Probe<LawValue, LawFailure>()
            let second = Probe<LawValue, LawFailure>()
            let recorder = make(first.rawSignal, second.rawSignal).record(demand: .max(asked))
            first.send(1)
            if ending == .failed { first.fail(LawFailure()) } else { first.finish() }
            findings.expect(
                second.outstanding() == .max(asked - 1), "S18",
                "Of \(asked) values one came, and the next signal was asked for \(second.outstanding()).")
            recorder.request(.max(2))
            findings.expect(
                second.outstanding() == .max(asked + 1), "S18",
                "Two more were requested, and the next signal was asked for \(second.outstanding()).")
            for number in 2...10 { second.send(LawValue(number)) }
            findings.expect(recorder.values.count == asked + 2, "S18", "It delivered \(recorder.values).")
            recorder.cancel()
            findings.expect(second.liveCount == 0, "S6", "A cancel did not reach the second signal.")
            findings.add(recorder.breaches)
        }
        return findings.signed(by: "handover")
    }
}
