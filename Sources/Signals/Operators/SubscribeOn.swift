extension Signal {
    /// Returns a signal that attaches its upstream, and requests values from it, on a scheduler.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.deferred { .just(expensive()) }
    ///     .subscribe(on: DispatchQueue.global())
    ///     .sink { print($0) }
    ///
    /// @Sendable func expensive() -> Int { 42 }
    /// ```
    ///
    /// - Delivery: on the upstream's thread. The operator attaches and requests on the scheduler. As part of the
    ///   attach, it requests the demand that has arrived until then. Cancelling takes effect at once, even while the
    ///   scheduler serves a request. If the sink cancels before the attach, the upstream is never attached.
    @inlinable
    public func subscribe(on scheduler: some SignalScheduler) -> Signal {
        Signal(trusted: { [attachment] next in
            let arbiter = Arbiter()
            next.receive(upstream: arbiter.upstream)
            // The arbiter holds the closure that attaches the upstream. If the sink cancels before the scheduler runs
            // that closure, the arbiter releases it.
            let sink = arbiter.sink(onValue: next.onValue, onCompletion: next.onCompletion)
            arbiter.prepare {
                attachment(
                    Sink(
                        onUpstream: { upstream in
                            // The first request goes to `upstream` directly, because values of a hot upstream would be
                            // lost during another hop to the scheduler.
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
