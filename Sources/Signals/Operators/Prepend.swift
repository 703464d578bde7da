extension Signal {
    /// Returns a signal that delivers all values of another signal, then all values of its upstream.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(3).prepend(.sequence(1...2)).sink { print($0) }  // 1 2 3
    /// ```
    ///
    /// - Delivery: all values of the other signal, then all values of the upstream. The operator attaches the upstream
    ///   when the other signal has finished.
    /// - Failure: the first failure of either signal.
    @inlinable
    public func prepend(_ other: Signal) -> Signal { other.append(self) }

    /// Returns a signal that delivers the given values, then all values of its upstream.
    ///
    /// - Delivery: the given values, as the sink requests them, then all values of the upstream.
    /// - Failure: the upstream's.
    @inlinable
    public func prepend(_ values: Value...) -> Signal { prepend(.sequence(values)) }

    /// Applies `prepend(_:)` with another signal that cannot fail.
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func prepend(_ other: Signal<Value, Never>) -> Signal { prepend(other.setFailureType(to: Failure.self)) }
}

extension Signal where Failure == Never {
    /// Applies `prepend(_:)` to a signal that cannot fail, with another signal that can fail.
    ///
    /// - Failure: the other signal's.
    @inlinable @_disfavoredOverload
    public func prepend<Other: Error>(_ other: Signal<Value, Other>) -> Signal<Value, Other> {
        setFailureType(to: Other.self).prepend(other)
    }
}
