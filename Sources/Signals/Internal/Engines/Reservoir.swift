/// One run of an operator that buffers values until its sink requests them: `buffer`, `conflate`, `prefetch`.
///
/// How a value is accepted is up to the operator (`admit`); when values are delivered is decided here, once. Values
/// arrive on the one thread that delivers, and leave on whichever thread first finds both a value and demand; the drain
/// ensures that this happens one at a time.
@usableFromInline
final class Reservoir<Value: Sendable, Failure: Error>: @unchecked Sendable {
    /// The consequences of accepting a value, carried out after the lock is released.
    @usableFromInline
    enum Admission {
        case kept
        case dropped(Value)
        case failed(Failure)
    }

    /// How many values are requested from the upstream: all it has, or as many as there is room for.
    @usableFromInline
    enum Intake: Sendable {
        case everything
        case upTo(high: Int, low: Int)
    }

    @usableFromInline struct Content {
        @usableFromInline var values = RingBuffer<Value>()
        @usableFromInline var ending: Completion<Failure>?
        /// Values delivered since the last request to the upstream.
        @usableFromInline var freed = 0
        /// Whether another thread left something while a visitor was at work.
        @usableFromInline var hasOthers = false

        @inlinable
        init() {}
    }

    // Safe because `next` is confined to `drain`, and everything else is constant, atomic or locked.
    @usableFromInline var next: Exit<Value, Failure>?
    @usableFromInline let drain = Drain()
    @usableFromInline let demand = DemandCounter()
    @usableFromInline let attachment = Attachment()
    @usableFromInline let content = Lock(Content())
    @usableFromInline let intake: Intake
    @usableFromInline let admit: @Sendable (inout RingBuffer<Value>, Value) -> Admission
    @usableFromInline let merge: (@Sendable (inout Value, Value) -> Void)?
    @usableFromInline let stage: StaticString

    @inlinable
    init(
        _ next: Sink<Value, Failure>, intake: Intake, stage: StaticString,
        merge: (@Sendable (inout Value, Value) -> Void)?,
        admit: @escaping @Sendable (inout RingBuffer<Value>, Value) -> Admission
    ) {
        self.merge = merge
        self.next = Exit(next)
        self.intake = intake
        self.stage = stage
        self.admit = admit
    }

    @inlinable
    func receive(upstream source: Upstream) {
        guard attachment.receive(upstream: source) else { return }
        next?.sink.receive(
            upstream: Upstream(
                request: { [self] asked in
                    demand.add(served(asked))
                    visit()
                },
                cancel: { [self] in
                    demand.close()
                    attachment.cancel()
                    visit()
                }))
        switch intake {
        case .everything: attachment.request(.unlimited)
        case .upTo(let high, _): attachment.request(.max(high))
        }
    }

    /// The part of a demand that is served: a reservoir that makes its upstream wait delivers no more than needed.
    @inlinable
    func served(_ asked: Demand) -> Demand {
        if case .upTo = intake { asked.needed } else { asked }
    }

    @inlinable
    func receive(_ new: Value) -> Demand {
        var value = new
        if let merge, var waiting = content.withLock({ $0.values.popFirst() }) {
            // Merged outside the lock, because the closure is foreign code; nobody else adds values meanwhile.
            merge(&waiting, new)
            value = waiting
        }
        let isOthers = drain.isVisitedByAnother
        let admission = content.withLock { [value] content -> Admission in
            if isOthers { content.hasOthers = true }
            let admission = admit(&content.values, value)
            if case .failed(let failure) = admission { content.ending = .failure(failure) }
            return admission
        }
        switch admission {
        case .kept: break
        case .dropped(let dropped): DiscardHook.report(dropped, .overflow, stage: stage)
        case .failed:
            DiscardHook.report(value, .overflow, stage: stage)
            attachment.borrow()?.cancel()
        }
        drain.run { _ = passOn() }
        return .none
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
        let isOthers = drain.isVisitedByAnother
        let isLate = content.withLock { content in
            defer { if content.ending == nil { content.ending = completion } }
            if isOthers { content.hasOthers = true }
            return content.ending != nil
        }
        if isLate { DiscardHook.report(late: completion, stage: stage) }
        drain.run { _ = passOn() }
    }

