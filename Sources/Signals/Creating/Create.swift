extension Signal {
    /// Returns a signal of the values that a callback-style source emits; the source is started once for each sink.
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
    /// - Delivery: on the emitting thread, one value at a time even if several threads emit. If the sink has no demand,
    ///   up to `bufferSize` values wait. By default, their number has no bound, since a callback cannot wait. Pass a
    ///   bound for a source that stays faster than its sink. The closure that `start` returns runs once, when the
    ///   signal ends or is cancelled.
    /// - Failure: the error passed to `fail`.
    public static func create(
        bufferSize: Int = .max, whenFull strategy: BufferingStrategy<Never> = .dropNewest,
        _ start: @escaping @Sendable (Emitter<Value, Failure>) -> (@Sendable () -> Void)
    ) -> Signal {
        Signal(trusted: { sink in
            let hub = Hub<Value, Failure>(stage: "create", bufferSize: bufferSize, whenFull: strategy)
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
            let stop = start(Emitter(hub: hub, run: teardown.attachment))
            teardown.attachment.receive(upstream: Upstream(request: { _ in }, cancel: stop))
        })
    }
}

/// The handle through which a source made with `Signal.create` emits its values and its end.
///
/// It may be used from any thread. Values and ends that follow the first end or a cancel are dropped.
public struct Emitter<Value: Sendable, Failure: Error>: Sendable {
    let hub: Hub<Value, Failure>
    let run: Attachment

    /// Whether the run is over: the sink has cancelled or received the end.
    ///
    /// A source that produces values by itself can check this and stop.
    ///
    /// ```swift
    /// let squares = Signal<Int, Never>.create { emitter in
    ///     var number = 0
    ///     while !emitter.isCancelled {
    ///         number += 1
    ///         emitter.send(number * number)
    ///     }
    ///     return {}
    /// }
    /// let token = squares.prefix(3).sink { print($0) }  // 1 4 9
    /// ```
    public var isCancelled: Bool { run.isClosed }

    /// Sends a value.
    public func send(_ value: Value) { hub.send(value) }

    /// Ends the signal.
    public func finish() { hub.send(completion: .finished) }

    /// Ends the signal with a failure.
    public func fail(_ failure: Failure) { hub.send(completion: .failure(failure)) }
}
