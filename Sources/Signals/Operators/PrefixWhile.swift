extension Signal {
    /// Returns a signal of the values up to the first that does not satisfy a predicate; it then cancels its upstream.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...).prefix(while: { $0 < 3 }).sink { print($0) }  // 1 2
    /// ```
    ///
    /// - Delivery: one value for each value that satisfies the predicate, on the same thread; it finishes at the first
    ///   that does not.
    @inlinable
    public func prefix(while isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal {
        trying((), stage: "prefixWhile") { _, value in isIncluded(value) ? .deliver(value) : .finish }
    }
}
