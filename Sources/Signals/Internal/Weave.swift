/// The engine of the operators that make one value of several: `combineLatest`, `zip`, `withLatest(from:)`.
///
/// Each input has a slot: a queue whose values are used once (and which bounds how far that input may run ahead), or a
/// place for the latest value, which is used again and again. Everything passes through the drain. The first failure
/// wins and cancels all inputs. Whenever there is demand and all slots are ready, `make` takes one output out of them.
@usableFromInline
final class Weave<Output: Sendable, Failure: Error>: @unchecked Sendable {
    /// What one input has delivered and is not used yet; `Slot` holds the values themselves.
    @usableFromInline
    class Place: @unchecked Sendable {
        // Safe because all of these are confined to the drain of the weave, and the upstream is locked.
        @usableFromInline let queueBound: Int?
        fileprivate var isReady: Bool { false }
        fileprivate var hasEnded = false
        fileprivate let attachment = Attachment()
        fileprivate let upstream = Lock<Upstream?>(nil)

        @usableFromInline
        init(queueBound: Int?) { self.queueBound = queueBound }

        fileprivate func ask(_ demand: Demand) { upstream.withLock { $0 }?.request(demand) }
        fileprivate func clear() {}
    }

    /// The values of one input.
    @usableFromInline
    final class Slot<Value: Sendable>: Place, @unchecked Sendable {
        // Safe because it is confined to the drain, like all of the place.
        private var values = RingBuffer<Value>()
        fileprivate override var isReady: Bool { !values.isEmpty }

        fileprivate func put(_ value: Value) {
            if queueBound == nil { _ = values.popFirst() }
            values.append(value)
        }

        /// The value to use: taken from a queue, copied from a place for the latest.
        @usableFromInline
        func take() -> Value? { queueBound == nil ? values.last : values.popFirst() }

        fileprivate override func clear() { _ = values.removeAll() }
    }

    // Safe because these are confined to `drain`; the rest is constant, atomic or locked.
    private var next: Sink<Output, Failure>?
    private var places: [Place] = []
    private var isFresh = false
    private var make: (@Sendable () -> Output?)?
    private let drain = Drain()
    private let inbox = Lock(RingBuffer<@Sendable () -> Void>())
    private let demand = DemandCounter()

    @usableFromInline
    init(_ next: Sink<Output, Failure>) { self.next = next }

    /// Hands the sink its upstream and attaches all inputs, one after another, until one of them has ended it all.
    @usableFromInline
    func start(_ places: [Place], make: @escaping @Sendable () -> Output?, attach: [@Sendable () -> Void]) {
        self.places = places
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

    @usableFromInline
    func attach<Value>(_ signal: Signal<Value, Failure>, to slot: Slot<Value>) {
        let ahead: Demand = slot.queueBound.map { .max($0) } ?? .unlimited
        signal.attach(
            Sink(
                onUpstream: { upstream in
                    slot.upstream.withLock { $0 = upstream }
                    if slot.attachment.receive(upstream: upstream) { upstream.request(ahead) }
                },
                onValue: { [self] value in
                    submit { self.put(value, in: slot) }
                    return .none
                },
                onCompletion: { [self] completion in submit { self.end(slot, completion) } }))
    }

    private func submit(_ event: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.append(event) }
        drain.run {
            while let event = inbox.withLock({ $0.popFirst() }) { event() }
        }
    }

    private func put<Value>(_ value: Value, in slot: Slot<Value>) {
        guard next != nil else { return DiscardHook.report(value, .siblingFailed, stage: "combine") }
        // A value that drives the outputs, but comes before the places for the latest are filled, is dropped and asked
        // for again.
        if slot.queueBound != nil, places.contains(where: { $0.queueBound == nil && !$0.isReady }) {
            return slot.ask(.max(1))
        }
        slot.put(value)
        isFresh = true
        passOn()
    }

    private func passOn() {
        while isFresh, places.allSatisfy({ $0.isReady }), demand.takeOne() {
            isFresh = places.contains { $0.queueBound != nil }
            guard let output = make?(), let more = next?.receive(output) else { break }
            demand.add(more)
            for place in places where place.queueBound != nil { place.ask(.max(1)) }
        }
        finishIfDone()
    }

    private func end(_ place: Place, _ completion: Completion<Failure>) {
        place.hasEnded = true
        _ = place.attachment.end()
        _ = place.upstream.withLock { $0.take() }
        if case .failure = completion { return finish(completion) }
        finishIfDone()
    }

    /// Ends when no further output can come: a queue has run dry for good, a latest value will never come, or nothing
    /// is left to change.
    private func finishIfDone() {
        guard next != nil else { return }
        let drives = places.filter { $0.queueBound != nil }
        let isDry = places.contains { $0.hasEnded && !$0.isReady }
        let isSettled = drives.isEmpty && !isFresh && places.allSatisfy(\.hasEnded)
        if isDry || isSettled { finish(.finished) }
    }

    private func finish(_ completion: Completion<Failure>) {
        demand.close()
        guard let last = next.take() else { return DiscardHook.report(late: completion, stage: "combine") }
        release()
        last.receive(completion: completion)
    }

    private func release() {
        let all = places
        places = []
        next = nil
        make = nil
        for place in all {
            _ = place.upstream.withLock { $0.take() }
            place.attachment.cancel()
            place.clear()
        }
    }
}
