extension Signal {
    /// Returns a signal that turns each value into an inner signal and delivers the values of all inner signals as they
    /// arrive.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.sequence(1...3)
    ///     .flatMap { Signal<String, Never>.sequence(["\($0)a", "\($0)b"]) }
    ///     .sink { print($0) }  // 1a 1b 2a 2b 3a 3b
    /// ```
    ///
    /// A closure of several statements must name its result type: `{ value -> Signal<Output, Failure> in … }`.
    ///
    /// - Delivery: one value at a time, on the thread of an inner signal. The values of one inner signal stay in order.
    ///   At most `maxConcurrent` inner signals are attached at a time. An inner signal counts towards this limit until
    ///   it has ended and all its values have been delivered. For a sink with limited demand, the operator buffers at
    ///   most 16 values of each inner signal. The run finishes when the upstream and all inner signals have finished.
    /// - Failure: the first failure of the upstream or an inner signal. The operator then cancels all other signals and
    ///   drops buffered values.
    @inlinable
    public func flatMap<Output: Sendable>(
        maxConcurrent: Demand = .unlimited,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        precondition(maxConcurrent > .none, "flatMap(maxConcurrent:) needs a limit of one or more.")
        return fanning(maxConcurrent, stage: "flatMap", transform)
    }

    @inlinable
    func fanning<Output: Sendable>(
        _ maxConcurrent: Demand, stage: StaticString,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> {
        lift { next in
            let fanIn = FanIn(next, maxConcurrent: maxConcurrent, prefetch: 16, stage: stage)
            return Sink(
                onUpstream: { fanIn.receive(upstream: $0) },
                onValue: { fanIn.attach(transform($0)) },
                onCompletion: { fanIn.end($0) })
        }
    }

    /// Applies `flatMap(maxConcurrent:_:)` with inner signals that cannot fail.
    ///
    /// ```swift
    /// let names = CurrentValue<String, Never>("Fargo")
    /// let token = repository.count(Movie.all).flatMap { count in names.signal.map { "\(count) and \($0)" } }
    ///     .sink(onValue: { print($0) }, onCompletion: { _ in })
    /// ```
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func flatMap<Output: Sendable>(
        maxConcurrent: Demand = .unlimited, _ transform: @escaping @Sendable (Value) -> Signal<Output, Never>
    ) -> Signal<Output, Failure> {
        flatMap(maxConcurrent: maxConcurrent) { transform($0).setFailureType(to: Failure.self) }
    }
}

extension Signal where Failure == Never {
    /// Applies `flatMap(maxConcurrent:_:)` to a signal that cannot fail, with inner signals that can fail.
    ///
    /// - Failure: the first failure of an inner signal.
    @inlinable @_disfavoredOverload
    public func flatMap<Output: Sendable, Other: Error>(
        maxConcurrent: Demand = .unlimited,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Other>
    ) -> Signal<Output, Other> {
        setFailureType(to: Other.self).flatMap(maxConcurrent: maxConcurrent, transform)
    }
}
