extension Signal {
    /// Returns a signal of the values that arrive after the first value of another signal.
    ///
    /// ```swift
    /// let start = Broadcast<Void, Never>(), numbers = Broadcast<Int, Never>()
    /// let token = numbers.signal.drop(until: start.signal).sink { print($0) }
    /// numbers.send(1)  // nothing
    /// start.send()
    /// numbers.send(2)  // 2
    /// ```
    ///
    /// - Delivery: the upstream's values that arrive after the other signal's first value. The operator requests
    ///   another value for each earlier value, which it drops. If the other signal finishes without a value, the run
    ///   finishes too.
    /// - Failure: the first failure of either signal. The operator cancels the signal that did not fail.
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
    /// Applies `drop(until:)` to a signal that cannot fail, with another signal that can fail.
    ///
    /// - Failure: the other signal's.
    @_disfavoredOverload
    public func drop<Trigger: Sendable, Other: Error>(
        until other: Signal<Trigger, Other>
    ) -> Signal<Value, Other> {
        setFailureType(to: Other.self).drop(until: other)
    }
}
