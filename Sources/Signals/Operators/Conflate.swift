extension Signal {
    /// Returns a signal that keeps only the latest value for a sink that is behind.
    ///
    /// The policy for state: what a slow sink sees may skip values, but never ends on an old one.
    ///
    /// ```swift
    /// let progress = Broadcast<Double, Never>()
    /// let token = progress.signal.conflate().receive(on: DispatchQueue.main).sink { print($0) }
    /// ```
    ///
    /// - Delivery: a subsequence of the values, which ends with the last one; then the end. It holds one value. Values
    ///   that a newer one replaces are not reported as dropped.
    /// - Failure: the upstream's, after the latest value.
    @inlinable
    public func conflate() -> Signal { conflate(into: { $0 = $1 }) }

    /// Returns a signal that merges the values that come while its sink is behind into one.
    ///
    /// ```swift
    /// let counts = Broadcast<Int, Never>()
    /// let sums = counts.signal.conflate(into: { $0 += $1 })
    /// ```
    ///
    /// - Delivery: merged values, as they are asked for; then the end. It holds one value.
    /// - Failure: the upstream's, after the value that waits.
    @inlinable
    public func conflate(into merge: @escaping @Sendable (inout Value, Value) -> Void) -> Signal {
        stored(.everything, stage: "conflate", merge: merge) { values, value in
            values.append(value)
            return .kept
        }
    }
}
