extension Signal {
    /// Returns a signal that drops each value that equals the previous value.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence([1, 1, 2, 1]).removeDuplicates(by: ==).sink { print($0) }  // 1 2 1
    /// ```
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread. The operator requests another
    ///   value for each value that it drops.
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

    /// Returns a signal that drops each value that equals the previous value; the signal fails if the comparison
    /// throws.
    ///
    /// ```swift
    /// struct Unordered: Error {}
    /// let values = Signal<Double, Unordered>.sequence([1, 1, 2, .nan])
    /// let changes = values.tryRemoveDuplicates { previous, value throws(Unordered) in
    ///     if previous.isNaN || value.isNaN { throw Unordered() }
    ///     return previous == value
    /// }
    /// let token = changes.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 1.0 2.0 failure(Unordered())
    /// ```
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread, until the comparison throws.
    ///   The operator requests another value for each value that it drops.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryRemoveDuplicates(
        by areEqual: @escaping @Sendable (Value, Value) throws(Failure) -> Bool
    ) -> Signal {
        trying(Value?.none, stage: "tryRemoveDuplicates") { last, value throws(Failure) in
            if let last, try areEqual(last, value) { return .drop }
            last = value
            return .deliver(value)
        }
    }
}

extension Signal where Value: Equatable {
    /// Returns a signal that drops each value that equals the previous value.
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread. The operator requests another
    ///   value for each value that it drops.
    @inlinable
    public func removeDuplicates() -> Signal { removeDuplicates(by: ==) }
}

extension Signal where Failure == Never {
    /// Applies `tryRemoveDuplicates(by:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryRemoveDuplicates<Thrown: Error>(
        by areEqual: @escaping @Sendable (Value, Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryRemoveDuplicates(by: areEqual)
    }
}
