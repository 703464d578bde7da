public import Signals

extension Laws {
    /// Puts a scheduler through the contract.
    ///
    /// ```swift
    /// let breaches = Laws.verifyScheduler(moving: { ($0 as? VirtualScheduler)?.run() }) { VirtualScheduler() }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - keepsOrder: Whether work runs in the order it was scheduled; a concurrent queue does not promise that.
    ///   - unit: A wait long enough to be told from two of them.
    ///   - move: Advances the scheduler's time, if it does not advance by itself.
    ///   - make: Creates a scheduler.
    /// - Returns: the breaches of the contract; empty if there are none.
    public static func verifyScheduler(
        keepsOrder: Bool = true, unit: Duration = .milliseconds(2),
        moving move: @escaping @Sendable (any SignalScheduler) -> Void = { _ in },
        _ make: @escaping @Sendable () -> any SignalScheduler
    ) -> [Breach] {
        let subject = SchedulerLaw.Subject(keepsOrder: keepsOrder, unit: unit, make: make, move: move)
        return SchedulerLaw.all.flatMap { law in
            var findings = Findings()
            law.check(subject, &findings)
            return findings.signed(by: law.name)
        }
    }
}
