extension Signal {
    /// Returns a signal of the least value, once the upstream has finished; the first of several equal ones.
    ///
    /// ```swift
    /// let words = Signal<String, Never>.sequence(["bb", "a"])
    /// let token = words.min(by: { $0.count < $1.count }).sink { print($0) }  // a
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes; none if there were no values or it fails.
    @inlinable
    public func min(by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool) -> Signal {
        keep(stage: "min") { least, value in areInIncreasingOrder(value, least) }
    }
}

extension Signal where Value: Comparable {
    /// Returns a signal of the least value, once the upstream has finished.
    ///
    /// - Delivery: one value when the upstream finishes; none if there were no values or it fails.
    @inlinable
    public func min() -> Signal { min(by: { $0 < $1 }) }
}
