extension Signal {
    /// Returns a signal of the values that satisfy a predicate, which fails with what the predicate throws.
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
    /// - Delivery: at most one value for each value, on the same thread, up to the first error; one more is requested
    ///   for each dropped value.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
    @inlinable
    public func tryFilter(_ isIncluded: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        trying((), stage: "tryFilter") { _, value throws(Failure) in try isIncluded(value) ? .deliver(value) : .drop }
    }
}

extension Signal where Failure == Never {
    /// Returns a signal of the values that satisfy a predicate, which may fail although its upstream cannot.
    ///
    /// - Delivery: at most one value for each value, on the same thread, up to the first error; one more is requested
    ///   for each dropped value.
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload  // Where both fit, the plain overload is chosen.
    public func tryFilter<Thrown: Error>(
        _ isIncluded: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryFilter(isIncluded)
    }
}
