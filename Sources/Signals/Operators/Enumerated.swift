extension Signal {
    /// Returns a signal of the values, each with its position, counted from zero.
    ///
    /// ```swift
    /// let token = Signal<String, Never>.sequence(["a", "b"]).enumerated()
    ///     .sink { print($0.offset, $0.element) }  // 0 a, 1 b
    /// ```
    ///
    /// - Delivery: one value for each upstream value, on the upstream's thread.
    @inlinable
    public func enumerated() -> Signal<(offset: Int, element: Value), Failure> {
        lift { next in
            let count = Serial(0)
            return Sink(
                passingTo: next,
                onValue: { value in
                    let offset = count.state
                    count.state = offset + 1
                    return next.receive((offset, value))
                })
        }
    }
}
