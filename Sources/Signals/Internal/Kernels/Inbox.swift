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

    /// Whether nothing waits.
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
