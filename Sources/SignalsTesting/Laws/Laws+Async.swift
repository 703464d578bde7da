public import Signals

extension Laws {
    /// Checks a bridge from a signal to an asynchronous sequence against S41.
    ///
    /// ```swift
    /// let breaches = await Laws.verifyAsync(bound: 8) { $0.values(prefetch: 8) }
    /// print(breaches)  // []
    /// ```
    ///
    /// - Parameters:
    ///   - bound: How many values it may run ahead of its loop.
    ///   - make: Builds the sequence.
    /// - Returns: the breaches of the contract; empty if there are none.
    public static func verifyAsync<Bridge: AsyncSequence & Sendable & SendableMetatype>(
        bound: Int, _ make: @escaping @Sendable (Signal<LawValue, LawFailure>) -> Bridge
    ) async -> [Breach] where Bridge.Element == LawValue, Bridge.Failure == LawFailure {
        var breaches: [Breach] = []
        for law in AsyncLaw<Bridge>.all {
            let history = Lock<[String]>([])
            let subject = AsyncLaw<Bridge>.Subject(bound: bound) { make(noting($0, in: history)) }
            let found = await Patience.result(
                of: "the law '\(law.name)'", history: { history.withLock { "\($0)" } },
                {
                    var findings = Findings()
                    await law.check(subject, &findings)
                    return findings
                })
            var findings = found ?? Findings()
            findings.expect(found != nil, "S41", "A loop did not come to its end in time.")
            breaches += findings.signed(by: law.name)
        }
        return breaches
    }

    /// Records what passes through a signal, the last of it, for the report on a wait that was given up.
    private static func noting(
        _ signal: Signal<LawValue, LawFailure>, in history: Lock<[String]>
    ) -> Signal<LawValue, LawFailure> {
        @Sendable func note(_ event: String) {
            history.withLock { $0 = $0.suffix(19) + [event] }
        }
        return signal.handleEvents(
            onUpstream: { note("attached") }, onRequest: { note("requested \($0)") }, onValue: { note("\($0)") },
            onCompletion: { note("\($0)") }, onCancel: { note("cancelled") })
    }
}
