public import Signals

extension Laws {
    /// Checks a time-based operator against the clauses about time; `verifyOperator` checks the rest.
    ///
    /// ```swift
    /// let breaches = Laws.verifyTimed(delivering: { $0 }) { upstream, scheduler in
    ///     upstream.debounce(for: .seconds(1), on: scheduler)
    /// }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - flushesAtFinish: Whether it delivers what it holds back as soon as its upstream finishes; one that delays
    ///     the end itself does not.
    ///   - last: What it delivers last if this was its upstream's last value.
    ///   - make: Builds the operator on an upstream and a scheduler: one with virtual time, or `.immediate`.
    /// - Returns: the breaches of the contract; empty if there are none.
    public static func verifyTimed<Output: Sendable & Equatable>(
        flushesAtFinish: Bool = true, delivering last: @escaping @Sendable (LawValue) -> Output,
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>, any SignalScheduler) -> Signal<Output, LawFailure>
    ) -> [Breach] {
        let subject = TimedLaw<Output>.Subject(flushesAtFinish: flushesAtFinish, last: last, make: make)
        return TimedLaw<Output>.all.flatMap { law in
            var findings = Findings()
            law.check(subject, &findings)
            return findings.signed(by: law.name)
        }
    }
}
