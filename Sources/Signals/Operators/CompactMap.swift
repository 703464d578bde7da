extension Signal {
    /// Returns a signal of the transformed values that are not nil.
    ///
    /// ```swift
    /// let token = Signal<String, Never>.sequence(["1", "x", "3"]).compactMap { Int($0) }.sink { print($0) }  // 1 3
    /// ```
    ///
    /// - Delivery: at most one value for each value, on the same thread; one more is requested for each dropped value.
    @inlinable
    public func compactMap<Output>(_ transform: @escaping @Sendable (Value) -> Output?) -> Signal<Output, Failure> {
        lift { next in
            Sink(
                passingTo: next,
                onValue: { value in
                    guard let output = transform(value) else { return .max(1) }
                    return next.receive(output)
                })
        }
    }
}
