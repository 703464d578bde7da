extension Signal {
    /// Returns a signal of the greatest value, once the upstream has finished; the first of several equal ones.
    ///
    /// ```swift
    /// let words = Signal<String, Never>.sequence(["bb", "a"])
    /// let token = words.max(by: { $0.count < $1.count }).sink { print($0) }  // bb
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes; none if there were no values or it fails.
    @inlinable
    public func max(by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool) -> Signal {
        keep(stage: "max", replacingIf: areInIncreasingOrder)
    }
}

extension Signal where Value: Comparable {
    /// Returns a signal of the greatest value, once the upstream has finished.
    ///
    /// - Delivery: one value when the upstream finishes; none if there were no values or it fails.
    @inlinable
    public func max() -> Signal { max(by: { $0 < $1 }) }
}
