/// One run of an operator that buffers values until its sink requests them: `buffer`, `conflate`, `prefetch`.
///
/// The operator's closure `admit` adds a value to the buffer or rejects it; this class decides when values are
/// delivered. Values arrive on one thread at a time. They leave on the first thread that finds both a value and demand;
/// the drain ensures that they leave one at a time.
@usableFromInline
final class Reservoir<Value: Sendable, Failure: Error>: @unchecked Sendable {
    /// The result of offering a value to the buffer.
    ///
    /// The caller acts on the result after it has released the lock.
    @usableFromInline
    enum Admission {
        case kept
        case dropped(Value)
        case failed(Failure)
    }

    /// The demand on the upstream: unlimited, or the number of values that fit into the buffer.
    @usableFromInline
    enum Intake: Sendable {
        case everything
        case upTo(high: Int, low: Int)
    }

    @usableFromInline struct Content {
        @usableFromInline var values = RingBuffer<Value>()
        @usableFromInline var ending: Completion<Failure>?
        /// The number of values delivered since the last request to the upstream.
        @usableFromInline var freed = 0
        /// Whether another thread has stored an event during a control call (a request or a cancel).
        @usableFromInline var hasOthers = false

        @inlinable
        init() {}
    }

    // Safe because only the worker of `drain` uses `next`, and the other properties are constant, atomic or locked.
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
                request: { [self] requested in
                    demand.add(served(requested))
                    control()
                },
                cancel: { [self] in
                    demand.close()
                    attachment.cancel()
                    control()
                }))
        switch intake {
        case .everything: attachment.request(.unlimited)
        case .upTo(let high, _): attachment.request(.max(high))
        }
    }

    /// Returns the part of a demand to serve: only `needed` values, if the reservoir makes its upstream wait.
    @inlinable
    func served(_ requested: Demand) -> Demand {
        if case .upTo = intake { requested.needed } else { requested }
    }

    @inlinable
    func receive(_ new: Value) -> Demand {
        var value = new
        if let merge, var waiting = content.withLock({ $0.values.popFirst() }) {
            // Merges outside the lock, because the closure is foreign code. No other value can arrive in the meantime.
            merge(&waiting, new)
            value = waiting
        }
        let isOthers = drain.isControlledByAnotherThread
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
        let isOthers = drain.isControlledByAnotherThread
        let isLate = content.withLock { content in
            defer { if content.ending == nil { content.ending = completion } }
            if isOthers { content.hasOthers = true }
            return content.ending != nil
        }
        if isLate { DiscardHook.report(late: completion, stage: stage) }
        drain.run { _ = passOn() }
    }

    /// Delivers the requested values; returns true if no work is left.
    ///
    /// A control call sets `own` to the number of values that waited when the call began. So it delivers no values that
    /// other threads add later.
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
        release()
        return true
    }

    /// Takes the next value if it was requested, or the completion if nothing is buffered; `room` is the number of
    /// values to request from the upstream.
    ///
    /// Makes `own` negative if the next event came from another thread.
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
        guard attachment.end() else { return release() }
        demand.close()
        let last = next.take()
        last?.sink.receive(completion: completion)
    }

    /// Delivers buffered values after a request, or releases them after a cancel.
    ///
    /// If there already is a worker, the worker does this, and this call returns at once. Otherwise, this call leaves
    /// events that other threads add in the meantime to the next sender, or to a helper if no sender arrives.
    @usableFromInline
    func control() {
        let waits = content.withLock { !$0.values.isEmpty || $0.ending != nil }
        guard waits || attachment.isClosed else { return }
        while !drain.enter() {
            if drain.recheckOrFindAvailable() { return }
        }
        drain.beginControl()
        var own = content.withLock { content in
            content.hasOthers = false
            return content.values.count
        }
        repeat {
            guard passOn(own: own) else { return leaveAvailable() }
            own = 0
        } while !drain.leaveControl()
    }

    private func leaveAvailable() {
        drain.leaveAvailable()
        Helper.begin { [self] in
            guard drain.takeAvailable() else { return true }
            // Takes only the events that are available now, and leaves later events to a sender. A completion without
            // values counts as one event.
            let available = content.withLock { Swift.max(1, $0.values.count) }
            if passOn(own: available) && drain.leave() { return true }
            drain.leaveAvailable()
            return false
        }
    }

    @inlinable
    func release() {
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
