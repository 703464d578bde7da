extension Signal {
    /// Returns a signal that delivers the value at a position, counted from zero, then cancels its upstream and
    /// finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(10...).output(at: 2).sink { print($0) }  // 12
    /// ```
    ///
    /// - Delivery: at most one value, on the upstream's thread.
    @inlinable
    public func output(at index: Int) -> Signal {
        precondition(index >= 0, "output(at:) needs a position of zero or more.")
        return drop(index).prefix(1)
    }

    /// Returns a signal that delivers the values at a range of positions, then cancels its upstream and finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(10...).output(in: 1..<3).sink { print($0) }  // 11 12
    /// ```
    ///
    /// - Delivery: at most one value for each position, on the upstream's thread.
    @inlinable
    public func output(in range: some RangeExpression<Int>) -> Signal {
        // A closed range up to `Int.max` has no half-open form. Its last position is left out, since no signal delivers
        // so many values.
        let positions =
            switch range {
            case let range as ClosedRange<Int> where range.upperBound == .max: range.lowerBound..<Int.max
            case let range as PartialRangeThrough<Int> where range.upperBound == .max: 0..<Int.max
            default: range.relative(to: 0..<Int.max)
            }
        precondition(positions.lowerBound >= 0, "output(in:) needs positions of zero or more.")
        if positions.isEmpty { return .empty() }
        let tail = positions.lowerBound == 0 ? self : drop(positions.lowerBound)
        return positions.upperBound == .max ? tail : tail.prefix(positions.count)
    }
}
