extension Signal {
    /// Returns a copy of the signal that calls closures for the events of each run.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.just(1)
    ///     .handleEvents(onRequest: { print("asked for", $0) }, onValue: { print("got", $0) })
    ///     .sink { print($0) }  // asked for unlimited, got 1, 1
    /// ```
    ///
    /// - Delivery: the same as the upstream's. `onValue` and `onCompletion` run before the sink is called, on the same
    ///   thread. `onRequest` and `onCancel` run on the thread that requests or cancels. `onRequest` also runs for
    ///   demand that a sink returns for a value. `onCancel` runs at most once, and never after the signal has ended.
    @inlinable
    public func handleEvents(
        onUpstream: (@Sendable () -> Void)? = nil,
        onRequest: (@Sendable (Demand) -> Void)? = nil,
        onValue: (@Sendable (Value) -> Void)? = nil,
        onCompletion: (@Sendable (Completion<Failure>) -> Void)? = nil,
        onCancel: (@Sendable () -> Void)? = nil
    ) -> Signal {
        lift { next in
            // The attachment, needed only for `onCancel`, makes it run at most once, and never after the end.
            let run = onCancel.map { _ in Attachment() }
            return Sink(
                onUpstream: { upstream in
                    onUpstream?()
                    guard let run else {
                        guard let onRequest else { return next.receive(upstream: upstream) }
                        return next.receive(
                            upstream: Upstream(
                                request: {
                                    onRequest($0); upstream.request($0)
                                }, cancel: upstream.onCancel))
                    }
                    guard run.receive(upstream: upstream) else { return }
                    next.receive(
                        upstream: Upstream(
                            request: {
                                onRequest?($0); run.request($0)
                            },
                            cancel: {
                                let (isFirst, upstream) = run.close()
                                if isFirst { onCancel?() }
                                upstream?.cancel()
                            }))
                },
                onValue: {
                    onValue?($0)
                    let more = next.receive($0)
                    if more > .none { onRequest?(more) }
                    return more
                },
                onCompletion: {
                    if run?.end() == false { return }
                    onCompletion?($0); next.receive(completion: $0)
                })
        }
    }
}
