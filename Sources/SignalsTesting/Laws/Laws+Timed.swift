public import Signals

extension Laws {
    /// Puts an operator with a clock through the clauses that are about time; `verifyOperator` says the rest.
    ///
    /// ```swift
    /// let breaches = Laws.verifyTimed(delivering: { $0 }) { upstream, scheduler in
    ///     upstream.debounce(for: .seconds(1), on: scheduler)
    /// }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - flushesAtFinish: Whether it delivers at once what it holds back, when its upstream finishes; one that
    ///     delays the end itself does not.
    ///   - last: What it delivers last when its upstream's last value was this one.
    ///   - make: Builds the operator on an upstream and a scheduler.
    /// - Returns: where the contract was broken; nothing when it was kept.
    public static func verifyTimed<Output: Sendable & Equatable>(
        flushesAtFinish: Bool = true, delivering last: @escaping @Sendable (LawValue) -> Output,
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>, VirtualScheduler) -> Signal<Output, LawFailure>
    ) -> [Breach] {
        let subject = TimedLaw<Output>.Subject(flushesAtFinish: flushesAtFinish, last: last, make: make)
        return TimedLaw<Output>.all.flatMap { law in
            var findings = Findings()
            law.check(subject, &findings)
            return findings.signed(by: law.name)
        }
    }
}
