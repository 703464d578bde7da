extension Signal {
    /// Returns a signal of the values that satisfy a predicate.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...4).filter { $0.isMultiple(of: 2) }.sink { print($0) }  // 2 4
    /// ```
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread. The operator requests another
    ///   value for each value that it drops.
    @inlinable
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal {
        lift { next in
            Sink(passingTo: next, onValue: { isIncluded($0) ? next.receive($0) : .max(1) })
        }
    }

    /// Returns a signal of the values that satisfy a predicate; the signal fails if the predicate throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let evens = Signal<Int, Unknown>.sequence([1, 2, 0, 4]).tryFilter { value throws(Unknown) in
    ///     if value == 0 { throw Unknown() }
    ///     return value.isMultiple(of: 2)
    /// }
    /// let token = evens.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 2 failure(Unknown())
    /// ```
    ///
    /// - Delivery: at most one value for each upstream value, on the upstream's thread, until the predicate throws. The
    ///   operator requests another value for each value that it drops.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        trying((), stage: "tryFilter") { _, value throws(Failure) in try isIncluded(value) ? .deliver(value) : .drop }
    }
}

extension Signal where Failure == Never {
    /// Applies `tryFilter(_:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryFilter<Thrown: Error>(
        _ isIncluded: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryFilter(isIncluded)
    }
}
