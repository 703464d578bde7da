/// A queue of events that are processed one at a time, on the thread that finds no other at work.
///
/// The drain decides which thread works; the inbox keeps the events that the others leave for the worker, without a
/// bound. An event that need not wait passes through without the lock. All calls for one inbox pass the same `process`,
/// and state that only `process` uses needs no lock.
///
/// Everything is inlined, and `process` must be a closure literal: a method would be retained for each event, along
/// with its engine.
@usableFromInline
struct Inbox<Event>: ~Copyable, Sendable {
    @usableFromInline let drain = Drain()
    @usableFromInline let waiting = Lock(Waiting<Event>())

    @inlinable
    init() {}

    /// Becomes the worker if there is none; `leave` must follow.
    @inlinable
    func enter() -> Bool { drain.enter() }

    /// Processes the events that have arrived, and stops being the worker.
    @inlinable @inline(__always)
    func leave(_ process: (Event) -> Void) {
        if !drain.leave() { goOn(process) }
    }

    /// Processes events that have arrived; a separate function, so that it costs other workers nothing.
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
        enqueueForThisThread(event)
        return work(process)
    }

    /// Stores an event for the next worker; `work` must follow.
    @inlinable
    func enqueue(_ event: Event) {
        waiting.withLock { $0.events.append(event) }
    }

    /// Stores an event like `enqueue`, for `work` on this thread: inside its own control call, that call processes it.
    @inlinable
    func enqueueForThisThread(_ event: Event) {
        let isOwn = drain.isControlledByThisThread
        waiting.withLock { $0.append(event, isOwn: isOwn) }
    }

    /// Processes the waiting events; returns whether this call was the worker, and has left.
    @inlinable @inline(__always)
    @discardableResult
    func work(_ process: (Event) -> Void) -> Bool {
        drain.run({ passOn(process) }, whileClosed: { waiting.withLock { _ in } })
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

/// The events that wait for the worker of an inbox.
@usableFromInline
struct Waiting<Event> {
    @usableFromInline var events = RingBuffer<Event>()
    /// How many of the first events the control call has stored itself, while it processed its own event.
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

/// Control calls: only a sender processes a sender's events, so an attach, a request and a cancel return promptly.
extension Inbox {
    /// Processes an event, now or through the worker, but no event of another thread.
    @usableFromInline
    func control(_ event: Event, _ process: (Event) -> Void) -> ControlOutcome {
        while !drain.enter() {
            if enqueueForWorker(event) { return .elsewhere }
        }
        drain.beginControl()
        process(event)
        while !drain.leaveControl() {
            var (own, isAll) = takeOwn()
            while let event = own.popFirst() { process(event) }
            if isAll { continue }
            drain.leaveAvailable()
            return .available
        }
        return .left
    }

    /// Changes or reads the state of the engine, if there is no worker; returns nil otherwise.
    ///
    /// `body` runs under the lock, where a sender that arrives waits, so that no event is left to others. It must
    /// neither run foreign code nor release a foreign object.
    @inlinable @inline(__always)
    func quietly<Result>(_ body: () -> Result) -> Result? {
        waiting.withLock { _ in
            guard drain.close() else { return nil }
            defer { drain.open() }
            return body()
        }
    }

    /// Processes the available events, but not those that arrive during it; returns whether none is available any more.
    @usableFromInline
    func processAvailable(_ process: (Event) -> Void) -> Bool {
        guard drain.takeAvailable() else { return true }
        var available = takeAll()
        while let event = available.popFirst() { process(event) }
        if drain.leave() { return true }
        drain.leaveAvailable()
        return false
    }

    @usableFromInline
    func takeAll() -> RingBuffer<Event> {
        var all = RingBuffer<Event>()
        waiting.withLock { $0.exchange(&all) }
        return all
    }

    /// Stores an event for the worker; false if there is no worker.
    func enqueueForWorker(_ event: Event) -> Bool {
        waiting.withLock { waiting in
            waiting.append(event, isOwn: drain.isControlledByThisThread)
            if drain.recheckOrFindAvailable() { return true }
            waiting.events.removeLast()
            return false
        }
    }

    /// Takes the events that this thread stored while it processed its control call, up to the first event of another
    /// thread; `isAll` is true if no event is left.
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

/// How a control call on an inbox ended.
@usableFromInline
enum ControlOutcome {
    /// The event was processed, and there is no worker any more.
    case left
    /// There is another worker, which will process the event.
    case elsewhere
    /// The event was processed; events of other threads are available, and need a helper.
    case available
}
