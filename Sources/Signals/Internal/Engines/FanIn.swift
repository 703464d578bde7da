/// The engine that merges many signals (its children) into one: for `flatMap`, `merge` and operators built on them.
///
/// The outer upstream delivers the children. Every value, end, request and cancel is an event, and the inbox processes
/// one event at a time. The first failure cancels every child and the outer upstream, and fails the run. The run
/// finishes when the outer upstream and all children have finished. While the sink's demand is limited, a child gets a
/// request for `prefetch` values, and for one more after each delivered value. With unlimited demand, demand on all
/// children is unlimited, too, and nothing is buffered. If the sink's demand is open (`Demand.opened`), so is the
/// demand on the children. If a child that cannot wait then sends more than `prefetch` values, the oldest values are
/// delivered beyond the demand. If `maxConcurrent` is limited, each child holds one of that many slots until it has
/// ended and all its values have been delivered.
@usableFromInline
final class FanIn<Value: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    @usableFromInline
    enum Event {
        case value(Value, Child?)
        /// The only value of an inner signal; the signal occupies a slot until the value is delivered.
        case single(Value)
        case add(Child)
        case childEnd(Child, Completion<Failure>)
        case outerEnd(Completion<Failure>)
        case more
        case release
    }

    /// A value that arrived without demand, and the child from which one more value is requested after the delivery.
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

    /// The state of one inner signal, which is cancelled when another inner signal fails.
    @usableFromInline
    final class Child: @unchecked Sendable {
        // Safe because `isOpen` and `isHalfOpen` are confined to the deliveries of the inner signal, which do not
        // overlap. The attachment is atomic, and the other properties are confined to the inbox of the fan-in.
        @usableFromInline @exclusivity(unchecked) var index = -1
        /// The number of buffered values of the child.
        ///
        /// Once the child `hasEnded`, delivering the last buffered value frees the child's slot.
        @usableFromInline @exclusivity(unchecked) var held = 0
        @usableFromInline @exclusivity(unchecked) var hasEnded = false
        /// Whether unlimited demand was requested from the child.
        @usableFromInline @exclusivity(unchecked) var isOpen = false
        /// Whether open demand was requested from the child.
        @usableFromInline @exclusivity(unchecked) var isHalfOpen = false
        @usableFromInline let attachment = Attachment()

        @inlinable
        init() {}
    }

    // Safe because these variables are confined to `inbox`, and the other properties are constant or atomic.
    @usableFromInline @exclusivity(unchecked) var next: Exit<Value, Failure>?
    @usableFromInline @exclusivity(unchecked) var children: [Child] = []
    @usableFromInline @exclusivity(unchecked) var outerEnded = false
    @usableFromInline @exclusivity(unchecked) var waiting = RingBuffer<Waiting>()
    @usableFromInline let stage: StaticString

    @usableFromInline let demand = DemandCounter()
    @usableFromInline let inbox = Inbox<Event>()
    @usableFromInline let outer = Attachment()
    @usableFromInline let pendingDemand = PendingDemand()
    @usableFromInline let maxConcurrent: Demand
    @usableFromInline let prefetch: Int

    @inlinable
    init(_ next: Sink<Value, Failure>, maxConcurrent: Demand, prefetch: Int, stage: StaticString) {
        self.next = Exit(next)
        self.stage = stage
        self.maxConcurrent = maxConcurrent
        self.prefetch = prefetch
    }

    @inlinable
    func receive(upstream: Upstream) {
        guard outer.receive(upstream: upstream) else { return }
        next?.sink.receive(
            upstream: Upstream(
                request: { [self] in
                    guard demand.add($0) != nil, inbox.quietly({ waiting.isEmpty }) != true else { return }
                    control(.more)
                },
                cancel: { [self] in cancel() }))
        outer.request(maxConcurrent)
    }

    /// Attaches an inner signal; returns the demand to add on the outer upstream.
    ///
    /// A signal that is known to deliver a single value needs no child.
    @inlinable
    func attach(_ inner: Signal<Value, Failure>) -> Demand {
        guard let value = inner.single else {
            attachChild(inner)
            return .none
        }
        if isLimited { return submitSingle(value) }
        submitValue(value)
        return .none
    }

    @usableFromInline var isLimited: Bool { !maxConcurrent.isUnlimited }

    @inlinable
    func attachChild(_ inner: Signal<Value, Failure>) {
        let child = Child()
        inbox.submit(.add(child), to: self)
        child.isOpen = demand.isUnlimited
        child.isHalfOpen = demand.isOpen
        let requested: Demand = child.isOpen ? .unlimited : child.isHalfOpen ? .max(prefetch).opened : .max(prefetch)
        inner.run(
            into: Sink(
                onUpstream: { if child.attachment.receive(upstream: $0) { child.attachment.request(requested) } },
                onValue: { [self] in
                    inbox.submit(.value($0, child.isOpen ? nil : child), to: self)
                    return child.isHalfOpen ? .none : open(child)
                },
                onCompletion: { [self] in inbox.submit(.childEnd(child, $0), to: self) }))
    }

    /// Returns the demand to add on a child that was attached under limited demand, if the sink's demand is now open.
    @inlinable
    func open(_ child: Child) -> Demand {
        guard demand.isOpen else { return .none }
        child.isHalfOpen = true
        child.isOpen = demand.isUnlimited
        return child.isOpen ? .unlimited : Demand.none.opened
    }

    @inlinable
    func end(_ completion: Completion<Failure>) { inbox.submit(.outerEnd(completion), to: self) }

    @inlinable
    func submitValue(_ value: Value) {
        guard demand.isUnlimited, inbox.enter() else { return inbox.submit(.value(value, nil), to: self) }
        if waiting.isEmpty { _ = next?.receive(value) } else { process(.value(value, nil)) }
        inbox.leave { process($0) }
        settle()
    }

    /// Submits the value of a single-value inner signal under `maxConcurrent`.
    ///
    /// If the value is delivered at once, returns demand for the next inner signal.
    @inlinable
    func submitSingle(_ value: Value) -> Demand {
        guard inbox.enter() else {
            inbox.submit(.single(value), to: self)
            return .none
        }
        let hasLeft = waiting.isEmpty && demand.takeNeeded()
        if hasLeft { pass(value, from: nil) } else { keepSingle(value) }
        inbox.leave { process($0) }
        settle()
        return hasLeft ? .max(1) : .none
    }

    @inlinable
    func keepSingle(_ value: Value) {
        if demand.isClosed { return DiscardHook.report(value, .siblingFailed, stage: stage) }
        let child = Child()
        child.hasEnded = true
        keep(value, of: child)
    }

    @inlinable
    func keep(_ value: Value, of child: Child?) {
        child?.held += 1
        waiting.append(Waiting(value: value, child: child))
    }

    /// Requests one inner signal from the outer upstream for each slot that has become free.
    @inlinable
    func settle() {
        let pendingDemand = pendingDemand.take()
        if pendingDemand > .none { outer.request(pendingDemand) }
    }

    @inlinable
    func process(_ event: Event) {
        switch event {
        case .value(let value, let child):
            if demand.isClosed { return DiscardHook.report(value, .siblingFailed, stage: stage) }
            if waiting.isEmpty && demand.takeNeeded() { return pass(value, from: child) }
            keep(value, of: child)
            // A child that cannot wait could fill the buffer. So with open demand, the values that arrived first are
            // delivered until at most `prefetch` values of this child are buffered.
            if let child, demand.isOpen { while child.held > prefetch, passFirst() {} }
        case .single(let value):
            guard waiting.isEmpty && demand.takeNeeded() else { return keepSingle(value) }
            pass(value, from: nil)
            pendingDemand.add(.max(1))
        case .add(let child):
            if outer.isClosed { child.attachment.cancel() } else { add(child) }
        case .childEnd(let child, let completion):
            guard remove(child) else {
                return DiscardHook.report(late: completion, stage: stage)
            }
            _ = child.attachment.end()
            if case .failure = completion { return finish(completion) }
            child.hasEnded = true
            freeSlot(of: child)
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
        while !waiting.isEmpty, demand.takeNeeded() {
            if !passFirst() { break }
        }
        finishIfDone()
    }

    /// Delivers the value that has waited longest; returns false if no value waits.
    @inlinable
    func passFirst() -> Bool {
        guard let first = waiting.popFirst() else { return false }
        pass(first.value, from: first.child)
        if let child = first.child {
            child.held -= 1
            freeSlot(of: child)
        }
        return true
    }

    @inlinable
    func freeSlot(of child: Child) {
        if isLimited && child.hasEnded && child.held == 0 { pendingDemand.add(.max(1)) }
    }

    @inlinable
    func pass(_ value: Value, from child: Child?) {
        guard let more = next?.receive(value) else { return }
        if more > .none { demand.add(more) }
        child?.attachment.request(.max(1))
    }

    @inlinable
    func add(_ child: Child) {
        child.index = children.count
        children.append(child)
    }

    /// Removes a child from the list in O(1), moving the last child to its index; returns false if it is not listed.
    @inlinable
    func remove(_ child: Child) -> Bool {
        guard child.index >= 0, let last = children.popLast() else { return false }
        if last !== child {
            children[child.index] = last
            last.index = child.index
        }
        child.index = -1
        return true
    }

    @inlinable
    func finishIfDone() {
        if outerEnded && children.isEmpty && waiting.isEmpty { finish(.finished) }
    }

    @inlinable
    func finish(_ completion: Completion<Failure>) {
        guard demand.close() else { return DiscardHook.report(late: completion, stage: stage) }
        let last = next.take()
        let dropped = waiting.removeAll()
        release()
        for lost in dropped { DiscardHook.report(lost.value, .siblingFailed, stage: stage) }
        last?.sink.receive(completion: completion)
    }

    @inlinable
    func cancel() {
        demand.close()
        outer.cancel()
        control(.release)
    }

    @inlinable
    func release() {
        if outerEnded { _ = outer.end() } else { outer.cancel() }
        let siblings = children
        children = []
        for child in siblings {
            child.index = -1
            child.attachment.cancel()
        }
        next = nil
        _ = waiting.removeAll()
    }
}
