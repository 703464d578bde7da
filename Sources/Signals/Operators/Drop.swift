extension Signal {
    /// Returns a signal without the first `count` values.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...4).drop(2).sink { print($0) }  // 3 4
    /// ```
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread. The operator requests another
    ///   value for each value that it drops.
    @inlinable
    public func drop(_ count: Int = 1) -> Signal {
        precondition(count >= 0, "drop(_:) needs a count of zero or more.")
        return lift { next in
            let left = Serial(count)
            return Sink(
                passingTo: next,
                onValue: { value in
                    if left.state == 0 { return next.receive(value) }
                    left.state -= 1
                    return .max(1)
                })
        }
    }
}
