/// The engine of all hot sources: one serial inbox through which sends, attaches, requests and cancels pass in order.
///
/// Each attached sink has an outlet. Only the worker, the thread that processes the inbox, delivers to the outlets. A
/// send that finds no worker delivers directly. A send from inside a delivery or from a second thread waits, as any
/// other event does. An attach, a cancel or a request that has nothing to deliver only changes the state, under the
/// inbox's lock (`quietly`).
///
/// The hub of a shared signal also requests values from its source, as many as its most demanding sink has requested.
/// The demand is open (`Demand.opened`), so it limits only a source that can wait.
@usableFromInline
final class Hub<Value: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    @usableFromInline
    enum Event {
        case value(Value)
        /// A value from the source of a shared signal, and the number of the connection that delivered it.
        case requested(Value, turn: Int)
        case end(Completion<Failure>)
        case abandon(replaying: Bool)
        case attach(Outlet<Value, Failure>)
        case flush(Outlet<Value, Failure>)
        case release(Outlet<Value, Failure>)
    }

    // Safe because `outlets`, `replayed`, `replaysAfterEnd`, `ended` and `requestedDemand` are confined to `inbox`, and
    // the rest is constant or atomic.
    @usableFromInline @exclusivity(unchecked) var outlets = OutletList<Value, Failure>()
    @usableFromInline @exclusivity(unchecked) var replayed: RingBuffer<Value>
    @usableFromInline @exclusivity(unchecked) var ended: Completion<Failure>?
    @usableFromInline let inbox = Inbox<Event>()
    @usableFromInline let bufferSize: Int
    @usableFromInline let dropsOldest: Bool
    @usableFromInline let stage: StaticString
    @usableFromInline let replays: Int
    @usableFromInline var replaysAfterEnd: Bool
    /// The demand on the source of a shared signal, across all its connections; nil for other hubs.
    @usableFromInline let source: Arbiter?
    /// The demand that was requested from the source and that values have not met yet.
    ///
    /// If a sink's demand is greater, `raiseDemand(for:)` raises this demand to the sink's.
    @usableFromInline var requestedDemand = Demand.none
    @usableFromInline let pendingDemand = PendingDemand()

    init(
        stage: StaticString, bufferSize: Int, whenFull strategy: BufferingStrategy<Never> = .dropNewest,
        replays: Int = 0, initial: Value? = nil, replaysAfterEnd: Bool = false, source: Arbiter? = nil
    ) {
        precondition(bufferSize >= 0, "A buffer needs a size of zero or more.")
        switch strategy {
        case .dropOldest: dropsOldest = true
        case .dropNewest: dropsOldest = false
        case .suspend: preconditionFailure("A hot source cannot wait for its sinks: use .dropOldest or .dropNewest.")
        }
        self.stage = stage
        self.bufferSize = bufferSize
        self.replays = replays
        self.replaysAfterEnd = replaysAfterEnd
        self.source = source
        source?.outstanding.add(Demand.none.opened)
        replayed = RingBuffer()
        if let initial { replayed.append(initial) }
    }

    deinit { outlets.destroy() }

    @inlinable var signal: Signal<Value, Failure> { Signal(trusted: { [self] in attach($0) }) }

    @inlinable
    func attach(_ sink: Sink<Value, Failure>) {
        let outlet = Outlet(sink, bufferSize: bufferSize, dropsOldest: dropsOldest, stage: stage)
        let handle = outlet.handle
        sink.receive(
            upstream: Upstream(
                request: { [weak self] requested in
                    guard let outlet = handle.current() else { return }
                    outlet.demand.add(requested)
                    self?.requested(by: outlet)
                },
                cancel: { [weak self] in
                    guard let outlet = handle.release(), outlet.demand.close() else { return }
                    self?.release(outlet)
                }))
        let hasJoined = inbox.quietly {
            if ended != nil || !replayed.isEmpty || outlet.demand.isClosed { return false }
            outlets.append(outlet)
            raiseDemand(for: outlet)
            return true
        }
        if hasJoined == true { settle() } else { control(.attach(outlet)) }
    }

    @inlinable
    func requested(by outlet: Outlet<Value, Failure>) {
        guard outlet.keepsValues || source != nil else { return }
        let isIdle = inbox.quietly {
            if outlet.isIdle { raiseDemand(for: outlet) }
            return outlet.isIdle
        }
        if isIdle == true { settle() } else { control(.flush(outlet)) }
    }

    @inlinable
    func release(_ outlet: Outlet<Value, Failure>) {
        let released = inbox.quietly {
            outlets.remove(outlet)
            return outlet.takeWaiting()
        }
        if released == nil { control(.release(outlet)) }
    }

    @inlinable
    func send(_ value: Value) {
        guard inbox.enter() else { return wait(value) }
        deliver(value)
        leave()
    }

    /// Delivers a value; only the worker calls this.
    @inlinable @inline(__always)
    func deliver(_ value: Value) {
        if replays == 0 && ended == nil { outlets.deliver(value) } else { take(value) }
    }

    /// Processes the events that have arrived, and stops being the worker.
    @inlinable @inline(__always)
    func leave() {
        if !inbox.drain.leave() { goOn() }
    }

    // Separate functions keep the inlined code of `send` short and free of retains.
    @inlinable @inline(never)
    func goOn() {
        repeat { inbox.passOn { process($0) } } while !inbox.drain.leave()
    }

    @inlinable @inline(never)
    func take(_ value: Value) {
        guard ended == nil else { return reportLate(value) }
        if replays > 0 { remember(value) }
        outlets.deliver(value)
    }

    @usableFromInline @inline(never)
    func reportLate(_ value: Value) { DiscardHook.report(value, .afterEnd, stage: stage) }

    /// Enqueues a value for the worker.
    @inlinable @inline(never)
    func wait(_ value: Value) {
        inbox.enqueueForThisThread(.value(value))
        work()
    }

    @inline(never)
    private func wait(_ value: Value, turn: Int) { inbox.submit(.requested(value, turn: turn), to: self) }

    func send(completion: Completion<Failure>) { inbox.submit(.end(completion), to: self) }

    /// Finishes the hub of a released source, unless the hub has ended; with `replaying`, a new sink still gets the
    /// remembered values.
    func finish(replaying: Bool = false) { inbox.submit(.abandon(replaying: replaying), to: self) }

    /// Sends a value from the source of a shared signal.
    ///
    /// `turn` is the number of the connection to the source that sent the value. If the demand is limited and another
    /// connection has replaced that one, drops the value and reports it to `DiscardHook`.
    func receive(_ value: Value, turn: Int) {
        if source?.outstanding.isUnlimited == true { send(value) } else { wait(value, turn: turn) }
    }

    /// Requests pending demand from the source.
    @inlinable
    func settle() { source?.request(pendingDemand.take()) }

    /// Raises the demand on the source to the demand of a sink, if the sink is in the list.
    @inlinable
    func raiseDemand(for outlet: Outlet<Value, Failure>) {
        guard source != nil, outlet.index >= 0 else { return }
        let wanted = outlet.demand.current.needed
        if wanted <= requestedDemand { return }
        pendingDemand.add(wanted.isUnlimited ? wanted : Demand(count: wanted.count - requestedDemand.count))
        requestedDemand = wanted
    }

    @inlinable
    func work() {
        if inbox.work({ process($0) }) { settle() }
    }

    @inlinable
    func process(_ event: Event) {
        switch event {
        case .value(let value): take(value)
        case .requested(let value, let turn):
            guard source?.take(turn: turn) == true else { return reportLate(value) }
            requestedDemand.subtractOne()
            take(value)
            outlets.forEach { raiseDemand(for: $0) }
        case .end(let completion):
            guard ended == nil else { return DiscardHook.report(late: completion, stage: stage) }
            endAll(completion)
        case .abandon(let replaying):
            if ended != nil { return }
            replaysAfterEnd = replaying
            endAll(.finished)
        case .attach(let outlet): join(outlet)
        case .flush(let outlet):
            outlet.flush()
            raiseDemand(for: outlet)
        case .release(let outlet):
            outlet.release()
            outlets.remove(outlet)
        }
    }

    @inlinable
    func join(_ outlet: Outlet<Value, Failure>) {
        if outlet.demand.isClosed { return outlet.release() }
        if ended == nil || replaysAfterEnd {
            var past = replayed
            while let value = past.popFirst() { outlet.deliver(value) }
        }
        if let ended { return end(outlet, ended) }
        outlets.append(outlet)
        raiseDemand(for: outlet)
    }

    @inlinable
    func endAll(_ completion: Completion<Failure>) {
        ended = completion
        for outlet in outlets.removeAll() { end(outlet, completion) }
    }

    @inlinable
    func end(_ outlet: Outlet<Value, Failure>, _ completion: Completion<Failure>) {
        outlet.handle.keep(self)
        outlet.end(completion)
    }

    @inlinable
    func remember(_ value: Value) {
        if replayed.count == replays { _ = replayed.popFirst() }
        replayed.append(value)
    }
}
