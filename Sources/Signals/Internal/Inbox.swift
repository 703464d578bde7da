/// Events that happen one at a time, on whichever thread finds nobody else at work.
///
/// The drain says who works; the inbox keeps what the others leave for the worker, which is why it has no bound of its
/// own. An event that nobody has to wait for passes through without the lock. What an event does is said by `process`,
/// always the same one for an inbox, and what only `process` touches needs no lock of its own.
///
/// All is inlined, and `process` is to be a closure written at the call: a method in its place would be retained for
/// each event, with the engine that it belongs to.
@usableFromInline
struct Inbox<Event>: ~Copyable, Sendable {
    @usableFromInline let drain = Drain()
    @usableFromInline let waiting = Lock(RingBuffer<Event>())

    @inlinable
    init() {}

    /// Becomes the worker if there is none; `leave` must follow.
    @inlinable
    func enter() -> Bool { drain.enter() }

    /// Stops being the worker, after the events that came meanwhile.
    @inlinable @inline(__always)
    func leave(_ process: (Event) -> Void) {
        while !drain.leave() { passOn(process) }
    }

    /// Lets an event happen: now, or by the worker's hand; returns whether this call was the worker, and has left.
    @inlinable @inline(__always)
    @discardableResult
    func submit(_ event: Event, _ process: (Event) -> Void) -> Bool {
        if drain.enter() {
            process(event)
            leave(process)
            return true
        }
        enqueue(event)
        return work(process)
    }

    /// Stores an event, to be found by whoever works next; `work` must follow.
    @inlinable
    func enqueue(_ event: Event) { waiting.withLock { $0.append(event) } }

    /// Lets what waits happen; returns whether this call was the worker, and has left.
    @inlinable @inline(__always)
    @discardableResult
    func work(_ process: (Event) -> Void) -> Bool { drain.run { passOn(process) } }

    /// Whether nothing waits.
    @inlinable var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    @inlinable @inline(__always)
    func passOn(_ process: (Event) -> Void) {
        var batch = RingBuffer<Event>()
        repeat {
            while let event = batch.popFirst() { process(event) }
            // What is taken leaves the storage of what was taken before: a steady flow allocates nothing.
            waiting.withLock { swap(&$0, &batch) }
        } while !batch.isEmpty
    }
}
