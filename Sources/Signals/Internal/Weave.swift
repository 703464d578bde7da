/// The engine of the operators that make one value of several: `combineLatest`, `zip`, `withLatest(from:)`.
///
/// Each input has a slot: a queue whose values are used once (and which bounds how far that input may run ahead), or a
/// place for the latest value, which is used again and again. Everything passes through the inbox. The first failure
/// wins and cancels all inputs. Whenever there is demand and all slots are ready, `make` takes one output out of them.
@usableFromInline
final class Weave<Output: Sendable, Failure: Error>: @unchecked Sendable {
    /// What one input has delivered and is not used yet; `Slot` holds the values themselves.
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

        /// Owes as many values as were used, once half of the queue's room is free: one request serves several.
        @inlinable
        func refill() {
            guard let queueBound, !hasEnded else { return }
            freed += 1
            guard freed * 2 >= queueBound else { return }
            owed.add(.max(freed))
            freed = 0
        }

        @inlinable
        func clear() {}
    }

    /// The values of one input.
    @usableFromInline
    final class Slot<Value: Sendable>: Place, @unchecked Sendable {
        // Safe because it is confined to the inbox, like all of the place.
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
    @usableFromInline @exclusivity(unchecked) var isFresh = false
    // These do not change once `start` has set them, before anything is attached.
    @usableFromInline @exclusivity(unchecked) var places: [Place] = []
    /// Whether all inputs are queues, all are places for the latest, or some are; it does not change.
    @usableFromInline var drives = false
    @usableFromInline var mixes = false
    @usableFromInline @exclusivity(unchecked) var anyEnded = false
    @usableFromInline @exclusivity(unchecked) var make: (@Sendable () -> Output?)?
    @usableFromInline let inbox = Inbox<@Sendable () -> Void>()
    @usableFromInline let demand = DemandCounter()

    @inlinable
    init(_ next: Sink<Output, Failure>) { self.next = next }

    /// Hands the sink its upstream and attaches all inputs, one after another, until one of them has ended it all.
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
                    submit { self.passOn() }
                },
                cancel: { [self] in
                    demand.close()
                    submit { self.release() }
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
                        submit { self.put(value, in: slot) }
                    }
                    return .none
                },
                onCompletion: { [self] completion in submit { self.end(slot, completion) } }))
    }

    @inlinable
    func submit(_ event: @escaping @Sendable () -> Void) {
        if inbox.submit(event, { $0() }) { settle() }
    }

    /// Asks the inputs for what is owed to them.
    @inlinable
    func settle() {
        for place in places {
            let owed = place.owed.take()
            if owed > .none { place.attachment.request(owed) }
        }
    }

    @inlinable
    func put<Value>(_ value: Value, in slot: Slot<Value>) {
        guard next != nil else { return DiscardHook.report(value, .siblingFailed, stage: "combine") }
        // A value that drives the outputs, but comes before the places for the latest are filled, is dropped and asked
        // for again.
        if mixes, slot.queueBound != nil, places.contains(where: { $0.queueBound == nil && !$0.isReady }) {
            return slot.owed.add(.max(1))
        }
        slot.put(value)
        isFresh = true
        passOn()
    }

    @inlinable
    func passOn() {
        while isFresh, places.allSatisfy({ $0.isReady }), demand.takeOne() {
            isFresh = drives
            guard let output = make?(), let more = next?.receive(output) else { break }
            if more > .none { demand.add(more) }
            guard drives else { continue }
            for place in places { place.refill() }
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

    /// Ends when no further output can come: a queue has run dry for good, a latest value will never come, or nothing
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
        // Closed already: a cancel came, perhaps during the value that was delivered just before, and nothing follows
        // it.
        let isWanted = demand.close()
        guard let last = next.take(), isWanted else {
            release()
            return DiscardHook.report(late: completion, stage: "combine")
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
