public import Signals

extension Laws {
    /// Puts a source, a signal that begins a chain, through the contract.
    ///
    /// ```swift
    /// print(Laws.verifySource(expecting: [1, 2, 3]) { _ in Signal<Int, Never>.sequence(1...3) })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - values: What one run delivers in all.
    ///   - ending: How it ends then.
    ///   - settling: How much virtual time passes between steps.
    ///   - make: Builds the source on a scheduler, if it needs one.
    /// - Returns: where the contract was broken; nothing when it was kept.
    public static func verifySource<Output: Sendable & Equatable, Failure: Error>(
        expecting values: [Output], ending: LawInput.Ending = .finished, settling: Duration = .zero,
        _ make: @escaping @Sendable (VirtualScheduler) -> Signal<Output, Failure>
    ) -> [Breach] {
        let subject = SourceUnderLaw(expected: values, ending: ending, settling: settling, make: make)
        return SourceLaw<Output, Failure>.all.flatMap { law in
            var findings = Findings()
            law.check(subject, &findings)
            return findings.signed(by: law.name)
        }
    }
}
