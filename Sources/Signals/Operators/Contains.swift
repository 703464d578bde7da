extension Signal {
    /// Returns a signal of whether any value satisfies a predicate; it stops at the first that does.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...).contains(where: { $0 > 3 }).sink { print($0) }  // true
    /// ```
    ///
    /// - Delivery: true as soon as a value satisfies it, which cancels the upstream; false if the upstream finishes
    ///   first.
    @inlinable
    public func contains(where isMatch: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Failure> {
        fold(
            false,
            onValue: { folding, value in
                if isMatch(value) { folding.finish(with: true, cancelling: true) }
            },
            output: { $0 })
    }
}

extension Signal where Value: Equatable {
    /// Returns a signal of whether any value equals `element`; it stops at the first that does.
    ///
    /// - Delivery: true as soon as a value equals it, which cancels the upstream; false if the upstream finishes first.
    @inlinable
    public func contains(_ element: Value) -> Signal<Bool, Failure> { contains(where: { $0 == element }) }
}
