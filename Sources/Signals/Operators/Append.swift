extension Signal {
    /// Returns a signal that continues with another signal when its upstream finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1).append(.sequence(2...3)).sink { print($0) }  // 1 2 3
    /// ```
    ///
    /// - Delivery: all values of the upstream, then all values of the other signal. The other signal is attached when
    ///   the upstream has finished, and receives the outstanding demand.
    /// - Failure: the upstream's, or the other signal's.
    @inlinable
    public func append(_ other: Signal) -> Signal {
        .following(self) { completion, arbiter, next in
            guard case .finished = completion else { return next.receive(completion: completion) }
            arbiter.followToTheEnd(other, for: next)
        }
    }

    /// Returns a signal that delivers the given values when its upstream finishes.
    ///
    /// - Delivery: all values of the upstream, then the given values, as they are requested.
    /// - Failure: the upstream's.
    @inlinable
    public func append(_ values: Value...) -> Signal { append(.sequence(values)) }

    /// Applies `append(_:)` with another signal that cannot fail.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let cached = Signal<Int, Never>.just(2)
    /// let token = Signal<Int, Offline>.just(1).append(cached)
    ///     .sink(onValue: { print($0) }, onCompletion: { print($0) })  // 1 2 finished
    /// ```
    ///
    /// - Failure: the upstream's.
    @inlinable @_disfavoredOverload
    public func append(_ other: Signal<Value, Never>) -> Signal { append(other.setFailureType(to: Failure.self)) }
}

extension Signal where Failure == Never {
    /// Applies `append(_:)` to a signal that cannot fail, with another signal that can fail.
    ///
    /// - Failure: the other signal's.
    @inlinable @_disfavoredOverload
    public func append<Other: Error>(_ other: Signal<Value, Other>) -> Signal<Value, Other> {
        setFailureType(to: Other.self).append(other)
    }
}
