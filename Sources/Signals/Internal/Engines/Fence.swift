/// A stage that enforces the stream contract between a hand-written source and the rest of a chain.
///
/// Deliveries go through an `Inbox`, so that they never overlap. Requests to the source go through a `Drain`, so that a
/// request made inside a delivery does not recurse.
final class Fence<Value: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    enum Event {
        case upstream(Upstream)
        case value(Value)
        case completion(Completion<Failure>)
        case release
    }

    // Safe because `next` and `isAttached` are confined to `inbox`, and the other properties are thread-safe.
    private var next: Sink<Value, Failure>?
    private var isAttached = false

    let inbox = Inbox<Event>()
    private let demand = DemandCounter()
    private let requests = Drain()
    private let unanswered = PendingDemand()
    private let attachment = Attachment()

    init(_ next: Sink<Value, Failure>) { self.next = next }

    /// The sink that the source receives instead of `next`.
    var sink: Sink<Value, Failure> {
        Sink(
            onUpstream: { self.control(.upstream($0)) },
            onValue: { self.receive($0) },
            onCompletion: { self.receive(completion: $0) })
    }

    private func attach(_ source: Upstream) {
        guard attachment.receive(upstream: source), let next else { return }
        isAttached = true
        next.receive(upstream: Upstream(request: { self.request($0) }, cancel: { self.cancel() }))
    }

    private func receive(_ value: Value) -> Demand {
        guard inbox.enter() else {
            inbox.submit(.value(value), to: self)
            return .none
        }
        let more = deliver(value)
        inbox.leave { process($0) }
        settle()
        return more
    }

    private func receive(completion: Completion<Failure>) { inbox.submit(.completion(completion), to: self) }

    func process(_ event: Event) {
        switch event {
        case .upstream(let source): attach(source)
        case .value(let value): unanswered.add(deliver(value))
        case .completion(let completion): end(completion)
        case .release: if attachment.isClosed { next = nil }
        }
    }

    private func deliver(_ value: Value) -> Demand {
        guard let next, !attachment.isClosed, demand.takeOne() else {
            DiscardHook.report(value, attachment.isClosed ? .afterEnd : .overflow, stage: "Signal.init")
            return .none
        }
        let more = next.receive(value)
        if more > .none { demand.add(more) }
        // Open demand for zero values is dropped, because a hand-written source need not handle it.
        return more.needed > .none ? more : .none
    }

    private func end(_ completion: Completion<Failure>) {
        guard let next, attachment.end() else {
            DiscardHook.report(late: completion, stage: "Signal.init")
            return
        }
        demand.close()
        self.next = nil
        // A sink always receives an upstream first (Contract.md, S1). If the source ends without an upstream, the fence
        // makes one up. If the sink cancels the made-up upstream, the sink receives no end.
        let madeUp = Attachment()
        if !isAttached { next.receive(upstream: Upstream(request: { _ in }, cancel: { madeUp.cancel() })) }
        if madeUp.end() { next.receive(completion: completion) }
    }

    private func request(_ more: Demand) {
        guard demand.add(more) != nil else { return }
        if more.needed > .none { unanswered.add(more) }
        settleUnlessBusy()
    }

    /// Requests pending demand from the source, in a loop that also serves the demand of nested and concurrent calls.
    func settle() {
        requests.run {
            let pendingDemand = unanswered.take()
            if pendingDemand > .none { attachment.request(pendingDemand) }
        }
    }

    private func cancel() {
        demand.close()
        attachment.cancel()
        control(.release)
    }
}
