extension Signal {
    /// Returns a signal of each value together with the previous value.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 4, 9]).pairwise().sink { print($1 - $0) }  // 3 5
    /// ```
    ///
    /// - Delivery: a pair for each upstream value except the first, on the upstream's thread. The operator requests one
    ///   more value, because the first one completes no pair.
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
