extension Signal {
    /// Returns a signal that delivers the last value when the upstream finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3).last().sink { print($0) }  // 3
    /// ```
    ///
    /// - Delivery: one value when the upstream finishes; nothing if the upstream delivers no values or fails.
    @inlinable
    public func last() -> Signal {
        fold(Value?.none, onValue: { $0.state = $1 }, output: { $0 })
    }

    /// Returns a signal of the last value that satisfies a predicate, delivered when the upstream finishes.
    ///
    /// - Delivery: one value when the upstream finishes; nothing if no value satisfies the predicate or the upstream
    ///   fails.
    @inlinable
    public func last(where isMatch: @escaping @Sendable (Value) -> Bool) -> Signal {
        fold(Value?.none, onValue: { if isMatch($1) { $0.state = $1 } }, output: { $0 })
    }

    /// Returns a signal of the last value that satisfies a predicate; the signal fails if the predicate throws.
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
    /// - Delivery: one value when the upstream finishes; nothing if no value satisfies the predicate, the upstream
    ///   fails or the predicate throws.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable @inline(__always)
    public func tryLast(where isMatch: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal {
        trying((), stage: "tryLast") { _, value throws(Failure) in try isMatch(value) ? .deliver(value) : .drop }
            .last()
    }
}

extension Signal where Failure == Never {
    /// Applies `tryLast(where:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryLast<Thrown: Error>(
        where isMatch: @escaping @Sendable (Value) throws(Thrown) -> Bool
    ) -> Signal<Value, Thrown> {
        setFailureType(to: Thrown.self).tryLast(where: isMatch)
    }
}
