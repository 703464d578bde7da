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
    /// - Delivery: true as soon as a value satisfies it, which cancels the upstream; false if the upstream finishes
    ///   first.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
    @inlinable @inline(__always)
    public func tryContains(
        where isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool
    ) -> Signal<Bool, Failure> {
        trying((), stage: "tryContains") { _, value throws(Failure) in .deliver(try isMatch(value)) }.contains(true)
    }
}
