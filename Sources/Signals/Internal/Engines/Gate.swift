/// One run of `prefix(until:)` or `drop(until:)`.
///
/// The first value of another signal, the trigger, ends the run or lets the upstream's values pass.
///
/// The upstream and the trigger may deliver at the same time, so the events of both pass through the inbox. Demand that
/// the sink requests before the upstream has arrived stays pending until then.
final class Gate<Value: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    enum Event {
        case attached
        case value(Value)
        case trigger
        case otherEnd(Completion<Failure>)
        case end(Completion<Failure>)
        case release
    }

    // Safe because these variables are confined to `inbox`, and the other properties are constant or atomic.
    private var next: Sink<Value, Failure>?
    private var isOpen: Bool
    private var isTriggered = false

    private let opens: Bool
    let inbox = Inbox<Event>()
    private let attachment = Attachment()
    private let other = SignalToken()
    private let pendingDemand = PendingDemand()

    init(_ next: Sink<Value, Failure>, opens: Bool) {
        self.next = next
        self.opens = opens
        isOpen = !opens
    }

    /// Attaches the trigger, and then the upstream, unless the trigger has ended the run.
    func start<Other: Sendable>(_ signal: Signal<Value, Failure>, _ trigger: Signal<Other, Failure>) {
        next?.receive(
            upstream: Upstream(
                request: { [self] in
                    pendingDemand.add($0)
                    settleUnlessBusy()
                },
                cancel: { [self] in
                    attachment.cancel()
                    other.cancel()
                    control(.release)
                }))
        if attachment.isClosed { return }
        trigger.first().sink(
            cancelledBy: other,
            onValue: { [self] _ in inbox.submit(.trigger, to: self) },
            onCompletion: { [self] in inbox.submit(.otherEnd($0), to: self) })
        if attachment.isClosed { return }
        signal.run(
            into: Sink(
                onUpstream: { [self] in if attachment.receive(upstream: $0) { control(.attached) } },
                onValue: { [self] in
                    inbox.submit(.value($0), to: self)
                    return .none
                },
                onCompletion: { [self] in inbox.submit(.end($0), to: self) }))
    }

    func settle() {
        if attachment.isAttached { attachment.request(pendingDemand.take()) }
    }

    func process(_ event: Event) {
        guard let next, !attachment.isClosed else {
            self.next = nil
            return
        }
        switch event {
        case .attached: break
        case .value(let value): pendingDemand.add(isOpen ? next.receive(value) : .max(1))
        case .trigger:
            isTriggered = true
            if opens { isOpen = true } else { end(.finished) }
        case .otherEnd(.finished) where !opens || isTriggered: break
        case .otherEnd(let completion): end(completion)
        case .end(let completion): end(completion, cancelling: false)
        case .release: self.next = nil
        }
    }

    private func end(_ completion: Completion<Failure>, cancelling: Bool = true) {
        let last = next.take()
        let (closed, upstream) = attachment.close()
        if cancelling { upstream?.cancel() }
        other.cancel()
        if closed { last?.receive(completion: completion) }
    }
}

extension Signal {
    func gated<Other: Sendable>(by other: Signal<Other, Failure>, opening: Bool) -> Signal {
        Signal(trusted: { next in Gate(next, opens: opening).start(self, other) })
    }
}
