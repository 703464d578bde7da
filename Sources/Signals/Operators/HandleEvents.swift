extension Signal {
    /// Returns the same signal, which calls closures as it is used.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1)
    ///     .handleEvents(onRequest: { print("asked for", $0) }, onValue: { print("got", $0) })
    ///     .sink { print($0) }  // asked for unlimited, got 1, 1
    /// ```
    ///
    /// - Delivery: as the upstream; `onValue` and `onCompletion` run before the sink is called, on the same thread,
    ///   `onRequest` and `onCancel` on the thread that asks or cancels. Demand that a sink answers with is not a
    ///   request.
    @inlinable
    public func handleEvents(
        onUpstream: (@Sendable () -> Void)? = nil,
        onRequest: (@Sendable (Demand) -> Void)? = nil,
        onValue: (@Sendable (Value) -> Void)? = nil,
        onCompletion: (@Sendable (Completion<Failure>) -> Void)? = nil,
        onCancel: (@Sendable () -> Void)? = nil
    ) -> Signal {
        lift { next in
            Sink(
                onUpstream: { upstream in
                    onUpstream?()
                    guard onRequest != nil || onCancel != nil else { return next.receive(upstream: upstream) }
                    next.receive(
                        upstream: Upstream(
                            request: {
                                onRequest?($0); upstream.request($0)
                            },
                            cancel: {
                                onCancel?(); upstream.cancel()
                            }))
                },
                onValue: {
                    onValue?($0); return next.receive($0)
                },
                onCompletion: {
                    onCompletion?($0); next.receive(completion: $0)
                })
        }
    }
}
