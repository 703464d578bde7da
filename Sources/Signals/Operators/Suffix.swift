extension Signal {
    /// Returns a signal that delivers the last `count` values when the upstream finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...5).suffix(2).sink { print($0) }  // 4 5
    /// ```
    ///
    /// - Delivery: at most `count` values, as the sink requests them, after the upstream has finished; nothing if the
    ///   upstream fails. Demand on the upstream is unlimited. The operator buffers `count` values, and 16 more for a
    ///   sink with limited demand.
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
