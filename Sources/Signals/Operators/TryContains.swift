extension Signal {
    /// Returns a signal of whether any value satisfies a predicate, which fails with what the predicate throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let isHigh = Signal<Int, Unknown>.sequence([1, -1, 5]).tryContains(where: { value throws(Unknown) in
    ///     if value < 0 { throw Unknown() }
    ///     return value > 3
    /// })
    /// let token = isHigh.sink(onValue: { print($0) }, onCompletion: { print($0) })  // failure(Unknown())
    /// ```
    ///
    /// - Delivery: true as soon as a value fits, when the upstream is cancelled; false when it finishes without one.
    /// - Failure: the upstream's, or the one that was thrown; the upstream is then cancelled.
    @inlinable @inline(__always)
    public func tryContains(
        where isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool
    ) -> Signal<Bool, Failure> {
        tryMap(isMatch).contains(true)
    }
}

extension Signal where Failure == Never {
    /// Returns a signal of whether any value satisfies a predicate, which may fail although its upstream cannot.
    ///
    /// - Delivery: true as soon as a value fits, when the upstream is cancelled; false when it finishes without one.
    /// - Failure: the one that was thrown; the upstream is then cancelled.
    @inlinable @_disfavoredOverload  // Where both fit, the plain one is meant.
    public func tryContains<Thrown: Error>(
        where isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Bool, Thrown> {
        setFailureType(to: Thrown.self).tryContains(where: isMatch)
    }
}
