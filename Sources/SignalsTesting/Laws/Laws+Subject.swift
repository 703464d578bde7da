import Signals

extension Laws {
    /// Checks a hot source, which several sinks share, against the contract.
    ///
    /// ```swift
    /// let breaches = Laws.verifySubject(replays: 0) {
    ///     let broadcast = Broadcast<LawValue, LawFailure>()
    ///     return LawSubject(
    ///         signal: broadcast.signal, send: { broadcast.send($0) }, end: { broadcast.send(completion: $0) })
    /// }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - count: How many of the last values it replays to a new sink; its initial values must be 0 or less.
    ///   - make: Creates a new source.
    /// - Returns: the breaches of the contract; empty if there are none.
    public static func verifySubject(replays count: Int, _ make: @escaping @Sendable () -> LawSubject) -> [Breach] {
        SubjectLaw.all.flatMap { law in
            var findings = Findings()
            law.check(SubjectLaw.Subject(replays: count, make: make), &findings)
            return findings.signed(by: law.name)
        }
    }
}
