extension Signal {
    /// Returns a signal of each value together with the one before it.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 4, 9]).pairwise().sink { print($1 - $0) }  // 3 5
    /// ```
    ///
    /// - Delivery: a pair for each value but the first, on the same thread; one more is requested for the first.
    @inlinable
    public func pairwise() -> Signal<(Value, Value), Failure> {
        lift { next in
            let last = Serial<Value?>(nil)
            return Sink(
                passingTo: next,
                onValue: { value in
                    let previous = last.state
                    last.state = value
                    guard let previous else { return .max(1) }
                    return next.receive((previous, value))
                })
        }
    }
}
