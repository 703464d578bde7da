extension Signal {
    /// Returns a signal of whether all values satisfy a predicate, which fails with what the predicate throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let areLow = Signal<Int, Unknown>.sequence([1, 5, -1]).tryAllSatisfy { value throws(Unknown) in
    ///     if value < 0 { throw Unknown() }
    ///     return value < 3
    /// }
    /// let token = areLow.sink(onValue: { print($0) }, onCompletion: { print($0) })  // false finished
    /// ```
    ///
    /// - Delivery: false as soon as a value does not satisfy it, which cancels the upstream; true if the upstream
    ///   finishes first.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
    @inlinable @inline(__always)
    public func tryAllSatisfy(
        _ isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool
    ) -> Signal<Bool, Failure> {
        trying((), stage: "tryAllSatisfy") { _, value throws(Failure) in .deliver(try isMatch(value)) }
            .allSatisfy { $0 }
    }
}
