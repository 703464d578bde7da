/// One run of `prefix(until:)` or `drop(until:)`: an upstream, and another signal whose first value closes or opens it.
///
/// Both may deliver at the same time, so both pass through the inbox.
final class Gate<Value: Sendable, Failure: Error>: @unchecked Sendable {
    private enum Event {
        case value(Value)
        case trigger
        case otherFinished
        case end(Completion<Failure>)
        case release
    }

    // Safe because these are confined to `inbox`; the rest is constant or atomic.
    private var next: Sink<Value, Failure>?
    private var isOpen: Bool
    private var isTriggered = false

    private let opens: Bool
    private let inbox = Inbox<Event>()
    private let attachment = Attachment()
    private let other = SignalToken()
    private let owed = Debt()
    private let arbiter = Arbiter()

    init(_ next: Sink<Value, Failure>, opens: Bool) {
        self.next = next
        self.opens = opens
        isOpen = !opens
    }

    /// Attaches the other signal, and then the upstream unless all is over already.
    func start<Other: Sendable>(_ signal: Signal<Value, Failure>, _ trigger: Signal<Other, Failure>) {
        next?.receive(
            upstream: Upstream(
                request: { [self] in
                    owed.add($0)
                    if inbox.work({ process($0) }) { settle() }
                },
                cancel: { [self] in
                    arbiter.cancel()
                    attachment.cancel()
                    other.cancel()
                    submit(.release)
                }))
        trigger.first().sink(
            cancelledBy: other,
            onValue: { [self] _ in submit(.trigger) },
            onCompletion: { [self] completion in
                if case .failure = completion { submit(.end(completion)) } else { submit(.otherFinished) }
            })
        if attachment.isClosed { return }
        signal.attach(
            Sink(
                onUpstream: { [self] new in
                    guard attachment.receive(upstream: new) else { return }
                    arbiter.receive(upstream: new)
                },
                onValue: { [self] in
                    submit(.value($0))
                    return .none
                },
                onCompletion: { [self] in submit(.end($0)) }))
    }

    private func submit(_ event: Event) {
        if inbox.submit(event, { process($0) }) { settle() }
    }

    private func settle() { arbiter.request(owed.take()) }

    private func process(_ event: Event) {
        guard let next, !attachment.isClosed else {
            self.next = nil
            return
        }
        switch event {
        case .value(let value):
            arbiter.outstanding.subtract(1)
            owed.add(isOpen ? next.receive(value) : .max(1))
        case .trigger:
            isTriggered = true
            if opens { isOpen = true } else { end(.finished) }
        case .otherFinished: if opens && !isTriggered { end(.finished) }
        case .end(let completion): end(completion)
        case .release: self.next = nil
        }
    }

    private func end(_ completion: Completion<Failure>) {
        let last = next.take()
        // An upstream that has ended by itself takes no notice of being cancelled.
        arbiter.cancel()
        attachment.cancel()
        other.cancel()
        last?.receive(completion: completion)
    }
}

extension Signal {
    func gated<Other: Sendable>(by other: Signal<Other, Failure>, opening: Bool) -> Signal {
        Signal(trusted: { next in Gate(next, opens: opening).start(self, other) })
    }
}
