extension Signal {
    /// Returns a signal that delivers a value when the upstream finishes without one.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.empty().replaceEmpty(with: 7).sink { print($0) }  // 7
    /// ```
    ///
    /// - Delivery: as the upstream; or the one value, once it is requested.
    /// - Failure: the upstream's.
    @inlinable
    public func replaceEmpty(with value: Value) -> Signal {
        Signal(trusted: { next in
            let arbiter = Arbiter()
            let isEmpty = Serial(true)
            next.receive(upstream: arbiter.upstream)
            let onValue: @Sendable (Value) -> Demand = {
                isEmpty.state = false
                return next.receive($0)
            }
            arbiter.follow(self, onValue: onValue) { completion in
                guard case .finished = completion, isEmpty.state else { return next.receive(completion: completion) }
                arbiter.follow(.just(value), onValue: next.onValue, onCompletion: next.onCompletion)
            }
        })
    }
}
