extension Signal {
    /// Returns a signal of the least value, once the upstream has finished, which fails with what the comparison
    /// throws.
    ///
    /// ```swift
    /// struct Unordered: Error {}
    /// let values = Signal<Double, Unordered>.sequence([3, 1, .nan])
    /// let least = values.tryMin { left, right throws(Unordered) in
    ///     if left.isNaN || right.isNaN { throw Unordered() }
    ///     return left < right
    /// }
    /// let token = least.sink(onValue: { print($0) }, onCompletion: { print($0) })  // failure(Unordered())
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes, the first of several equal ones; none if there were no values
    ///   or it fails, or the comparison throws.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
    @inlinable
    public func tryMin(
        by areInIncreasingOrder: @escaping @Sendable (Value, Value) throws(Failure) -> Bool
    ) -> Signal {
        keep(stage: "tryMin") { least, value throws(Failure) in try areInIncreasingOrder(value, least) }
    }
}
