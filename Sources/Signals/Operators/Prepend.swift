extension Signal {
    /// Returns a signal that delivers all of another one before its upstream.
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
}
