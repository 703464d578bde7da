extension Signal {
    /// Returns a signal of running results: the closure combines each value with the previous result.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...4).scan(0, +).sink { print($0) }  // 1 3 6 10
    /// ```
    ///
    /// - Delivery: one value for each upstream value, on the upstream's thread.
    @inlinable
    public func scan<Output: Sendable>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) -> Output
    ) -> Signal<Output, Failure> {
        lift { next in
            let result = Serial(initial)
            return Sink(
                passingTo: next,
                onValue: { value in
                    result.state = combine(result.state, value)
                    return next.receive(result.state)
                })
        }
    }

    /// Returns a signal of running results; the signal fails if the closure throws.
    ///
    /// ```swift
    /// struct Overflow: Error {}
    /// let sums = Signal<Int8, Overflow>.sequence([100, 20, 30]).tryScan(Int8(0)) { sum, value throws(Overflow) in
    ///     let (result, isTooLarge) = sum.addingReportingOverflow(value)
    ///     if isTooLarge { throw Overflow() }
    ///     return result
    /// }
    /// let token = sums.sink(onValue: { print($0) }, onCompletion: { print($0) })  // 100 120 failure(Overflow())
    /// ```
    ///
    /// - Delivery: one value for each upstream value, on the upstream's thread, until the closure throws.
    /// - Failure: the upstream's, or the thrown error, which cancels the upstream.
    @inlinable
    public func tryScan<Output: Sendable>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) throws(Failure) -> Output
    ) -> Signal<Output, Failure> {
        trying(initial, stage: "tryScan") { result, value throws(Failure) in
            result = try combine(result, value)
            return .deliver(result)
        }
    }
}

extension Signal where Failure == Never {
    /// Applies `tryScan(_:_:)` to a signal that cannot fail.
    ///
    /// - Failure: the thrown error, which cancels the upstream.
    @inlinable @_disfavoredOverload
    public func tryScan<Output: Sendable, Thrown: Error>(
        _ initial: Output, _ combine: @escaping @Sendable (Output, Value) throws(Thrown) -> Output
    ) -> Signal<Output, Thrown> {
        setFailureType(to: Thrown.self).tryScan(initial, combine)
    }
}
