extension Signal {
    /// Returns a signal of the last `count` values, once the upstream has finished.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...5).suffix(2).sink { print($0) }  // 4 5
    /// ```
    ///
    /// - Delivery: at most `count` values, as they are requested, when the upstream has finished; none if it fails.
    ///   Demand on the upstream is unlimited. It holds `count` values, and 16 for a sink with limited demand.
    public func suffix(_ count: Int) -> Signal {
        precondition(count >= 0, "suffix(_:) needs a count of zero or more.")
        if count == 0 { return ignoreValues() }
        return reduce(into: RingBuffer<Value>()) { last, value in
            if last.count == count { _ = last.popFirst() }
            last.append(value)
        }.flatMap { last in
            var last = last
            return .sequence(last.removeAll())
        }
    }
}
