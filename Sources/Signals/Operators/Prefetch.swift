extension Signal {
    /// Returns a signal that requests ahead: `high` values at first, and as many as were delivered whenever only `low`
    /// of them are left.
    ///
    /// ```swift
    /// let rows = Signal<Int, Never>.sequence(1...1_000).prefetch(high: 64, low: 16)
    /// ```
    ///
    /// - Delivery: all values, in order, as they are requested; then the end. It holds at most `high`.
    /// - Failure: the upstream's, after the values that came before it.
    @inlinable
    public func prefetch(high: Int, low: Int) -> Signal {
        precondition(0 <= low && low < high, "prefetch(high:low:) needs 0 <= low < high.")
        return stored(.upTo(high: high, low: low), stage: "prefetch") { values, value in
            // An upstream that respects its demand never finds the buffer full.
            if values.count == high { return .dropped(value) }
            values.append(value)
            return .kept
        }
    }
}
