/// Stands between a hand-written source and the rest of a chain, and makes it keep the contract.
///
/// Deliveries go through a drain, so that they never overlap; the requests that reach the source go through another,
/// so that a request made inside a delivery never nests.
final class Fence<Value: Sendable, Failure: Error>: @unchecked Sendable {
    private enum Event {
        case value(Value)
        case completion(Completion<Failure>)
    }

    // Safe because `next` is confined to `deliveries`, and everything else is atomic or locked.
    private var next: Sink<Value, Failure>?
    private let deliveries = Drain()
    private let inbox = Lock(RingBuffer<Event>())
    private let demand = DemandCounter()
    private let requests = Drain()
    private let unanswered = Debt()
    private let attachment = Attachment()
    private let upstream = Lock<Upstream?>(nil)

    init(_ next: Sink<Value, Failure>) { self.next = next }

    /// What the source is given in place of the real sink.
    var sink: Sink<Value, Failure> {
        Sink(
            onUpstream: { self.receive(upstream: $0) },
            onValue: { self.receive($0) },
            onCompletion: { self.receive(completion: $0) })
    }

    private func receive(upstream source: Upstream) {
        guard attachment.receive(upstream: source) else { return }
        upstream.withLock { $0 = source }
        guard let next else { return }
        next.receive(upstream: Upstream(request: { self.request($0) }, cancel: { self.cancel() }))
    }

    private func receive(_ value: Value) -> Demand {
        guard deliveries.enter() else {
            inbox.withLock { $0.append(.value(value)) }
            work()
            return .none
        }
        let more = deliver(value)
        while !deliveries.leave() { passOn() }
        settle()
        return more
    }

    private func receive(completion: Completion<Failure>) {
        inbox.withLock { $0.append(.completion(completion)) }
        work()
    }

    private func work() {
        if deliveries.run({ passOn() }) { settle() }
    }

    private func passOn() {
        while let event = inbox.withLock({ $0.popFirst() }) {
            switch event {
            case .value(let value): unanswered.add(deliver(value))
            case .completion(let completion): end(completion)
            }
        }
        if attachment.isClosed { next = nil }
    }

    private func deliver(_ value: Value) -> Demand {
        guard let next, !attachment.isClosed, demand.takeOne() else {
            DiscardHook.report(value, attachment.isClosed ? .afterEnd : .overflow, stage: "Signal.init")
            return .none
        }
        let more = next.receive(value)
        if more > .none { demand.add(more) }
        return more
    }

    private func end(_ completion: Completion<Failure>) {
        guard let next, attachment.end() else {
            DiscardHook.report(late: completion, stage: "Signal.init")
            return
        }
        demand.close()
        _ = upstream.withLock { $0.take() }
        self.next = nil
        next.receive(completion: completion)
    }

    private func request(_ more: Demand) {
        guard demand.add(more) != nil else { return }
        unanswered.add(more)
        work()
    }

    /// Asks the source for what is owed; from inside an answer of the source, the loop around that answer does it.
    private func settle() {
        requests.run {
            let owed = unanswered.take()
            if owed > .none { upstream.withLock { $0 }?.request(owed) }
        }
    }

    private func cancel() {
        demand.close()
        let released = upstream.withLock { $0.take() }
        attachment.cancel()
        withExtendedLifetime(released) { work() }
    }
}
