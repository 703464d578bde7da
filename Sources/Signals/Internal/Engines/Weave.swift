import Synchronization

/// The engine of the operators that make one value from several: `combineLatest`, `zip`, `withLatest(from:)`.
///
/// Each input has a slot: a queue whose values are used once (and which bounds how far that input may run ahead), or a
/// place for the latest value, which is used repeatedly. Everything passes through the inbox. The first failure wins
/// and cancels all inputs. Whenever there is demand and all slots are ready, `make` makes one output from them.
@usableFromInline
final class Weave<Output: Sendable, Failure: Error>: Engine, @unchecked Sendable {
    /// What one input has delivered that has not been used yet; `Slot` holds the values themselves.
    @usableFromInline
    class Place: @unchecked Sendable {
        // Safe because all of these are confined to the inbox of the weave, and the rest is atomic.
        @usableFromInline let queueBound: Int?
        @inlinable var isReady: Bool { false }
        @usableFromInline var hasEnded = false
        @usableFromInline var freed = 0
        @usableFromInline let attachment = Attachment()
        @usableFromInline let owed = Debt()

        @inlinable
        init(queueBound: Int?) { self.queueBound = queueBound }

        /// Owes as many values as were used, once half of the queue is free: one request serves several; returns
        /// whether it owes them now.
        @inlinable
        func refill() -> Bool {
            guard let queueBound, !hasEnded else { return false }
            freed += 1
            guard freed * 2 >= queueBound else { return false }
            owed.add(.max(freed))
            freed = 0
            return true
        }

        @inlinable
        func clear() {}
    }

    /// The values of one input.
    @usableFromInline
    final class Slot<Value: Sendable>: Place, @unchecked Sendable {
        // Safe because it is confined to the inbox, like everything in the slot.
        @usableFromInline @exclusivity(unchecked) var values = RingBuffer<Value>()
        @inlinable override var isReady: Bool { !values.isEmpty }

        @inlinable
        func put(_ value: Value) {
            if queueBound == nil { _ = values.popFirst() }
            values.append(value)
        }

        /// The value to use: taken from a queue, copied from a place for the latest.
        @inlinable
        func take() -> Value? { queueBound == nil ? values.last : values.popFirst() }

        @inlinable
        override func clear() { _ = values.removeAll() }
    }

    // Safe because these are confined to `inbox`; the rest is constant or atomic.
    @usableFromInline @exclusivity(unchecked) var next: Sink<Output, Failure>?
    @usableFromInline let stage: StaticString
    @usableFromInline @exclusivity(unchecked) var isFresh = false
    // These do not change after `start` has set them, before anything is attached.
    @usableFromInline @exclusivity(unchecked) var places: [Place] = []
    /// Whether all inputs are queues, all are places for the latest value, or a mix; it does not change.
    @usableFromInline var drives = false
    @usableFromInline var mixes = false
    @usableFromInline @exclusivity(unchecked) var anyEnded = false
    @usableFromInline @exclusivity(unchecked) var make: (@Sendable () -> Output?)?
    @usableFromInline let inbox = Inbox<@Sendable () -> Void>()
    @usableFromInline let demand = DemandCounter()
    /// Whether some input is owed demand.
    @usableFromInline let owes = Atomic(false)

    @inlinable
    init(_ next: Sink<Output, Failure>, stage: StaticString) { (self.next, self.stage) = (next, stage) }

    /// Gives the sink its upstream and attaches all inputs, one after another, until one of them ends the run.
    @inlinable
    func start(_ places: [Place], make: @escaping @Sendable () -> Output?, attach: [@Sendable () -> Void]) {
        self.places = places
        drives = places.contains { $0.queueBound != nil }
        mixes = drives && places.contains { $0.queueBound == nil }
        self.make = make
        next?.receive(
            upstream: Upstream(
                request: { [self] asked in
                    demand.add(asked)
                    if inbox.quietly({ isWaitingForInputs }) != true { visit { self.passOn() } }
                },
                cancel: { [self] in
                    demand.close()
                    visit { self.release() }
                }))
        for attach in attach where !demand.isClosed { attach() }
    }

    @inlinable
    func attach<Value>(_ signal: Signal<Value, Failure>, to slot: Slot<Value>) {
        let ahead: Demand = slot.queueBound.map { .max($0) } ?? .unlimited
        signal.attach(
            Sink(
                onUpstream: { upstream in
                    if slot.attachment.receive(upstream: upstream) { slot.attachment.request(ahead) }
                },
                onValue: { [self] value in
                    if inbox.enter() {
                        put(value, in: slot)
                        inbox.leave { $0() }
                        settle()
                    } else {
                        inbox.submit({ self.put(value, in: slot) }, to: self)
                    }
                    return .none
                },
                onCompletion: { [self] completion in inbox.submit({ self.end(slot, completion) }, to: self) }))
    }

    @inlinable
    func process(_ event: @Sendable () -> Void) { event() }

    /// Requests what is owed from the inputs.
    @inlinable
    func settle() {
        // Most values leave nothing owed, and the inputs need not be looked at.
        guard owes.load(ordering: .relaxed), owes.exchange(false, ordering: .acquiringAndReleasing) else { return }
        for place in places {
            let owed = place.owed.take()
            if owed > .none { place.attachment.request(owed) }
        }
    }

    @inlinable
    func put<Value>(_ value: Value, in slot: Slot<Value>) {
        guard next != nil else { return DiscardHook.report(value, .siblingFailed, stage: stage) }
        // A value that drives the outputs, but arrives before the places for the latest values are filled, is dropped
        // and another is requested.
        if mixes, slot.queueBound != nil, places.contains(where: { $0.queueBound == nil && !$0.isReady }) {
            slot.owed.add(.max(1))
            return owes.store(true, ordering: .releasing)
        }
        slot.put(value)
        isFresh = true
        passOn()
    }

    /// Whether demand alone delivers nothing, until an input does.
    @inlinable var isWaitingForInputs: Bool { !anyEnded && !(isFresh && places.allSatisfy { $0.isReady }) }

    @inlinable
    func passOn() {
        while isFresh, places.allSatisfy({ $0.isReady }), demand.takeOne() {
            isFresh = drives
            guard let output = make?(), let more = next?.receive(output) else { break }
            if more > .none { demand.add(more) }
            guard drives else { continue }
            for place in places where place.refill() { owes.store(true, ordering: .releasing) }
        }
        if anyEnded { finishIfDone() }
    }

    @inlinable
    func end(_ place: Place, _ completion: Completion<Failure>) {
        place.hasEnded = true
        anyEnded = true
        _ = place.attachment.end()
        if case .failure = completion { return finish(completion) }
        finishIfDone()
    }

    /// Ends when no further output can come: a queue has run dry for good, a latest value will never arrive, or nothing
    /// is left to change.
    @inlinable
    func finishIfDone() {
        guard next != nil else { return }
        let isDry = places.contains { $0.hasEnded && !$0.isReady }
        let isSettled = !drives && !isFresh && places.allSatisfy(\.hasEnded)
        if isDry || isSettled { finish(.finished) }
    }

    @inlinable
    func finish(_ completion: Completion<Failure>) {
        // Already closed: a cancel arrived, perhaps during the previous delivery, and nothing follows it.
        let isWanted = demand.close()
        guard let last = next.take(), isWanted else {
            release()
            return DiscardHook.report(late: completion, stage: stage)
        }
        release()
        last.receive(completion: completion)
    }

    @inlinable
    func release() {
        next = nil
        make = nil
        for place in places {
            place.attachment.cancel()
            place.clear()
        }
    }
}
