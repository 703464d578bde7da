extension Signal {
    /// Returns a signal that goes on with another one when its upstream finishes.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1).append(.sequence(2...3)).sink { print($0) }  // 1 2 3
    /// ```
    ///
    /// - Delivery: all values of the upstream, then all of the other, which is attached when the first has finished
    ///   and asked for what is outstanding then.
    /// - Failure: the first one.
    @inlinable
    public func append(_ other: Signal) -> Signal {
        .following(self) { completion, arbiter, next in
            guard case .finished = completion else { return next.receive(completion: completion) }
            arbiter.follow(other, onValue: next.onValue, onCompletion: next.onCompletion)
        }
    }

    /// Returns a signal that delivers more values when its upstream finishes.
    ///
    /// - Delivery: all values of the upstream, then these, as they are asked for.
    /// - Failure: the upstream's.
    @inlinable
    public func append(_ values: Value...) -> Signal { append(.sequence(values)) }
}
