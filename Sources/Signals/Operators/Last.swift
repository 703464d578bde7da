extension Signal {
    /// Returns a signal of the last value, once the upstream has finished.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).last().sink { print($0) }  // 3
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes, none if there were no values or it fails.
    @inlinable
    public func last() -> Signal {
        fold(Value?.none, onValue: { $0.state = $1 }, output: { $0 })
    }

    /// Returns a signal of the last value that satisfies a predicate, once the upstream has finished.
    ///
    /// - Delivery: one value when the upstream finishes, none if no value satisfies the predicate or it fails.
    @inlinable
    public func last(where isMatch: @escaping @Sendable (Value) -> Bool) -> Signal {
        fold(Value?.none, onValue: { if isMatch($1) { $0.state = $1 } }, output: { $0 })
    }
}
