public import Signals

extension Laws {
    /// Puts an operator that shares one upstream among its sinks through the clauses that are about sharing.
    ///
    /// ```swift
    /// print(Laws.verifyMulticast(replays: 0) { $0.share() })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many of the last values it gives to a late sink.
    ///   - make: Builds the operator on an upstream.
    /// - Returns: where the contract was broken; nothing when it was kept.
    public static func verifyMulticast(
        replays count: Int,
        _ make: @escaping @Sendable (Signal<LawValue, LawFailure>) -> Signal<LawValue, LawFailure>
    ) -> [Breach] {
        MulticastLaw.all.flatMap { law in
            var findings = Findings()
            law.check(MulticastLaw.Subject(replays: count, make: make), &findings)
            return findings.signed(by: law.name)
        }
    }
}
