/// The engine that makes one stream of many: `flatMap`, `merge` and what is built on them.
///
/// Everything that happens to it is an event, and events pass one at a time through the inbox: the first failure wins,
/// cancels every child and the outer upstream, and fails; the end comes when the outer upstream and all children have
/// ended. While its sink's demand is limited, a child is asked for `prefetch` values, and for one more for each that
/// has left; a sink without limit gets children without limit, and nothing waits.
@usableFromInline
final class FanIn<Value: Sendable, Failure: Error>: @unchecked Sendable {
    @usableFromInline
    enum Event {
        case value(Value, Child?)
        case add(Child)
        case childEnd(Child, Completion<Failure>)
        case outerEnd(Completion<Failure>)
        case more
        case release
    }

    /// A value that came when there was no demand, and whom to ask for another when it has left.
    @usableFromInline
    struct Waiting {
        @usableFromInline var value: Value
        @usableFromInline var child: Child?

        @inlinable
        init(value: Value, child: Child?) {
            self.value = value
            self.child = child
        }
    }

    /// One inner signal: who to cancel when a sibling fails, and whom to ask when a value has left.
    @usableFromInline
    final class Child: @unchecked Sendable {
        // Safe because the place is confined to the inbox of the fan-in, and the attachment is atomic.
        @usableFromInline @exclusivity(unchecked) var place = -1
        @usableFromInline let attachment = Attachment()

        @inlinable
        init() {}
    }

    // Safe because all of these are confined to `inbox`; the rest is constant or atomic.
    @usableFromInline @exclusivity(unchecked) var next: Exit<Value, Failure>?
    @usableFromInline @exclusivity(unchecked) var children: [Child] = []
    @usableFromInline @exclusivity(unchecked) var outerEnded = false
    @usableFromInline @exclusivity(unchecked) var waiting = RingBuffer<Waiting>()

    @usableFromInline let demand = DemandCounter()
    @usableFromInline let inbox = Inbox<Event>()
    @usableFromInline let outer = Attachment()
    @usableFromInline let owed = Debt()
    @usableFromInline let maxConcurrent: Demand
    @usableFromInline let prefetch: Int

    @inlinable
    init(_ next: Sink<Value, Failure>, maxConcurrent: Demand, prefetch: Int) {
        self.next = Exit(next)
        self.maxConcurrent = maxConcurrent
        self.prefetch = prefetch
    }

    @inlinable
    func receive(upstream: Upstream) {
        guard outer.receive(upstream: upstream) else { return }
        next?.sink.receive(
            upstream: Upstream(
                request: { [self] in if demand.add($0) != nil { submit(.more) } },
                cancel: { [self] in cancel() }))
        outer.request(maxConcurrent)
    }

    /// Attaches an inner signal and returns the demand to answer the outer source with.
    ///
    /// One that is known to be a single value needs no child.
    @inlinable
    func attach(_ inner: Signal<Value, Failure>) -> Demand {
        if let value = inner.single {
            submitValue(value)
            return isLimited ? .max(1) : .none
        }
        attachChild(inner)
        return .none
    }

    @usableFromInline var isLimited: Bool { !maxConcurrent.isUnlimited }

    @inlinable
    func attachChild(_ inner: Signal<Value, Failure>) {
        let child = Child()
        submit(.add(child))
        let asked: Demand = demand.isUnlimited ? .unlimited : .max(prefetch)
        inner.attach(
            Sink(
                onUpstream: { if child.attachment.receive(upstream: $0) { child.attachment.request(asked) } },
                onValue: { [self] in
                    submit(.value($0, asked.isUnlimited ? nil : child))
                    return .none
                },
                onCompletion: { [self] in submit(.childEnd(child, $0)) }))
    }

    @inlinable
    func end(_ completion: Completion<Failure>) { submit(.outerEnd(completion)) }

    @inlinable
    func submitValue(_ value: Value) {
        guard demand.isUnlimited, inbox.enter() else { return submit(.value(value, nil)) }
        if waiting.isEmpty { _ = next?.receive(value) } else { process(.value(value, nil)) }
        inbox.leave { process($0) }
        settle()
    }

    /// Asks the outer upstream for as many values as inner signals have ended.
    @inlinable
    func settle() {
        let owed = owed.take()
        if owed > .none { outer.request(owed) }
    }

    @inlinable
    func submit(_ event: Event) {
        if inbox.submit(event, { process($0) }) { settle() }
    }

    @inlinable
    func process(_ event: Event) {
        switch event {
        case .value(let value, let child):
            if demand.isClosed { return DiscardHook.report(value, .siblingFailed, stage: "flatMap") }
            if waiting.isEmpty && demand.takeOne() { return pass(value, from: child) }
            waiting.append(Waiting(value: value, child: child))
        case .add(let child):
            if outer.isClosed { child.attachment.cancel() } else { add(child) }
        case .childEnd(let child, let completion):
            guard remove(child) else {
                return DiscardHook.report(late: completion, stage: "flatMap")
            }
            _ = child.attachment.end()
            if case .failure = completion { return finish(completion) }
            if isLimited { owed.add(.max(1)) }
            finishIfDone()
        case .outerEnd(let completion):
            outerEnded = true
            if case .failure = completion { return finish(completion) }
            finishIfDone()
        case .more: flush()
        case .release: release()
        }
    }

    @inlinable
    func flush() {
        while !waiting.isEmpty, demand.takeOne() {
            guard let first = waiting.popFirst() else { break }
            pass(first.value, from: first.child)
        }
        finishIfDone()
    }

    @inlinable
    func pass(_ value: Value, from child: Child?) {
        guard let more = next?.receive(value) else { return }
        if more > .none { demand.add(more) }
        child?.attachment.request(.max(1))
    }

    @inlinable
    func add(_ child: Child) {
        child.place = children.count
        children.append(child)
    }

    /// Takes a child out of the list, by putting the last one in its place: O(1).
    @inlinable
    func remove(_ child: Child) -> Bool {
        guard child.place >= 0, let last = children.popLast() else { return false }
        if last !== child {
            children[child.place] = last
            last.place = child.place
        }
        child.place = -1
        return true
    }

    @inlinable
    func finishIfDone() {
        if outerEnded && children.isEmpty && waiting.isEmpty { finish(.finished) }
    }

    @inlinable
    func finish(_ completion: Completion<Failure>) {
        guard demand.close() else { return DiscardHook.report(late: completion, stage: "flatMap") }
        let last = next.take()
        let dropped = waiting.removeAll()
        release()
        for lost in dropped { DiscardHook.report(lost.value, .siblingFailed, stage: "flatMap") }
        last?.sink.receive(completion: completion)
    }

    @inlinable
    func cancel() {
        demand.close()
        outer.cancel()
        submit(.release)
    }

    @inlinable
    func release() {
        if outerEnded { _ = outer.end() } else { outer.cancel() }
        let siblings = children
        children = []
        for child in siblings {
            child.place = -1
            child.attachment.cancel()
        }
        next = nil
        _ = waiting.removeAll()
    }
}
