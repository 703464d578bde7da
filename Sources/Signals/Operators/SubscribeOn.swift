extension Signal {
    /// Returns the same signal, attached and requested from on a scheduler.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.deferred { .just(expensive()) }
    ///     .subscribe(on: DispatchQueue.global())
    ///     .sink { print($0) }
    ///
    /// @Sendable func expensive() -> Int { 42 }
    /// ```
    ///
    /// - Delivery: wherever the upstream delivers. Attaching and requests hop; values requested before the attach are
    ///   requested with it, without another hop. Cancelling does not hop: it overtakes a request that is being served,
    ///   and a cancel before the attach is remembered, so that the upstream is never attached.
    @inlinable
    public func subscribe(on scheduler: some SignalScheduler) -> Signal {
        Signal(trusted: { [attachment] next in
            let arbiter = Arbiter()
            next.receive(upstream: arbiter.upstream)
            // The arbiter holds the attach, and releases it if it is cancelled before the scheduler makes it.
            let sink = arbiter.sink(onValue: next.onValue, onCompletion: next.onCompletion)
            arbiter.prepare {
                attachment(
                    Sink(
                        onUpstream: { upstream in
                            // Requested at once: values that a hot upstream sends during another hop would be lost.
                            arbiter.receive(
                                upstream: Upstream(
                                    request: { more in scheduler.schedule { upstream.request(more) } },
                                    cancel: upstream.cancel),
                                requestingFrom: upstream)
                        }, onValue: sink.onValue, onCompletion: sink.onCompletion))
            }
            scheduler.schedule { arbiter.proceed() }
        })
    }
}
