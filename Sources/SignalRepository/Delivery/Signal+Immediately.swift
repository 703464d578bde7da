import Dispatch
import Signals

extension Signal where Failure == RepositoryError {
    /// Has attaching wait for the first value, and deliver it, before it returns: a view that follows a query begins
    /// with its rows instead of an empty moment.
    ///
    /// ```swift
    /// let store = try SQLiteRepository(.inMemory, entities: Movie.self)
    /// let token = store.countSubscription(Movie.self).immediately()
    ///     .sink(onValue: { print("\($0) movies") }, onCompletion: { _ in })
    /// print("attached")
    /// // 0 movies
    /// // attached
    /// ```
    /// The thread that attaches does the read itself where a connection is free. The first read of a large result takes
    /// its time, in which a main thread draws nothing: follow what is on the screen, with a `limit`.
    ///
    /// Apply it last: a stage after it that moves values to another queue, such as `receive(on:)`, moves the first one
    /// too.
    ///
    /// - Delivery: the signal's values. The first is delivered on the thread that attaches, before attaching returns,
    ///   if it was requested by then; those after it where the signal delivers them, none lost, repeated or out of
    ///   order. A hot source may send ahead of a sink that limits its demand: those values wait without bound.
    /// - Failure: the signal's; `.misuse` inside a transaction or a `read` of this or another repository, where waiting
    ///   could be for ever.
    public func immediately() -> Signal {
        Signal(trusted: { sink in
            let run = ImmediateRun(sink)
            guard ThreadRole.current != .database else {
                return run.refuse(
                    .misuse(
                        detail: "immediately() was attached inside a transaction or a read, whose body has verbs that "
                            + "need not wait"))
            }
            ThreadRole.waiting.during {
                self.run(
                    into: Sink(
                        onUpstream: { run.receive(upstream: $0) }, onValue: { run.receive($0) },
                        onCompletion: { run.receive(completion: $0) }))
            }
            run.begin()
        })
    }
}

/// One run of `immediately()`: values wait in a queue, from which the thread that attaches delivers the first one.
///
/// One value is requested before the sink can request any. The request is open, because a hot source would drop what it
/// sends until the first one has been delivered. Such a source sends ahead of the sink for the whole run, so values go
/// through the queue until the sink's demand is unlimited, and directly from then on.
private final class ImmediateRun<Value>: Sendable where Value: Sendable {
    private struct State {
        var upstream: Upstream?
        var waiting = RingBuffer<Value>()
        var completion: Completion<RepositoryError>?
        /// What the thread that attaches sleeps on, if it does.
        var alarm: DispatchSemaphore?
        /// What the sink has requested and not received.
        var demand = Demand.none
        /// What of that is still to be requested.
        var owed = Demand.none
        /// Whether a value is requested that the sink has not requested yet.
        var isAhead = true
        /// Whether a thread attaches, or delivers what waits.
        var isBusy = true
        /// Whether events are delivered directly.
        var isOpen = false
        var isCancelled = false

        mutating func add(_ more: Demand) {
            let more = more.needed
            demand += more
            var rest = more
            if isAhead, rest > .none {
                isAhead = false
                rest.subtractOne()
            }
            owed += rest
        }

        /// Whether the caller has to deliver what waits, or to request more.
        mutating func enter() -> Bool {
            let isNext = waiting.isEmpty ? completion != nil || owed > .none : demand > .none
            guard isNext, !isBusy, !isOpen else { return false }
            isBusy = true
            return true
        }

        /// What the thread that is busy does next; afterwards nobody is.
        mutating func next() -> Step? {
            if !isCancelled, !isOpen {
                if demand > .none, let value = waiting.popFirst() {
                    demand.subtractOne()
                    return .value(value)
                }
                if waiting.isEmpty, let completion {
                    isOpen = true
                    return .end(completion, upstream.take())
                }
                if waiting.isEmpty, owed > .none, let upstream {
                    isOpen = demand.isUnlimited
                    // A source that answers at once fills the queue no further than that.
                    let portion = isOpen ? owed : min(owed, .max(16))
                    owed = isOpen || owed == portion ? .none : .max((owed.limit ?? 0) - 16)
                    return .request(upstream, portion)
                }
            }
            isBusy = false
            return nil
        }
    }

    private enum Step {
        case value(Value)
        case request(Upstream, Demand)
        /// The upstream is released with it.
        case end(Completion<RepositoryError>, Upstream?)
    }

    private let sink: Sink<Value, RepositoryError>
    private let state = Lock(State())

    init(_ sink: Sink<Value, RepositoryError>) {
        self.sink = sink
    }

    func refuse(_ error: RepositoryError) {
        sink.receive(upstream: Upstream(request: { _ in }, cancel: {}))
        sink.receive(completion: .failure(error))
    }

    /// Waits for the first event, and delivers it.
    func begin() {
        let alarm = state.withLock { state in
            if state.waiting.isEmpty, state.completion == nil { state.alarm = DispatchSemaphore(value: 0) }
            return state.alarm
        }
        alarm?.wait()
        sink.receive(upstream: Upstream(request: { self.request($0) }, cancel: { self.cancel() }))
        advance()
    }

    func receive(upstream: Upstream) {
        state.withLock { $0.upstream = upstream }
        upstream.request(Demand.max(1).opened)
    }

    func receive(_ value: Value) -> Demand {
        let (isOpen, isNext, alarm) = state.withLock { state in
            if !state.isOpen, !state.isCancelled { state.waiting.append(value) }
            return (state.isOpen, state.enter(), state.alarm)
        }
        if isOpen { return sink.receive(value) }
        alarm?.signal()
        if isNext { advance() }
        return .none
    }

    func receive(completion: Completion<RepositoryError>) {
        let (isOpen, isNext, alarm, released) = state.withLock { state -> (Bool, Bool, DispatchSemaphore?, Upstream?) in
            if state.isOpen { return (true, false, nil, state.upstream.take()) }
            if !state.isCancelled { state.completion = completion }
            return (false, state.enter(), state.alarm, nil)
        }
        withExtendedLifetime(released) {}
        if isOpen { return sink.receive(completion: completion) }
        alarm?.signal()
        if isNext { advance() }
    }

    private func request(_ more: Demand) {
        let (upstream, isNext) = state.withLock { state -> (Upstream?, Bool) in
            if state.isOpen { return (state.upstream, false) }
            state.add(more)
            return (nil, state.enter())
        }
        upstream?.request(more)
        if isNext { advance() }
    }

    private func cancel() {
        let (upstream, waiting) = state.withLock { state in
            state.isCancelled = true
            var waiting = RingBuffer<Value>()
            swap(&waiting, &state.waiting)
            return (state.upstream.take(), waiting)
        }
        withExtendedLifetime(waiting) {}
        upstream?.cancel()
    }

    /// Delivers what waits, as far as it is requested, and requests the rest.
    private func advance() {
        while let step = state.withLock({ $0.next() }) {
            switch step {
            case .value(let value):
                let more = sink.receive(value)
                if more > .none { state.withLock { $0.add(more) } }
            case .request(let upstream, let demand): upstream.request(demand)
            case .end(let completion, _): sink.receive(completion: completion)
            }
        }
    }
}
