extension Signal {
    /// Returns a signal that requests up to `high` values before its sink requests them.
    ///
    /// Whenever only `low` of these values are left to deliver, the operator requests as many values as it has
    /// delivered since the previous request.
    ///
    /// ```swift
    /// let rows = Signal<Int, Never>.sequence(1...1_000).prefetch(high: 64, low: 16)
    /// ```
    ///
    /// - Delivery: all values, in order, as the sink requests them; then the end. The operator buffers at most `high`
    ///   values.
    /// - Failure: the upstream's, after all earlier values.
    @inlinable
    public func prefetch(high: Int, low: Int) -> Signal {
        precondition(0 <= low && low < high, "prefetch(high:low:) needs 0 <= low < high.")
        return stored(.upTo(high: high, low: low), stage: "prefetch") { values, value in
            // An upstream that respects the operator's demand never finds the buffer full.
            if values.count == high { return .dropped(value) }
            values.append(value)
            return .kept
        }
    }
}
