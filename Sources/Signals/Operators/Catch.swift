extension Signal {
    /// Returns a signal that goes on with another one when its upstream fails.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let token = Signal<Int, Offline>.fail(Offline())
    ///     .catch { _ in Signal<Int, Never>.just(0) }
    ///     .sink { print($0) }  // 0
    /// ```
    ///
    /// - Delivery: as the upstream, then as the signal that `recover` returns, which is asked for what is still outstanding.
    /// - Failure: the second signal's.
    @inlinable
    public func `catch`<Other: Error>(
        _ recover: @escaping @Sendable (Failure) -> Signal<Value, Other>
    ) -> Signal<Value, Other> {
        Signal<Value, Other>(trusted: { [attachment] next in
            let arbiter = Arbiter()
            next.receive(upstream: arbiter.upstream)
            let onValue: @Sendable (Value) -> Demand = { arbiter.delivered(adding: next.receive($0)) }
            arbiter.follow {
                attachment(
                    Sink(
                        onUpstream: { arbiter.receive(upstream: $0) },
                        onValue: onValue,
                        onCompletion: { completion in
                            arbiter.dropUpstream()
                            guard case .failure(let failure) = completion else {
                                return next.receive(completion: .finished)
                            }
                            let fallback = recover(failure)
                            arbiter.follow {
                                fallback.attach(
                                    Sink(
                                        onUpstream: { arbiter.receive(upstream: $0) },
                                        onValue: onValue,
                                        onCompletion: { completion in
                                            arbiter.dropUpstream()
                                            next.receive(completion: completion)
                                        }))
                            }
                        }))
            }
        })
    }
}
