extension Signal {
    /// Returns a signal that delivers the first value, then cancels its upstream and finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(5...).first().sink { print($0) }  // 5
    /// ```
    ///
    /// - Delivery: at most one value, on the upstream's thread.
    @inlinable
    public func first() -> Signal { prefix(1) }

    /// Returns a signal of the first value that satisfies a predicate.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(5...).first(where: { $0 > 6 }).sink { print($0) }  // 7
    /// ```
    ///
    /// - Delivery: at most one value, on the upstream's thread.
    @inlinable
    public func first(where isMatch: @escaping @Sendable (Value) -> Bool) -> Signal { filter(isMatch).prefix(1) }

    /// Returns a signal of the first value that satisfies a predicate; the signal fails if the predicate throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let high = Signal<Int, Unknown>.sequence([1, 5, -1]).tryFirst(where: { value throws(Unknown) in
    ///     if value < 0 { throw Unknown() }
    ///     return value > 3
    /// })
    /// let token = high.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 5 finished
    /// ```
    ///
    /// - Delivery: at most one value, on the upstream's thread. After the value, the signal cancels its upstream and
    ///   finishes.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable @inline(__always)
    public func tryFirst(where isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        trying((), stage: "tryFirst") { _, value throws(Failure) in try isMatch(value) ? .deliver(value) : .drop }
            .first()
    }
}

extension Signal where Failure == Never {
    /// Applies `tryFirst(where:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryFirst<Thrown: Error>(
        where isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryFirst(where: isMatch)
    }
}
