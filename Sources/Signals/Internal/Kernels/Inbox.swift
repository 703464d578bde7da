/// Events that are processed one at a time, on whichever thread finds nobody else at work.
///
/// The drain decides who works; the inbox keeps what the others leave for the worker, which is why it has no bound of
/// its own. An event that need not wait passes through without the lock. `process`, always the same one for an inbox,
/// determines what an event does, and what only `process` touches needs no lock of its own.
///
/// Everything is inlined, and `process` must be a closure written at the call: a method instead would be retained for
/// each event, along with its engine.
@usableFromInline
struct Inbox<Event>: ~Copyable, Sendable {
    @usableFromInline let drain = Drain()
    @usableFromInline let waiting = Lock(Waiting<Event>())

    @inlinable
    init() {}

    /// Becomes the worker if there is none; `leave` must follow.
    @inlinable
    func enter() -> Bool { drain.enter() }

    /// Stops being the worker, after the events that arrived meanwhile.
    @inlinable @inline(__always)
    func leave(_ process: (Event) -> Void) {
        if !drain.leave() { goOn(process) }
    }

    /// Processes what arrived meanwhile; a separate function, so that a worker that leaves at once pays nothing for it.
    @usableFromInline @inline(never)
    func goOn(_ process: (Event) -> Void) {
        repeat { passOn(process) } while !drain.leave()
    }

    /// Processes an event, now or through the worker; returns whether this call was the worker, and has left.
    @inlinable @inline(__always)
    @discardableResult
    func submit(_ event: Event, _ process: (Event) -> Void) -> Bool {
        if drain.enter() {
            process(event)
            leave(process)
            return true
        }
        enqueueNearby(event)
        return work(process)
    }

    /// Stores an event, to be found by the next worker; `work` must follow.
    @inlinable
    func enqueue(_ event: Event) {
        waiting.withLock { $0.events.append(event) }
    }

    /// The same for `work` on this thread, which may be inside its own visit, and then processes it itself.
    @inlinable
    func enqueueNearby(_ event: Event) {
        let isOwn = drain.isVisitedByThisThread
        waiting.withLock { $0.append(event, isOwn: isOwn) }
    }

    /// Processes what waits; returns whether this call was the worker, and has left.
    @inlinable @inline(__always)
    @discardableResult
    func work(_ process: (Event) -> Void) -> Bool {
        drain.run({ passOn(process) }, whileShut: { waiting.withLock { _ in } })
    }

    @inlinable var isEmpty: Bool { waiting.withLock { $0.events.isEmpty } }

    @inlinable @inline(__always)
    func passOn(_ process: (Event) -> Void) {
        var batch = RingBuffer<Event>()
        repeat {
            while let event = batch.popFirst() { process(event) }
            // The exchange leaves the emptied storage for the next events: a steady flow allocates nothing.
            waiting.withLock { $0.exchange(&batch) }
        } while !batch.isEmpty
    }
}

/// What the others have left for the worker of an inbox.
@usableFromInline
struct Waiting<Event> {
    @usableFromInline var events = RingBuffer<Event>()
    /// How many of the first events the visitor has left itself, from inside its own.
    @usableFromInline var own = 0

    @inlinable
    init() {}

    @inlinable
    mutating func append(_ event: Event, isOwn: Bool) {
        if isOwn && own == events.count { own += 1 }
        events.append(event)
    }

    @inlinable
    mutating func exchange(_ batch: inout RingBuffer<Event>) {
        swap(&events, &batch)
        own = 0
    }
}

extension Waiting: Sendable where Event: Sendable {}

/// What attaches, requests and cancels do: only a sender does a sender's work, and visitors return at once.
extension Inbox {
    /// Processes an event, now or through the worker, but nothing that another thread has left.
    @usableFromInline
    func visit(_ event: Event, _ process: (Event) -> Void) -> Departure {
        while !drain.enter() {
            if leaveWord(event) { return .elsewhere }
        }
        drain.beginVisit()
        process(event)
        while !drain.leaveVisit() {
            var (own, isAll) = takeOwn()
            while let event = own.popFirst() { process(event) }
            if isAll { continue }
            drain.offer()
            return .offered
        }
        return .left
    }

    /// Changes or reads the state of the engine, if nobody is at work; nil otherwise.
    ///
    /// It happens under the lock, where a sender that arrives meanwhile waits, so that it need not leave anything
    /// behind. No foreign code may run in it, and no foreign object may be released.
    @inlinable @inline(__always)
    func quietly<Result>(_ body: () -> Result) -> Result? {
        waiting.withLock { _ in
            guard drain.shut() else { return nil }
            defer { drain.open() }
            return body()
        }
    }

    /// Processes the events that are on offer, but not those that arrive during it; returns whether nothing is on offer
    /// any more.
    @usableFromInline
    func standIn(_ process: (Event) -> Void) -> Bool {
        guard drain.takeOffer() else { return true }
        var offered = takeAll()
        while let event = offered.popFirst() { process(event) }
        if drain.leave() { return true }
        drain.offer()
        return false
    }

    @usableFromInline
    func takeAll() -> RingBuffer<Event> {
        var all = RingBuffer<Event>()
        waiting.withLock { $0.exchange(&all) }
        return all
    }

    /// Stores an event for the worker; false if there is none.
    func leaveWord(_ event: Event) -> Bool {
        waiting.withLock { waiting in
            waiting.append(event, isOwn: drain.isVisitedByThisThread)
            if drain.askOrFindOffered() { return true }
            waiting.events.removeLast()
            return false
        }
    }

    /// Takes what this thread has left from inside its own event, up to the first event that another has left.
    private func takeOwn() -> (RingBuffer<Event>, isAll: Bool) {
        var taken = RingBuffer<Event>()
        let isAll = waiting.withLock { waiting in
            if waiting.own == waiting.events.count {
                waiting.exchange(&taken)
                return true
            }
            while waiting.own > 0, let event = waiting.events.popFirst() {
                taken.append(event)
                waiting.own -= 1
            }
            return false
        }
        return (taken, isAll)
    }
}

/// How a visit to an inbox ended.
@usableFromInline
enum Departure {
    /// The event was processed, and nobody is at work any more.
    case left
    /// Somebody else is at work, and will process it.
    case elsewhere
    /// The event was processed; what others have left meanwhile is on offer, and needs a stand-in.
    case offered
}
