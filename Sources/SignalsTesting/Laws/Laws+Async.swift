public import Signals

extension Laws {
    /// Puts a bridge from a signal to an asynchronous sequence through S41.
    ///
    /// ```swift
    /// let breaches = await Laws.verifyAsync(bound: 8) { $0.values(prefetch: 8) }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - bound: How many values it may be ahead of its loop.
    ///   - make: Builds the sequence.
    /// - Returns: where the contract was broken; nothing when it was kept.
    public static func verifyAsync<Bridge: AsyncSequence & Sendable & SendableMetatype>(
        bound: Int, _ make: @escaping @Sendable (Signal<LawValue, LawFailure>) -> Bridge
    ) async -> [Breach] where Bridge.Element == LawValue, Bridge.Failure == LawFailure {
        var breaches: [Breach] = []
        for law in AsyncLaw<Bridge>.all {
            var findings = Findings()
            await law.check(AsyncLaw<Bridge>.Subject(bound: bound, make: make), &findings)
            breaches += findings.signed(by: law.name)
        }
        return breaches
    }
}
