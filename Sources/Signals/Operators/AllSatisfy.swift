extension Signal {
    /// Returns a signal of whether all values satisfy a predicate; it stops at the first that does not.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).allSatisfy { $0 < 9 }.sink { print($0) }  // true
    /// ```
    ///
    /// - Delivery: false as soon as a value does not satisfy it, which cancels the upstream; true if the upstream
    ///   finishes first.
    @inlinable
    public func allSatisfy(_ isMatch: @escaping @Sendable (Value) -> Bool) -> Signal<Bool, Failure> {
        fold(
            true,
            onValue: { folding, value in
                if !isMatch(value) { folding.finish(with: false, cancelling: true) }
            },
            output: { $0 })
    }
}
