extension Signal {
    /// Returns a signal that makes a signal of each value and delivers what they all deliver, as it comes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3)
    ///     .flatMap { Signal<String, Never>.sequence(["\($0)a", "\($0)b"]) }
    ///     .sink { print($0) }  // 1a 1b 2a 2b 3a 3b
    /// ```
    ///
    /// - Delivery: one value at a time, on whichever thread an inner signal delivers; those of one inner signal in
    ///   order. No more than `maxConcurrent` inner signals are attached at a time. For a sink that asks for limited
    ///   numbers it holds at most 16 values of each inner signal. It finishes when the upstream and all inner signals
    ///   have.
    /// - Failure: the first one, of the upstream or an inner signal; all the others are cancelled, and what waits is
    ///   dropped.
    @inlinable
    public func flatMap<Output: Sendable>(
        maxConcurrent: Demand = .unlimited,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        precondition(maxConcurrent > .none, "flatMap(maxConcurrent:) needs room for one inner signal or more.")
        return lift { next in
            let fanIn = FanIn(next, maxConcurrent: maxConcurrent, prefetch: 16)
            return Sink(
                onUpstream: { fanIn.receive(upstream: $0) },
                onValue: { fanIn.attach(transform($0)) },
                onCompletion: { fanIn.end($0) })
        }
    }
}

extension Signal where Failure == Never {
    /// Returns a signal that makes a signal, which may fail, of each value and delivers what they all deliver.
    ///
    /// - Delivery: as `flatMap` of a signal with the same failure type.
    /// - Failure: the first one of an inner signal; all the others are cancelled.
    @inlinable @_disfavoredOverload  // Where both fit, the plain one is meant.
    public func flatMap<Output: Sendable, Other: Error>(
        maxConcurrent: Demand = .unlimited,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).flatMap(maxConcurrent: maxConcurrent, transform)
    }
}
