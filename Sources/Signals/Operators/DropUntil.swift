extension Signal {
    /// Returns a signal of the values that arrive after another signal has delivered.
    ///
    /// ```swift
    /// let start = Broadcast<Void, Never>(), numbers = Broadcast<Int, Never>()
    /// let token = numbers.signal.drop(until: start.signal).sink { print($0) }
    /// numbers.send(1)  // nothing
    /// start.send()
    /// numbers.send(2)  // 2
    /// ```
    ///
    /// - Delivery: as the upstream, from the other signal's first value on; one more is requested for each earlier
    ///   value. If the other finishes without a value, this one finishes too.
    /// - Failure: the first failure of either signal; the other signal is cancelled.
    public func drop<Other: Sendable>(until other: Signal<Other, Failure>) -> Signal {
        gated(by: other, opening: true)
    }

    /// Applies `drop(until:)` with another signal that cannot fail.
    ///
    /// - Failure: the upstream's.
    @_disfavoredOverload
    public func drop<Other: Sendable>(until other: Signal<Other, Never>) -> Signal {
        drop(until: other.setFailureType(to: Failure.self))
    }
}

extension Signal where Failure == Never {
    /// Applies `drop(until:)` to a signal that cannot fail, with another signal that may.
    ///
    /// - Failure: the other signal's.
    @_disfavoredOverload
    public func drop<Trigger: Sendable, Other: Error>(
        until other: Signal<Trigger, Other>
    ) -> Signal<Value, Other> {
        setFailureType(to: Other.self).drop(until: other)
    }
}
