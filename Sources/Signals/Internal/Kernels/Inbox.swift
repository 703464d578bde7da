/// A queue of events that are processed one at a time, on the first thread that finds no other thread at work.
///
/// The drain decides which thread is the worker. The inbox keeps the events that other threads leave for the worker,
/// without a bound. An event that need not wait passes through without the lock. All calls for one inbox pass the same
/// `process`, and state that only `process` uses needs no lock.
///
/// The common paths are inlined, and `process` must be a closure literal, because a reference to a method would be
/// retained for each event, along with the method's engine.
@usableFromInline
struct Inbox<Event>: ~Copyable, Sendable {
    @usableFromInline let drain = Drain()
    @usableFromInline let waiting = Lock(Waiting<Event>())

    @inlinable
    init() {}

    /// Becomes the worker, unless there is one.
    ///
    /// If it returns true, `leave` must follow.
    @inlinable
    func enter() -> Bool { drain.enter() }

    /// Processes the events that have arrived, and stops being the worker.
    @inlinable @inline(__always)
    func leave(_ process: (Event) -> Void) {
        if !drain.leave() { goOn(process) }
    }

    /// Processes events that have arrived.
    ///
    /// This is a separate function, so that workers that find no events do not pay for it.
    @usableFromInline @inline(never)
    func goOn(_ process: (Event) -> Void) {
        repeat { passOn(process) } while !drain.leave()
    }

    /// Processes an event, or leaves it for the worker; returns true if this call was the worker and has stopped.
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

    /// Stores an event like `enqueue`.
    ///
    /// Inside a control call of this thread, the control call will process the event.
    @inlinable
    func enqueueForThisThread(_ event: Event) {
        let isOwn = drain.isControlledByThisThread
        waiting.withLock { $0.append(event, isOwn: isOwn) }
    }

    /// Processes the waiting events if there is no worker; returns true if this call was the worker and has stopped.
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
            // The exchange leaves the emptied storage for the next events, so that a steady flow allocates nothing.
            waiting.withLock { $0.exchange(&batch) }
        } while !batch.isEmpty
    }
}

/// The events that wait for the worker of an inbox.
@usableFromInline
struct Waiting<Event> {
    @usableFromInline var events = RingBuffer<Event>()
    /// The number of leading events that the current control call itself has stored while it processed its event.
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

/// Control calls: attach, request and cancel. They process no events of senders, so they return promptly.
extension Inbox {
    /// Processes an event, or leaves it for the worker.
    ///
    /// Processes no event of another thread.
    @inlinable
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

    /// Runs `body`, which changes or reads the state of the engine, if there is no worker; returns nil otherwise.
    ///
    /// `body` runs under the lock. A sender that arrives in the meantime waits for the lock, and then tries again to
    /// become the worker. So its event is processed. `body` must neither run foreign code nor release a foreign object.
    @inlinable @inline(__always)
    func quietly<Result>(_ body: () -> Result) -> Result? {
        waiting.withLock { _ in
            guard drain.close() else { return nil }
            defer { drain.open() }
            return body()
        }
    }

    /// Processes the available events, but none that arrive in the meantime; returns true if nothing is left available.
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

    /// Stores an event for the worker; returns false, and stores nothing, if there is no worker.
    @usableFromInline
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
    @usableFromInline
    func takeOwn() -> (RingBuffer<Event>, isAll: Bool) {
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

/// The outcome of a control call on an inbox.
@usableFromInline
enum ControlOutcome {
    /// The event was processed, and this call has left the inbox without a worker.
    case left
    /// The current or the next worker will process the event.
    case elsewhere
    /// The event was processed. Events of other threads are available, and a helper must process them.
    case available
}
