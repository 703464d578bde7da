/// One run of an operator that keeps values until its sink asks for them: `buffer`, `conflate`, `prefetch`.
///
/// How a value is taken in is the operator's own (`admit`); when values leave is decided here, once. Values come from
/// the one thread that delivers, and leave on whichever thread finds both a value and a demand first; the drain sees
/// to it that it is one at a time.
@usableFromInline
final class Reservoir<Value: Sendable, Failure: Error>: @unchecked Sendable {
    /// What taking a value in leads to, done after the lock is left.
    @usableFromInline
    enum Admission {
        case kept
        case dropped(Value)
        case failed(Failure)
    }

    /// How many values the upstream is asked for: all it has, or as many as there is room for.
    @usableFromInline
    enum Intake: Sendable {
        case everything
        case upTo(high: Int, low: Int)
    }

    @usableFromInline struct Content {
        @usableFromInline var values = RingBuffer<Value>()
        @usableFromInline var ending: Completion<Failure>?
        /// Values that have left since the upstream was last asked.
        @usableFromInline var freed = 0

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
                    demand.add(asked)
                    drain.run { passOn() }
                },
                cancel: { [self] in cancel() }))
        switch intake {
        case .everything: attachment.request(.unlimited)
        case .upTo(let high, _): attachment.request(.max(high))
        }
    }

    @inlinable
    func receive(_ new: Value) -> Demand {
        var value = new
        if let merge, var waiting = content.withLock({ $0.values.popFirst() }) {
            // Merged outside the lock, because the closure is foreign; nobody else adds values meanwhile.
            merge(&waiting, new)
            value = waiting
        }
        let admission = content.withLock { [value] content -> Admission in
            if content.ending != nil { return .dropped(value) }
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
        drain.run { passOn() }
        return .none
    }

    @inlinable
    func receive(completion: Completion<Failure>) {
        let isLate = content.withLock { content in
            defer { if content.ending == nil { content.ending = completion } }
            return content.ending != nil
        }
        if isLate { DiscardHook.report(late: completion, stage: stage) }
        drain.run { passOn() }
    }

    @inlinable
    func passOn() {
        while !attachment.isClosed {
            let (value, ending, room) = take()
            if room > 0 { attachment.request(.max(room)) }
            if let value {
                if let more = next?.receive(value) { demand.add(more) }
            } else if let ending {
                return end(ending)
            } else {
                return
            }
        }
        letGo()
    }

    /// Takes the next value if one was asked for, the end if nothing waits, and how many more the upstream may send.
    @inlinable
    func take() -> (value: Value?, ending: Completion<Failure>?, room: Int) {
        content.withLock { content in
            if content.values.isEmpty { return (nil, content.ending, 0) }
            guard demand.takeOne() else { return (nil, nil, 0) }
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

    @inlinable
    func cancel() {
        demand.close()
        attachment.cancel()
        drain.run { if attachment.isClosed { letGo() } }
    }

    @inlinable
    func letGo() {
        next = nil
        _ = content.withLock { $0.values.removeAll() }
    }
}

extension Signal {
    /// Runs the signal through a reservoir.
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
