extension Signal {
    /// Returns a signal that delivers the number of values when the upstream finishes.
    ///
    /// ```swift
    /// let token = Signal<String, Never>.sequence(["a", "b"]).count().sink { print($0) }  // 2
    /// ```
    ///
    /// - Delivery: one number when the upstream finishes; nothing if the upstream fails.
    @inlinable
    public func count() -> Signal<Int, Failure> {
        fold(0, onValue: { folding, _ in folding.state += 1 }, output: { $0 })
    }
}
