/// The engine of everything hot: one serial place through which sends, attaches, requests and cancels pass in order.
///
/// The list of outlets is touched only by the worker of the drain. A send that finds no other at work delivers directly; any other event,
/// and a send that comes from inside a delivery or from a second thread meanwhile, waits in the inbox, which has no bound of its own.
@usableFromInline
final class Hub<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline
    enum Event {
        case value(Value)
        case end(Completion<Failure>)
        case attach(Outlet<Value, Failure>)
        case flush(Outlet<Value, Failure>)
        case release(Outlet<Value, Failure>)
    }

    // Safe because `outlets`, `vacant`, `replayed` and `ended` are confined to `drain`, and `inbox` is locked.
    @usableFromInline var outlets: [Outlet<Value, Failure>] = []
    private var vacant = 0
    private var replayed: RingBuffer<Value>
    @usableFromInline var ended: Completion<Failure>?
    @usableFromInline let drain = Drain()
    private let inbox = Lock(RingBuffer<Event>())
    private let backlog: Backlog
    @usableFromInline let replays: Int
    private let replaysAfterEnd: Bool

    init(backlog: Backlog, replays: Int = 0, initial: Value? = nil, replaysAfterEnd: Bool = false) {
        self.backlog = backlog
        self.replays = replays
        self.replaysAfterEnd = replaysAfterEnd
        replayed = RingBuffer()
        if let initial { replayed.append(initial) }
    }

    deinit {
        // Without the hub nobody can send any more: what its outlets hold must not outlive it.
        for outlet in outlets { outlet.release() }
    }

    func attach(_ sink: Sink<Value, Failure>) {
        let outlet = Outlet(sink, backlog: backlog)
        sink.receive(
            upstream: Upstream(
                request: { [weak self] asked in
                    outlet.demand.add(asked)
                    if outlet.keepsValues { self?.submit(.flush(outlet)) }
                },
                cancel: { [weak self] in
                    guard outlet.demand.close() else { return }
                    if let self { self.submit(.release(outlet)) }
                }))
        submit(.attach(outlet))
    }

    @inlinable
    func send(_ value: Value) {
        guard drain.enter() else { return submit(.value(value)) }
        if replays == 0 && ended == nil {
            for outlet in outlets { outlet.offer(value) }
        } else {
            process(.value(value))
        }
        while !drain.leave() { passOn() }
    }

    @usableFromInline
    func submit(_ event: Event) {
        enqueue(event)
        work()
    }

    /// Stores an event, to be found by whoever works next; `work` must follow.
    func enqueue(_ event: Event) { inbox.withLock { $0.append(event) } }

    func work() { drain.run { passOn() } }

    @usableFromInline
    func passOn() {
        while let event = inbox.withLock({ $0.popFirst() }) { process(event) }
    }

    @usableFromInline
    func process(_ event: Event) {
        switch event {
        case .value(let value):
            guard ended == nil else { return DiscardHook.report(value, .afterEnd, stage: "Broadcast") }
            if replays > 0 { remember(value) }
            for outlet in outlets { outlet.offer(value) }
        case .end(let completion):
            guard ended == nil else { return DiscardHook.report(late: completion, stage: "Broadcast") }
            ended = completion
            let all = outlets
            outlets = []
            for outlet in all { outlet.end(completion) }
        case .attach(let outlet): join(outlet)
        case .flush(let outlet): outlet.flush()
        case .release(let outlet): drop(outlet)
        }
    }

    private func join(_ outlet: Outlet<Value, Failure>) {
        if outlet.demand.isClosed { return outlet.release() }
        if ended == nil || replaysAfterEnd {
            var past = replayed
            while let value = past.popFirst() { outlet.offer(value) }
        }
        if let ended { outlet.end(ended) } else { outlets.append(outlet) }
    }

    /// Empties the place of a cancelled outlet at once, and closes the gaps when half of the places are empty.
    private func drop(_ outlet: Outlet<Value, Failure>) {
        outlet.release()
        vacant += 1
        if vacant * 2 >= outlets.count {
            outlets.removeAll { $0.demand.isClosed }
            vacant = 0
        }
    }

    private func remember(_ value: Value) {
        if replayed.count == replays { _ = replayed.popFirst() }
        replayed.append(value)
    }
}
