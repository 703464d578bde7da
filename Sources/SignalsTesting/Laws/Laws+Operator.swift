public import Signals

extension Laws {
    /// Checks an operator against the contract: scripts, random schedules, and random schedules from four threads.
    ///
    /// ```swift
    /// let breaches = Laws.verifyOperator(
    ///     expecting: { $0.isFinished ? [$0.values.count] : [] }, traits: .changesDemand
    /// ) {
    ///     upstream, _ in upstream.collect().map { $0.count }
    /// }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - model: Everything that the operator delivers to an unlimited sink, when its upstream has delivered this and
    ///     no more.
    ///   - traits: What it does beyond a plain operator.
    ///   - settling: How much virtual time passes between steps, so that a time-based operator delivers.
    ///   - seeds: The seeds of the random schedules, one for each.
    ///   - make: Builds the operator on an upstream and, if it needs one, a scheduler.
    /// - Returns: the breaches of the contract; empty if there are none.
    public static func verifyOperator<Output: Sendable & Equatable, Failure: Error>(
        expecting model: @escaping @Sendable (LawInput) -> [Output],
        traits: Traits = [], settling: Duration = .zero, seeds: ClosedRange<UInt64> = 1...20,
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>, VirtualScheduler) -> Signal<Output, Failure>
    ) -> [Breach] {
        let subject = OperatorUnderLaw(traits: traits, settling: settling, model: model, make: make)
        let scripted = OperatorLaw<Output, Failure>.all.flatMap { law in
            var findings = Findings()
            law.check(subject, &findings)
            return findings.signed(by: law.name)
        }
        let random = seeds.flatMap { seed in
            var findings = Findings()
            OperatorLaw.random(subject, seed: seed, &findings)
            return findings.signed(by: "random", seed: seed)
        }
        let threads = seeds.flatMap { seed in
            var findings = Findings()
            OperatorLaw.threads(subject, seed: seed, &findings)
            return findings.signed(by: "threads", seed: seed)
        }
        return scripted + random + threads
    }
}
