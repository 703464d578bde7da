extension Signal {
    /// Returns a signal that delivers all values of another signal before those of its upstream.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(3).prepend(.sequence(1...2)).sink { print($0) }  // 1 2 3
    /// ```
    ///
    /// - Delivery: all values of the other signal, then all of the upstream, which is attached when the other has
    ///   finished.
    /// - Failure: the first one.
    @inlinable
    public func prepend(_ other: Signal) -> Signal { other.append(self) }

    /// Returns a signal that delivers values before its upstream.
    ///
    /// - Delivery: these values, as they are requested, then all of the upstream.
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
    /// Applies `prepend(_:)` to a signal that cannot fail, with another signal that may.
    ///
    /// - Failure: the other signal's.
    @inlinable @_disfavoredOverload
    public func prepend<Other: Error>(_ other: Signal<Value, Other>) -> Signal<Value, Other> {
        setFailureType(to: Other.self).prepend(other)
    }
}
