import Synchronization

/// One run of `receive(on:)`: values wait in order until one job on the scheduler delivers all that have come by then.
///
/// One job serves a burst, so the order holds on a concurrent queue too, and a burst costs one hop. Demand is passed
/// on as it is, so what waits is bounded by what was requested.
@usableFromInline
final class Hop<Value: Sendable, Failure: Error>: @unchecked Sendable {
    private struct Waiting {
        var values: [Value] = []
        var ending: Completion<Failure>?
        var isScheduled = false
    }

    // Safe because `next` is confined to the one job that is scheduled at a time, and to `drain` when it is let go.
    private var next: Sink<Value, Failure>?
    private let drain = Drain()
    private let attachment = Attachment()
    private let waiting = Lock(Waiting())
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
    private var upstream: Upstream?

    @usableFromInline
    init(
        _ next: Sink<Value, Failure>, schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.next = next
        self.schedule = schedule
    }

    @usableFromInline
    func receive(upstream: Upstream) {
        guard attachment.receive(upstream: upstream) else { return }
        self.upstream = upstream
        next?.receive(
            upstream: Upstream(
                request: { [self] in if !attachment.isClosed { upstream.request($0) } },
                cancel: { [self] in cancel() }))
    }

    @usableFromInline
    func receive(_ value: Value) -> Demand {
        let isFirst = waiting.withLock { state in
            state.values.append(value)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { schedule { self.drain.run { self.deliver() } } }
        return .none
    }

    @usableFromInline
    func receive(completion: Completion<Failure>) {
        let isFirst = waiting.withLock { state in
            state.ending = completion
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { schedule { self.drain.run { self.deliver() } } }
    }

    private func deliver() {
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

    private func end(_ completion: Completion<Failure>) {
        guard attachment.end() else { return letGo() }
        let last = next.take()
        upstream = nil
        last?.receive(completion: completion)
    }

    private func cancel() {
        attachment.cancel()
        drain.run { if attachment.isClosed { letGo() } }
    }

    private func letGo() {
        next = nil
        upstream = nil
        _ = waiting.withLock { state in
            let dropped = state.values
            state.values = []
            return dropped
        }
    }
}
