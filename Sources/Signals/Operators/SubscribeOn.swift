extension Signal {
    /// Returns the same signal, attached and asked on a scheduler.
    ///
    /// ```swift
    /// let token = Signal<Int, Never>.deferred { .just(expensive()) }
    ///     .subscribe(on: DispatchQueue.global())
    ///     .sink { print($0) }
    ///
    /// @Sendable func expensive() -> Int { 42 }
    /// ```
    ///
    /// - Delivery: wherever the upstream delivers. Attaching and requests hop; cancelling does not: it overtakes a
    ///   request that is being answered, and before the attach it is remembered, so that the upstream is never
    ///   attached.
    @inlinable
    public func subscribe(on scheduler: some SignalScheduler) -> Signal {
        Signal(trusted: { [attachment] next in
            let arbiter = Arbiter()
            let start = Starter(next)
            next.receive(
                upstream: Upstream(
                    request: { arbiter.request($0) },
                    cancel: {
                        arbiter.cancel()
                        start.cancel()
                    }))
            scheduler.schedule {
                guard let next = start.take() else { return }
                attachment(
                    Sink(
                        onUpstream: { upstream in
                            arbiter.receive(
                                upstream: Upstream(
                                    request: { more in scheduler.schedule { upstream.request(more) } },
                                    cancel: upstream.cancel))
                        },
                        onValue: { arbiter.delivered(adding: next.receive($0)) },
                        onCompletion: { completion in
                            arbiter.dropUpstream()
                            next.receive(completion: completion)
                        }))
            }
        })
    }
}

/// Holds the sink until the scheduler comes to attach it, and lets go of it when it is cancelled before.
@usableFromInline
final class Starter<Value, Failure: Error>: Sendable {
    private let sink: Lock<Sink<Value, Failure>?>

    @usableFromInline
    init(_ sink: Sink<Value, Failure>) { self.sink = Lock(sink) }

    @usableFromInline
    func take() -> Sink<Value, Failure>? { sink.withLock { $0.take() } }

    @usableFromInline
    func cancel() { _ = take() }
}
