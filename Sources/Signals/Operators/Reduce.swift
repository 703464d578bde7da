extension Signal {
    /// Returns a signal of one value: all values combined, once the upstream has finished.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...4).reduce(0, +).sink { print($0) }  // 10
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes, even without values; none if it fails.
    @inlinable @inline(__always)
    public func reduce<Output: Sendable>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) -> Output
    ) -> Signal<Output, Failure> {
        fold(initial, onValue: { $0.state = combine($0.state, $1) }, output: { $0 })
    }

    /// Returns a signal of one value: a result that accumulates all values, once the upstream has finished.
    ///
    /// ```swift
    /// let words = Signal<String, Never>.sequence(["a", "b", "a"])
    /// let token = words.reduce(into: Set<String>()) { $0.insert($1) }.sink { print($0.count) }  // 2
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes, even without values; none if it fails.
    @inlinable @inline(__always)
    public func reduce<Output: Sendable>(
        into initial: Output, _ combine: @escaping @Sendable (inout Output, Value) -> Void
    ) -> Signal<Output, Failure> {
        fold(initial, onValue: { combine(&$0.state, $1) }, output: { $0 })
    }
}
