extension Signal {
    /// Returns a signal of what a callback-style source emits; the source is started once for each sink.
    ///
    /// ```swift
    /// let ticks = Signal<Int, Never>.create { emitter in
    ///     emitter.send(1)
    ///     emitter.send(2)
    ///     emitter.finish()
    ///     return { print("torn down") }
    /// }
    /// let token = ticks.sink { print($0) }  // 1 2 torn down
    /// ```
    ///
    /// - Delivery: on the thread that emits, one value at a time whichever threads emit. `whenBehind` says what is
    ///   kept for a sink without demand. The closure that `start` returns runs once, when the signal ends or is
    ///   cancelled.
    /// - Failure: what is sent with `fail`.
    public static func create(
        whenBehind backlog: Backlog = .drop,
        _ start: @escaping @Sendable (Emitter<Value, Failure>) -> (@Sendable () -> Void)
    ) -> Signal {
        Signal(trusted: { sink in
            let hub = Hub<Value, Failure>(backlog: backlog)
            let teardown = SignalToken()
            hub.attach(
                Sink(
                    onUpstream: { upstream in
                        sink.receive(
                            upstream: Upstream(
                                request: { [hub] in
                                    upstream.request($0)
                                    withExtendedLifetime(hub) {}
                                },
                                cancel: {
                                    upstream.cancel()
                                    teardown.cancel()
                                }))
                    },
                    onValue: sink.onValue,
                    onCompletion: { completion in
                        teardown.cancel()
                        sink.receive(completion: completion)
                    }))
            let stop = start(Emitter(hub))
            teardown.attachment.receive(upstream: Upstream(request: { _ in }, cancel: stop))
        })
    }
}

/// Where a source made with `Signal.create` puts its values and its end.
///
/// It may be used from any thread; what comes after the end or a cancel is dropped.
public struct Emitter<Value: Sendable, Failure: Error>: Sendable {
    private let hub: Hub<Value, Failure>

    init(_ hub: Hub<Value, Failure>) { self.hub = hub }

    /// Sends a value.
    public func send(_ value: Value) { hub.send(value) }

    /// Ends the signal.
    public func finish() { hub.submit(.end(.finished)) }

    /// Ends the signal with a failure.
    public func fail(_ failure: Failure) { hub.submit(.end(.failure(failure))) }
}
