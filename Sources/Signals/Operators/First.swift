extension Signal {
    /// Returns a signal of the first value, which then cancels its upstream and finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(5...).first().sink { print($0) }  // 5
    /// ```
    ///
    /// - Delivery: at most one value, on the same thread.
    @inlinable
    public func first() -> Signal { prefix(1) }

    /// Returns a signal of the first value that satisfies a predicate.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(5...).first(where: { $0 > 6 }).sink { print($0) }  // 7
    /// ```
    ///
    /// - Delivery: at most one value, on the same thread.
    @inlinable
    public func first(where isMatch: @escaping @Sendable (Value) -> Bool) -> Signal { filter(isMatch).prefix(1) }
}
