extension Signal {
    /// Returns a signal of the last value, once the upstream has finished.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).last().sink { print($0) }  // 3
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes, none if there were no values or it fails.
    @inlinable
    public func last() -> Signal {
        fold(Value?.none, onValue: { $0.state = $1 }, output: { $0 })
    }

    /// Returns a signal of the last value that satisfies a predicate, once the upstream has finished.
    ///
    /// - Delivery: one value when the upstream finishes, none if no value satisfies the predicate or it fails.
    @inlinable
    public func last(where isMatch: @escaping @Sendable (Value) -> Bool) -> Signal {
        fold(Value?.none, onValue: { if isMatch($1) { $0.state = $1 } }, output: { $0 })
    }

    /// Returns a signal of the last value that satisfies a predicate; it fails with the error that the predicate
    /// throws.
    ///
    /// ```swift
    /// struct Unknown: Error {}
    /// let low = Signal<Int, Unknown>.sequence([1, 2, 5]).tryLast(where: { value throws(Unknown) in
    ///     if value < 0 { throw Unknown() }
    ///     return value < 3
    /// })
    /// let token = low.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 2 finished
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes; none if no value satisfies the predicate, the upstream fails
    ///   or the predicate throws.
    /// - Failure: the upstream's, or the thrown error; the upstream is then cancelled.
    @inlinable @inline(__always)
    public func tryLast(where isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        trying((), stage: "tryLast") { _, value throws(Failure) in try isMatch(value) ? .deliver(value) : .drop }
            .last()
    }
}

extension Signal where Failure == Never {
    /// Applies `tryLast(where:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error; the upstream is then cancelled.
    @inlinable @_disfavoredOverload
    public func tryLast<Thrown: Error>(
        where isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryLast(where: isMatch)
    }
}
