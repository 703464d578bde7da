extension Signal {
    /// Returns a signal of the upstream's values, each with the latest value of another signal.
    ///
    /// ```swift
    /// let rate = CurrentValue<Double, Never>(2)
    /// let amounts = Broadcast<Double, Never>()
    /// let token = amounts.signal.withLatest(from: rate.signal).sink { print($0 * $1) }
    /// amounts.send(10)  // 20.0
    /// ```
    ///
    /// - Delivery: one tuple for each upstream value that arrives after the other signal's first value. The operator
    ///   drops earlier upstream values. The upstream runs ahead of the sink by at most 16 values. The run finishes when
    ///   the upstream finishes, or if the other signal finishes without a value.
    /// - Failure: the first failure of either signal. The operator cancels the signal that did not fail.
    @inlinable
    public func withLatest<Other: Sendable>(from other: Signal<Other, Failure>) -> Signal<(Value, Other), Failure> {
        // Attaches `other` first, so that its first value is available when the upstream begins.
        Signal<(Value, Other), Failure>.woven(
            self, bound: 16, other, bound: nil, startingWithSecond: true, stage: "withLatest")
    }

    /// Applies `withLatest(from:)` with another signal that cannot fail.
    ///
    /// - Failure: this signal's, which cancels the other signal.
    @inlinable @_disfavoredOverload
    public func withLatest<Other: Sendable>(from other: Signal<Other, Never>) -> Signal<(Value, Other), Failure> {
        withLatest(from: other.setFailureType(to: Failure.self))
    }
}

extension Signal where Failure == Never {
    /// Applies `withLatest(from:)` to a signal that cannot fail, with another signal that can fail.
    ///
    /// - Failure: the other signal's, which cancels this signal.
    @inlinable @_disfavoredOverload
    public func withLatest<Second: Sendable, Other: Error>(
        from other: Signal<Second, Other>
    ) -> Signal<(Value, Second), Other> {
        setFailureType(to: Other.self).withLatest(from: other)
    }
}
