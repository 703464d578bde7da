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
    /// - Delivery: one value when the upstream finishes; none if no value satisfies the predicate, the upstream fails
    ///   or the predicate throws.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
    @inlinable @inline(__always)
    public func tryLast(where isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        trying((), stage: "tryLast") { _, value throws(Failure) in try isMatch(value) ? .deliver(value) : .drop }
            .last()
    }
}
