extension Signal {
    /// Returns a signal that keeps only the latest value for a sink that has fallen behind.
    ///
    /// This policy suits state: a slow sink may skip values, but never ends on an old one.
    ///
    /// ```swift
    /// let progress = Broadcast<Double, Never>()
    /// let token = progress.signal.conflate().receive(on: DispatchQueue.main).sink { print($0) }
    /// ```
    ///
    /// - Delivery: a subsequence of the values that ends with the last one; then the end. It holds one value. Values
    ///   replaced by a newer one are not reported as dropped.
    /// - Failure: the upstream's, after the latest value.
    @inlinable
    public func conflate() -> Signal { conflate(into: { $0 = $1 }) }

    /// Returns a signal that merges values into one while its sink has fallen behind.
    ///
    /// ```swift
    /// let counts = Broadcast<Int, Never>()
    /// let sums = counts.signal.conflate(into: { $0 += $1 })
    /// ```
    ///
    /// - Delivery: merged values, as they are requested; then the end. It holds one value.
    /// - Failure: the upstream's, after the pending value.
    @inlinable
    public func conflate(into merge: @escaping @Sendable (inout Value, Value) -> Void) -> Signal {
        stored(.everything, stage: "conflate", merge: merge) { values, value in
            values.append(value)
            return .kept
        }
    }
}
