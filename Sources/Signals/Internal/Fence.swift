/// Stands between a hand-written source and the rest of a chain, and makes it keep the contract.
///
/// Deliveries go through an inbox, so that they never overlap; the requests that reach the source go through a drain,
/// so that a request made inside a delivery never nests.
final class Fence<Value: Sendable, Failure: Error>: @unchecked Sendable {
    private enum Event {
        case upstream(Upstream)
        case value(Value)
        case completion(Completion<Failure>)
        case release
    }

    // Safe because these are confined to `deliveries`, and everything else is atomic.
    private var next: Sink<Value, Failure>?
    private var isAttached = false

    private let deliveries = Inbox<Event>()
    private let demand = DemandCounter()
    private let requests = Drain()
    private let unanswered = Debt()
    private let attachment = Attachment()

    init(_ next: Sink<Value, Failure>) { self.next = next }

    /// What the source is given in place of the real sink.
    var sink: Sink<Value, Failure> {
        Sink(
            onUpstream: { self.submit(.upstream($0)) },
            onValue: { self.receive($0) },
            onCompletion: { self.receive(completion: $0) })
    }

    private func attach(_ source: Upstream) {
        guard attachment.receive(upstream: source), let next else { return }
        isAttached = true
        next.receive(upstream: Upstream(request: { self.request($0) }, cancel: { self.cancel() }))
    }

    private func receive(_ value: Value) -> Demand {
        guard deliveries.enter() else {
            submit(.value(value))
            return .none
        }
        let more = deliver(value)
        deliveries.leave { process($0) }
        settle()
        return more
    }

    private func receive(completion: Completion<Failure>) { submit(.completion(completion)) }

    private func submit(_ event: Event) {
        if deliveries.submit(event, { process($0) }) { settle() }
    }

    private func process(_ event: Event) {
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
        return more
    }

    private func end(_ completion: Completion<Failure>) {
        guard let next, attachment.end() else {
            DiscardHook.report(late: completion, stage: "Signal.init")
            return
        }
        demand.close()
        self.next = nil
        // A source may end without ever having handed over an upstream; a sink gets one first, whatever happens (S1).
        if !isAttached { next.receive(upstream: Upstream(request: { _ in }, cancel: {})) }
        next.receive(completion: completion)
    }

    private func request(_ more: Demand) {
        guard demand.add(more) != nil else { return }
        unanswered.add(more)
        if deliveries.work({ process($0) }) { settle() }
    }

    /// Asks the source for what is owed; from inside an answer of the source, the loop around that answer does it.
    private func settle() {
        requests.run {
            let owed = unanswered.take()
            if owed > .none { attachment.request(owed) }
        }
    }

    private func cancel() {
        demand.close()
        attachment.cancel()
        submit(.release)
    }
}
