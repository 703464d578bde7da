extension Signal {
    /// Returns a signal of the leading values that satisfy a predicate.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...).prefix(while: { $0 < 3 }).sink { print($0) }  // 1 2
    /// ```
    ///
    /// - Delivery: the leading values that satisfy the predicate, on the upstream's thread. At the first value that
    ///   does not satisfy it, the signal cancels its upstream and finishes.
    @inlinable
    public func prefix(while isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal {
        trying((), stage: "prefixWhile") { _, value in isIncluded(value) ? .deliver(value) : .finish }
    }

    /// Returns a signal of the leading values that satisfy a predicate; the signal fails if the predicate throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let low = Signal<Int, Unknown>.sequence([1, 2, -1, 5]).tryPrefix(while: { value throws(Unknown) in
    ///     if value < 0 { throw Unknown() }
    ///     return value < 3
    /// })
    /// let token = low.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 1 2 failure(Unknown())
    /// ```
    ///
    /// - Delivery: the leading values that satisfy the predicate, on the upstream's thread. At the first value that
    ///   does not satisfy it, the signal cancels its upstream and finishes.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryPrefix(while isIncluded: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        trying((), stage: "tryPrefixWhile") { _, value throws(Failure) in
            try isIncluded(value) ? .deliver(value) : .finish
        }
    }
}

extension Signal where Failure == Never {
    /// Applies `tryPrefix(while:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryPrefix<Thrown: Error>(
        while isIncluded: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryPrefix(while: isIncluded)
    }
}
