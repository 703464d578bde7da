import Synchronization

/// One run of `receive(on:)`: values wait in order until one job on the scheduler delivers all that have come by then.
///
/// One job serves a burst, so the order holds on a concurrent queue too, and a burst costs one hop. Demand is passed
/// on as it is, so what waits is bounded by what was requested.
@usableFromInline
final class Hop<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline struct Waiting {
        @usableFromInline var values: [Value] = []
        @usableFromInline var ending: Completion<Failure>?
        @usableFromInline var isScheduled = false

        @inlinable
        init() {}
    }

    // Safe because `next` is confined to the one job that is scheduled at a time, and to `drain` when it is let go.
    @usableFromInline var next: Exit<Value, Failure>?
    @usableFromInline let drain = Drain()
    @usableFromInline let attachment = Attachment()
    @usableFromInline let waiting = Lock(Waiting())
    @usableFromInline let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
    @usableFromInline var upstream: Upstream?

    @inlinable
    init(
        _ next: Sink<Value, Failure>, schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.next = Exit(next)
        self.schedule = schedule
    }

    @inlinable
    func receive(upstream: Upstream) {
        guard attachment.receive(upstream: upstream) else { return }
        self.upstream = upstream
        next?.sink.receive(
            upstream: Upstream(
                request: { [self] in if !attachment.isClosed { upstream.request($0) } },
                cancel: { [self] in cancel() }))
    }

    @inlinable
    func receive(_ value: Value) -> Demand {
        let isFirst = waiting.withLock { state in
            state.values.append(value)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { schedule { self.drain.run { self.deliver() } } }
        return .none
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
        let isFirst = waiting.withLock { state in
            state.ending = completion
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { schedule { self.drain.run { self.deliver() } } }
    }

    @inlinable
    func deliver() {
        while !attachment.isClosed {
            let (batch, ending) = waiting.withLock { state in
                let taken = (state.values, state.values.isEmpty ? state.ending : nil)
                state.values = []
                if taken.0.isEmpty { state.isScheduled = false }
                return taken
            }
            if let ending { return end(ending) }
            if batch.isEmpty { return }
            var more = Demand.none
            for value in batch where !attachment.isClosed {
                more += next?.receive(value) ?? .none
            }
            if !attachment.isClosed { upstream?.request(more) }
        }
        letGo()
    }

    @inlinable
    func end(_ completion: Completion<Failure>) {
        guard attachment.end() else { return letGo() }
        let last = next.take()
        upstream = nil
        last?.sink.receive(completion: completion)
    }

    @inlinable
    func cancel() {
        attachment.cancel()
        drain.run { if attachment.isClosed { letGo() } }
    }

    @inlinable
    func letGo() {
        next = nil
        upstream = nil
        _ = waiting.withLock { state in
            let dropped = state.values
            state.values = []
            return dropped
        }
    }
}
