extension Signal {
    /// Returns a signal of the values that satisfy a predicate, which fails with what the predicate throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let evens = Signal<Int, Unknown>.sequence([1, 2, 0, 4]).tryFilter { value throws(Unknown) in
    ///     if value == 0 { throw Unknown() }
    ///     return value.isMultiple(of: 2)
    /// }
    /// let token = evens.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 2 failure(Unknown())
    /// ```
    ///
    /// - Delivery: at most one value for each value, on the same thread, up to the first error; one more is requested
    ///   for each dropped value.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        trying((), stage: "tryFilter") { _, value throws(Failure) in try isIncluded(value) ? .deliver(value) : .drop }
    }
}
