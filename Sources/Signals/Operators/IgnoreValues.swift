extension Signal {
    /// Returns a signal that delivers only the end.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).ignoreValues()
    ///     .sink(onValue: { _ in }, onCompletion: { print($0) })  // finished
    /// ```
    ///
    /// - Delivery: no values. The operator requests another value for each value that it drops, so the upstream runs to
    ///   its end.
    @inlinable
    public func ignoreValues() -> Signal<Value, Failure> {
        lift { next in Sink(passingTo: next, onValue: { (_: Value) in .max(1) }) }
    }
}