    /// Delivers what was requested, and returns whether that is all.
    ///
    /// A visit states how many values were waiting for it: it delivers none of what others leave meanwhile.
    @inlinable
    func passOn(own: Int = .max) -> Bool {
        var own = own
        while !attachment.isClosed {
            let (value, ending, room) = take(&own)
            if room > 0 { attachment.request(.max(room)) }
            if let value {
                if let more = next?.receive(value), more > .none { demand.add(served(more)) }
            } else if let ending {
                end(ending)
                return true
            } else {
                return own >= 0
            }
        }
        letGo()
        return true
    }

    /// Takes the next value if one was requested, the end if nothing is buffered, and how many more the upstream may
    /// send.
    ///
    /// `own` becomes negative when what comes next is the work of others.
    @inlinable
    func take(_ own: inout Int) -> (value: Value?, ending: Completion<Failure>?, room: Int) {
        content.withLock { content in
            let isDue = content.values.isEmpty ? content.ending != nil : demand.current > .none
            if isDue && own == 0 && content.hasOthers {
                own = -1
                return (nil, nil, 0)
            }
            if content.values.isEmpty { return (nil, content.ending, 0) }
            guard demand.takeOne() else { return (nil, nil, 0) }
            if own > 0 && own < .max { own -= 1 }
            let value = content.values.popFirst()
            guard case .upTo(let high, let low) = intake, content.ending == nil else { return (value, nil, 0) }
            content.freed += 1
            guard content.freed >= high - low else { return (value, nil, 0) }
            defer { content.freed = 0 }
            return (value, nil, content.freed)
        }
    }

    @inlinable
    func end(_ completion: Completion<Failure>) {
        guard attachment.end() else { return letGo() }
        demand.close()
        let last = next.take()
        last?.sink.receive(completion: completion)
    }

    /// Delivers what is buffered to a sink that requests, or releases it for one that cancels; returns at once if
    /// another thread is at work, and offers what others leave meanwhile.
    @usableFromInline
    func visit() {
        let waits = content.withLock { !$0.values.isEmpty || $0.ending != nil }
        guard waits || attachment.isClosed else { return }
        while !drain.enter() {
            if drain.askOrFindOffered() { return }
        }
        drain.beginVisit()
        var own = content.withLock { content in
            content.hasOthers = false
            return content.values.count
        }
        repeat {
            guard passOn(own: own) else { return offer() }
            own = 0
        } while !drain.leaveVisit()
    }

    private func offer() {
        drain.offer()
        StandIn.begin { [self] in
            guard drain.takeOffer() else { return true }
            // The events on offer now; a sender takes up later ones. The end alone counts as one.
            let offered = content.withLock { Swift.max(1, $0.values.count) }
            if passOn(own: offered) && drain.leave() { return true }
            drain.offer()
            return false
        }
    }

    @inlinable
    func letGo() {
        next = nil
        _ = content.withLock { $0.values.removeAll() }
    }
}

extension Signal {
    @inlinable
    func stored(
        _ intake: Reservoir<Value, Failure>.Intake, stage: StaticString,
        merge: (@Sendable (inout Value, Value) -> Void)? = nil,
        admit: @escaping @Sendable (inout RingBuffer<Value>, Value) -> Reservoir<Value, Failure>.Admission
    ) -> Signal {
        lift { next in
            let reservoir = Reservoir(next, intake: intake, stage: stage, merge: merge, admit: admit)
            return Sink(
                onUpstream: { reservoir.receive(upstream: $0) },
                onValue: { reservoir.receive($0) },
                onCompletion: { reservoir.receive(completion: $0) })
        }
    }
}
