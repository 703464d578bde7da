extension Signal {
    /// Returns a signal that delivers values until another signal delivers, then cancels both signals and finishes.
    ///
    /// ```swift
    /// let stop = Broadcast<Void, Never>(), numbers = Broadcast<Int, Never>()
    /// let token = numbers.signal.prefix(until: stop.signal).sink { print($0) }
    /// numbers.send(1)  // 1
    /// stop.send()
    /// numbers.send(2)  // nothing
    /// ```
    ///
    /// - Delivery: the upstream's values that arrive before the other signal's first value. If the other signal
    ///   finishes without a value, the run continues until the upstream ends.
    /// - Failure: the first failure of either signal. The operator cancels the signal that did not fail.
    public func prefix<Other: Sendable>(until other: Signal<Other, Failure>) -> Signal {
        gated(by: other, opening: false)
    }

    /// Applies `prefix(until:)` with another signal that cannot fail.
    ///
    /// - Failure: the upstream's.
    @_disfavoredOverload
    public func prefix<Other: Sendable>(until other: Signal<Other, Never>) -> Signal {
        prefix(until: other.setFailureType(to: Failure.self))
    }
}

extension Signal where Failure == Never {
    /// Applies `prefix(until:)` to a signal that cannot fail, with another signal that can fail.
    ///
    /// - Failure: the other signal's.
    @_disfavoredOverload
    public func prefix<Trigger: Sendable, Other: Error>(
        until other: Signal<Trigger, Other>
    ) -> Signal<Value, Other> {
        setFailureType(to: Other.self).prefix(until: other)
    }
}
