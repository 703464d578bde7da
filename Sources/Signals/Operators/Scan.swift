extension Signal {
    /// Returns a signal of running results: each value is combined with the previous result.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...4).scan(0, +).sink { print($0) }  // 1 3 6 10
    /// ```
    ///
    /// - Delivery: one value for each value, on the same thread.
    @inlinable
    public func scan<Output: Sendable>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) -> Output
    ) -> Signal<Output, Failure> {
        lift { next in
            let result = Serial(initial)
            return Sink(
                passingTo: next,
                onValue: { value in
                    result.state = combine(result.state, value)
                    return next.receive(result.state)
                })
        }
    }
}
