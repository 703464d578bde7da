extension Signal {
    /// Returns a signal of the transformed values.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).map { $0 * 10 }.sink { print($0) }  // 10 20 30
    /// ```
    ///
    /// - Delivery: one value for each value, on the same thread.
    @inlinable
    public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> Signal<Output, Failure> {
        lift { next in
            Sink(passingTo: next, onValue: { next.receive(transform($0)) })
        }
    }
}
