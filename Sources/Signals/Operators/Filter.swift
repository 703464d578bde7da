extension Signal {
    /// Returns a signal of the values that satisfy a predicate.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...4).filter { $0.isMultiple(of: 2) }.sink { print($0) }  // 2 4
    /// ```
    ///
    /// - Delivery: at most one value for each value, on the same thread; one more is requested for each dropped value.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal {
        lift { next in
            Sink(passingTo: next, onValue: { isIncluded($0) ? next.receive($0) : .max(1) })
        }
    }
}
