/// The engine of all hot sources: one serial inbox through which sends, attaches, requests and cancels pass in order.
///
/// Only the worker of the inbox touches the list of outlets. A send that finds nobody at work delivers directly; any
/// other event, and a send from inside a delivery or from a second thread meanwhile, waits. A sink that attaches,
/// detaches or requests does so quietly where there is nothing to deliver.
@usableFromInline
final class Hub<Value: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    @usableFromInline
    enum Event {
        case value(Value)
        case end(Completion<Failure>)
        case abandon(replaying: Bool)
        case attach(Outlet<Value, Failure>)
        case flush(Outlet<Value, Failure>)
        case release(Outlet<Value, Failure>)
    }

    // Safe because `outlets`, `replayed`, `replaysAfterEnd` and `ended` are confined to `inbox`, and the rest is
    // constant.
    @usableFromInline @exclusivity(unchecked) var outlets = OutletList<Value, Failure>()
    private var replayed: RingBuffer<Value>
    @usableFromInline @exclusivity(unchecked) var ended: Completion<Failure>?
    @usableFromInline let inbox = Inbox<Event>()
    private let bufferSize: Int
    private let dropsOldest: Bool
    private let stage: StaticString
    @usableFromInline let replays: Int
    private var replaysAfterEnd: Bool

    init(
        stage: StaticString, bufferSize: Int, whenFull strategy: BufferingStrategy<Never> = .dropNewest,
        replays: Int = 0, initial: Value? = nil, replaysAfterEnd: Bool = false
    ) {
        precondition(bufferSize >= 0, "A buffer holds zero values or more.")
        switch strategy {
        case .dropOldest: dropsOldest = true
        case .dropNewest: dropsOldest = false
        case .suspend: preconditionFailure("A hot source cannot wait for its sinks: it drops the oldest or the newest.")
        }
        self.stage = stage
        self.bufferSize = bufferSize
        self.replays = replays
        self.replaysAfterEnd = replaysAfterEnd
        replayed = RingBuffer()
        if let initial { replayed.append(initial) }
    }

    deinit { outlets.destroy() }

    var signal: Signal<Value, Failure> { Signal(trusted: { [self] in attach($0) }) }

    func attach(_ sink: Sink<Value, Failure>) {
        let outlet = Outlet(sink, bufferSize: bufferSize, dropsOldest: dropsOldest, stage: stage)
        let handle = outlet.handle
        sink.receive(
            upstream: Upstream(
                request: { [weak self] asked in
                    guard let outlet = handle.current() else { return }
                    outlet.demand.add(asked)
                    if outlet.keepsValues { self?.flush(outlet) }
                },
                cancel: { [weak self] in
                    guard let outlet = handle.letGo(), outlet.demand.close() else { return }
                    self?.release(outlet)
                }))
        let hasJoined = inbox.quietly {
            if ended != nil || !replayed.isEmpty || outlet.demand.isClosed { return false }
            outlets.append(outlet)
            return true
        }
        if hasJoined != true { visit(.attach(outlet)) }
    }

    private func flush(_ outlet: Outlet<Value, Failure>) {
        if inbox.quietly({ outlet.isIdle }) != true { visit(.flush(outlet)) }
    }

    private func release(_ outlet: Outlet<Value, Failure>) {
        let released = inbox.quietly {
            outlets.remove(outlet)
            return outlet.takeWaiting()
        }
        if released == nil { visit(.release(outlet)) }
    }

    @inlinable
    func send(_ value: Value) {
        guard inbox.enter() else { return wait(value) }
        if replays == 0 && ended == nil {
            outlets.offer(value)
        } else {
            process(.value(value))
        }
        inbox.leave { process($0) }
    }

    /// Leaves a value to the worker; a separate function, so that `send` holds no reference for the rare case.
    @usableFromInline @inline(never)
    func wait(_ value: Value) { inbox.submit(.value(value), to: self) }

    func send(completion: Completion<Failure>) { inbox.submit(.end(completion), to: self) }

    /// Ends what nobody can send to any more, unless it has ended; with `replaying`, a new sink still gets what is
    /// remembered.
    func finish(replaying: Bool = false) { inbox.submit(.abandon(replaying: replaying), to: self) }

    @inlinable
    func settle() {}

    /// Processes the events stored in the inbox.
    func work() { inbox.work { process($0) } }

    @usableFromInline
    func process(_ event: Event) {
        switch event {
        case .value(let value):
            guard ended == nil else { return DiscardHook.report(value, .afterEnd, stage: stage) }
            if replays > 0 { remember(value) }
            outlets.offer(value)
        case .end(let completion):
            guard ended == nil else { return DiscardHook.report(late: completion, stage: stage) }
            endAll(completion)
        case .abandon(let replaying):
            if ended != nil { return }
            replaysAfterEnd = replaying
            endAll(.finished)
        case .attach(let outlet): join(outlet)
        case .flush(let outlet): outlet.flush()
        case .release(let outlet):
            outlet.release()
            outlets.remove(outlet)
        }
    }

    private func join(_ outlet: Outlet<Value, Failure>) {
        if outlet.demand.isClosed { return outlet.release() }
        if ended == nil || replaysAfterEnd {
            var past = replayed
            while let value = past.popFirst() { outlet.offer(value) }
        }
        if let ended { end(outlet, ended) } else { outlets.append(outlet) }
    }

    private func endAll(_ completion: Completion<Failure>) {
        ended = completion
        for outlet in outlets.removeAll() { end(outlet, completion) }
    }

    private func end(_ outlet: Outlet<Value, Failure>, _ completion: Completion<Failure>) {
        outlet.handle.keep(self)
        outlet.end(completion)
    }

    private func remember(_ value: Value) {
        if replayed.count == replays { _ = replayed.popFirst() }
        replayed.append(value)
    }
}
