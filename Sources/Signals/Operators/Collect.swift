extension Signal {
    /// Returns a signal of one array with all values, once the upstream has finished.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).collect().sink { print($0) }  // [1, 2, 3]
    /// ```
    ///
    /// - Delivery: one array when the upstream finishes, also an empty one; none when it fails. It holds as many
    ///   values as there are.
    @inlinable
    public func collect() -> Signal<[Value], Failure> { reduce(into: []) { $0.append($1) } }
}
