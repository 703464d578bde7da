public import Signals

extension Laws {
    /// Checks an operator that shares one upstream among its sinks against the clauses about sharing.
    ///
    /// ```swift
    /// print(Laws.verifyMulticast(replays: 0) { $0.share() })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many of the last values it replays to a late sink.
    ///   - make: Builds the operator on an upstream.
    /// - Returns: the breaches of the contract; empty if there are none.
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
