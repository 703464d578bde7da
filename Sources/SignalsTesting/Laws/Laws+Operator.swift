public import Signals

extension Laws {
    /// Puts an operator through the contract: scripts, random schedules, and random schedules from four threads.
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
    ///   - model: What the operator delivers in all, to a sink without limit, when its upstream has delivered this and
    ///     no more.
    ///   - traits: What it does beyond a plain operator.
    ///   - settling: How much virtual time passes between steps, so that an operator with a clock delivers.
    ///   - seeds: One random schedule for each.
    ///   - make: Builds the operator on an upstream and, if it needs one, a scheduler.
    /// - Returns: where the contract was broken; nothing when it was kept.
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
