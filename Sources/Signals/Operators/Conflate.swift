extension Signal {
    /// Returns a signal that keeps only the latest value for a sink that has fallen behind.
    ///
    /// Use this operator for values that describe a state: a slow sink may miss intermediate values, but always
    /// receives the last one.
    ///
    /// ```swift
    /// let progress = Broadcast<Double, Never>()
    /// let token = progress.signal.conflate().receive(on: DispatchQueue.main).sink { print($0) }
    /// ```
    ///
    /// - Delivery: some of the values in order, always including the last; then the end. The operator buffers at most
    ///   one value. It does not report replaced values to `DiscardHook`.
    /// - Failure: the upstream's, after the buffered value, if there is one.
    @inlinable
    public func conflate() -> Signal { conflate(into: { $0 = $1 }) }

    /// Returns a signal that merges values into one while its sink has no demand.
    ///
    /// ```swift
    /// let counts = Broadcast<Int, Never>()
    /// let sums = counts.signal.conflate(into: { $0 += $1 })
    /// ```
    ///
    /// - Delivery: whenever the sink has demand, the merge of all values that have arrived since the previous delivery;
    ///   then the end. The operator buffers at most one value.
    /// - Failure: the upstream's, after the buffered value, if there is one.
    @inlinable
    public func conflate(into merge: @escaping @Sendable (inout Value, Value) -> Void) -> Signal {
        stored(.everything, stage: "conflate", merge: merge) { values, value in
            values.append(value)
            return .kept
        }
    }
}
