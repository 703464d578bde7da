extension Signal {
    /// Returns a signal of the number of values, once the upstream has finished.
    ///
    /// ```swift
    /// let token = Signal<String, Never>.sequence(["a", "b"]).count().sink { print($0) }  // 2
    /// ```
    ///
    /// - Delivery: one number when the upstream finishes; none if it fails.
    @inlinable
    public func count() -> Signal<Int, Failure> {
        fold(0, onValue: { folding, _ in folding.state += 1 }, output: { $0 })
    }
}
