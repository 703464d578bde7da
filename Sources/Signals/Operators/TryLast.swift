extension Signal {
    /// Returns a signal of the last value that satisfies a predicate, which fails with what the predicate throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let low = Signal<Int, Unknown>.sequence([1, 2, 5]).tryLast(where: { value throws(Unknown) in
    ///     if value < 0 { throw Unknown() }
    ///     return value < 3
    /// })
    /// let token = low.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 2 finished
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes; none when no value fits, the upstream fails or the predicate
    ///   throws.
    /// - Failure: the upstream's, or the one that was thrown; the upstream is then cancelled.
    @inlinable @inline(__always)
    public func tryLast(where isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        tryFilter(isMatch).last()
    }
}

extension Signal where Failure == Never {
    /// Returns a signal of the last value that satisfies a predicate, which may fail although its upstream cannot.
    ///
    /// - Delivery: one value when the upstream finishes; none when no value fits, the upstream fails or the predicate
    ///   throws.
    /// - Failure: the one that was thrown; the upstream is then cancelled.
    @inlinable @_disfavoredOverload  // Where both fit, the plain one is meant.
    public func tryLast<Thrown: Error>(
        where isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryLast(where: isMatch)
    }
}
