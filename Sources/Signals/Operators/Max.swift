extension Signal {
    /// Returns a signal that delivers the greatest value when the upstream finishes.
    ///
    /// ```swift
    /// let words = Signal<String, Never>.sequence(["bb", "a"])
    /// let token = words.max(by: { $0.count < $1.count }).sink { print($0) }  // bb
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes; nothing if the upstream delivers no values or fails. If
    ///   several values are equally great, the signal delivers the first of them.
    @inlinable
    public func max(by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool) -> Signal {
        keep(stage: "max", replacingIf: areInIncreasingOrder)
    }

    /// Returns a signal of the greatest value; the signal fails if the comparison throws.
    ///
    /// ```swift
    /// struct Unordered: Error {}
    /// let values = Signal<Double, Unordered>.sequence([3, 1, .nan])
    /// let greatest = values.tryMax { left, right throws(Unordered) in
    ///     if left.isNaN || right.isNaN { throw Unordered() }
    ///     return left < right
    /// }
    /// let token = greatest.sink(onValue: { print($0) }, onCompletion: { print($0) })  // failure(Unordered())
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes; nothing if the upstream delivers no values or fails, or if the
    ///   comparison throws. If several values are equally great, the signal delivers the first of them.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryMax(
        by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws(Failure) -> Bool
    ) -> Signal {
        keep(stage: "tryMax", replacingIf: areInIncreasingOrder)
    }
}

extension Signal where Value: Comparable {
    /// Returns a signal that delivers the greatest value when the upstream finishes.
    ///
    /// - Delivery: one value when the upstream finishes; nothing if the upstream delivers no values or fails. If
    ///   several values are equally great, the signal delivers the first of them.
    @inlinable
    public func max() -> Signal { max(by: { $0 < $1 }) }
}

extension Signal where Failure == Never {
    /// Applies `tryMax(by:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryMax<Thrown: Error>(
        by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryMax(by: areInIncreasingOrder)
    }
}
