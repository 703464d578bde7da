import Signals

extension Laws {
    /// Puts a hot source, which several sinks share, through the contract.
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
    ///   - count: How many of the last values it gives to a new sink; what it begins with must be 0 or less.
    ///   - make: Makes a new source.
    /// - Returns: where the contract was broken; nothing when it was kept.
    public static func verifySubject(replays count: Int, _ make: @escaping @Sendable () -> LawSubject) -> [Breach] {
        SubjectLaw.all.flatMap { law in
            var findings = Findings()
            law.check(SubjectLaw.Subject(replays: count, make: make), &findings)
            return findings.signed(by: law.name)
        }
    }
}
