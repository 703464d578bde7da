extension Signal {
    /// Returns a signal of the values starting with the first that does not satisfy a predicate.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 5, 2]).drop(while: { $0 < 3 }).sink { print($0) }  // 5 2
    /// ```
    ///
    /// - Delivery: at most one value for each value, on the same thread; one more is requested for each dropped value.
    @inlinable
    public func drop(while isDropped: @escaping @Sendable (Value) -> Bool) -> Signal {
        lift { next in
            let isDropping = Serial(true)
            return Sink(
                passingTo: next,
                onValue: { value in
                    if isDropping.state {
                        if isDropped(value) { return .max(1) }
                        isDropping.state = false
                    }
                    return next.receive(value)
                })
        }
    }
}
