extension Signal {
    /// Returns a signal of one array with all values, once the upstream has finished.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).collect().sink { print($0) }  // [1, 2, 3]
    /// ```
    ///
    /// - Delivery: one array when the upstream finishes, empty if there were no values; none if the upstream fails. The
    ///   array holds all values, without a bound.
    @inlinable
    public func collect() -> Signal<[Value], Failure> { reduce(into: []) { $0.append($1) } }
}
