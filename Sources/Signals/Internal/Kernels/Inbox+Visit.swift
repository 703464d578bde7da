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

    /// Whether nobody is at work; otherwise the worker will look again, and settle.
    @inlinable
    func knock() -> Bool { drain.knock() }

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

    /// Processes the first event that is on offer; returns whether nothing is on offer any more.
    @usableFromInline
    func standIn(_ process: (Event) -> Void) -> Bool {
        guard drain.takeOffer() else { return true }
        let event = waiting.withLock { waiting in
            waiting.own = 0
            return waiting.events.popFirst()
        }
        if let event { process(event) } else if drain.leave() { return true }
        drain.offer()
        return false
    }

    /// Takes everything that waits, without processing it.
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
