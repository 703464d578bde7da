extension Signal {
    /// Returns a signal of the values up to the first that does not satisfy a predicate; it then cancels its upstream.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...).prefix(while: { $0 < 3 }).sink { print($0) }  // 1 2
    /// ```
    ///
    /// - Delivery: one value for each value that satisfies the predicate, on the same thread; it finishes at the first
    ///   that does not.
    @inlinable
    public func prefix(while isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal {
        trying((), stage: "prefixWhile") { _, value in isIncluded(value) ? .deliver(value) : .finish }
    }

    /// Returns a signal of the values up to the first that does not satisfy a predicate; it fails with the error that
    /// it throws.
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
    /// - Delivery: one value for each value that satisfies the predicate, on the same thread; it finishes at the first
    ///   that does not, and fails at the first error.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
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
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryPrefix<Thrown: Error>(
        while isIncluded: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryPrefix(while: isIncluded)
    }
}
