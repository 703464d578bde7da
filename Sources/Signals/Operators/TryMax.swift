extension Signal {
    /// Returns a signal of the greatest value, once the upstream has finished, which fails with what the comparison
    /// throws.
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
    /// - Delivery: one value when the upstream finishes, the first of several equal ones; none if there were no values
    ///   or it fails, or the comparison throws.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
    @inlinable
    public func tryMax(
        by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws(Failure) -> Bool
    ) -> Signal {
        fold(
            Value?.none, stage: "tryMax",
            onValue: { folding, value throws(Failure) in
                if let greatest = folding.state, try !areInIncreasingOrder(greatest, value) { return }
                folding.state = value
            },
            output: { $0 })
    }
}

extension Signal where Failure == Never {
    /// Returns a signal of the greatest value, which may fail although its upstream cannot.
    ///
    /// - Delivery: one value when the upstream finishes; none if there were no values or the comparison throws.
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload  // Where both fit, the plain overload is chosen.
    public func tryMax<Thrown: Error>(
        by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryMax(by: areInIncreasingOrder)
    }
}
