extension Signal {
    /// Returns a signal without the values that equal the previous one.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 1, 2, 1]).removeDuplicates(by: ==).sink { print($0) }  // 1 2 1
    /// ```
    ///
    /// - Delivery: at most one value for each value, on the same thread; one more is requested for each dropped value.
    @inlinable
    public func removeDuplicates(by areEqual: @escaping @Sendable (Value, Value) -> Bool) -> Signal {
        lift { next in
            let last = Serial<Value?>(nil)
            return Sink(
                passingTo: next,
                onValue: { value in
                    if let previous = last.state, areEqual(previous, value) { return .max(1) }
                    last.state = value
                    return next.receive(value)
                })
        }
    }
}

extension Signal where Value: Equatable {
    /// Returns a signal without the values that equal the previous one.
    ///
    /// - Delivery: at most one value for each value, on the same thread; one more is requested for each dropped value.
    @inlinable
    public func removeDuplicates() -> Signal { removeDuplicates(by: ==) }
}
