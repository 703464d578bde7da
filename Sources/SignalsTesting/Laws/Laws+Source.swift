public import Signals

extension Laws {
    /// Checks a source, a signal that begins a chain, against the contract.
    ///
    /// ```swift
    /// print(Laws.verifySource(expecting: [1, 2, 3]) { _ in Signal<Int, Never>.sequence(1...3) })  // []
    /// ```
    ///
    /// - Parameters:
    ///   - values: Everything that one run delivers.
    ///   - ending: How it then ends.
    ///   - endsWhenAsked: Whether it finds its end only when one more value is requested.
    ///   - settling: How much virtual time passes between steps.
    ///   - make: Builds the source on a scheduler, if it needs one.
    /// - Returns: the breaches of the contract; empty if there are none.
    public static func verifySource<Output: Sendable & Equatable, Failure: Error>(
        expecting values: [Output], ending: LawInput.Ending = .finished, endsWhenAsked: Bool = false,
        settling: Duration = .zero,
        _ make: @escaping @Sendable (VirtualScheduler) -> Signal<Output, Failure>
    ) -> [Breach] {
        let subject = SourceUnderLaw(
            expected: values, ending: ending, endsWhenAsked: endsWhenAsked, settling: settling, make: make)
        return SourceLaw<Output, Failure>.all.flatMap { law in
            var findings = Findings()
            law.check(subject, &findings)
            return findings.signed(by: law.name)
        }
    }
}
