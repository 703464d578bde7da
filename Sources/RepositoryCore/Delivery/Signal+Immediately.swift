import Dispatch
import Signals

extension Signal where Failure == RepositoryError {
    /// Delivers the first value before attaching returns.
    ///
    /// A view that follows a query therefore starts with rows instead of an empty state.
    ///
    /// ```swift
    /// let store = try SQLiteRepository(.inMemory, entities: Movie.self)
    /// let token = store.countSubscription(Movie.self).immediately()
    ///     .sink(onValue: { print("\($0) movies") }, onCompletion: { _ in })
    /// print("attached")
    /// // 0 movies
    /// // attached
    /// ```
    /// The attaching thread does the read itself if a connection is free. Reading a large result blocks the thread, and
    /// a blocked main thread draws nothing: follow only the rows that are on the screen, with a `limit`.
    ///
    /// Apply this operator last: a later one that moves values to another queue, such as `receive(on:)`, also moves the
    /// first value.
    ///
    /// - Delivery: the signal's values. The first value is delivered on the attaching thread before attaching returns,
    ///   if the sink has requested it by then. Later values are delivered where the signal delivers them, in order and
    ///   without repeats. No value of a repository's signal is lost. A hot source such as a `Broadcast` drops the
    ///   values that it sends before the first value has been delivered.
    /// - Failure: the signal's failure; `.misuse` inside a transaction or a `read` of this or another repository, where
    ///   waiting might never end.
    public func immediately() -> Signal {
        Signal(trusted: { sink in
            let run = ImmediateRun(sink)
            guard !ThreadContext.isWorking else {
                return run.refuse(
                    .misuse(
                        detail: "immediately() was attached inside a transaction or a read; use the methods of its "
                            + "handle instead"))
            }
            ThreadContext.wait {
                self.run(
                    into: Sink(
                        onUpstream: { run.receive(upstream: $0) }, onValue: { run.receive($0) },
                        onCompletion: { run.receive(completion: $0) }))
            }
            run.begin()
        })
    }
}

/// One run of `immediately()`, which holds events until the first value is delivered, and then passes events on
/// directly.
///
/// Until the first value is delivered, the run requests only one value, so it holds at most one value and a completion.
private final class ImmediateRun<Value: Sendable>: Sendable {
    private let sink: Sink<Value, RepositoryError>
    private let state = Lock(ImmediateState())

    init(_ sink: Sink<Value, RepositoryError>) {
        self.sink = sink
    }

    func refuse(_ error: RepositoryError) {
        sink.receive(upstream: Upstream(request: { _ in }, cancel: {}))
        sink.receive(completion: .failure(error))
    }

    /// Waits for the first event, and passes it on.
    func begin() {
        let semaphore = state.withLock { state in
            if state.deliverFirst == nil, state.completion == nil { state.semaphore = DispatchSemaphore(value: 0) }
            return state.semaphore
        }
        semaphore?.wait()
        sink.receive(upstream: Upstream(request: { self.request($0) }, cancel: { self.cancel() }))
        advance()
    }

    func receive(upstream: Upstream) {
        state.withLock { $0.upstream = upstream }
        upstream.request(.max(1))
    }

    func receive(_ value: Value) -> Demand {
        let (isOpen, semaphore) = state.withLock { state in
            if !state.isOpen, !state.isCancelled { state.deliverFirst = { [sink] in sink.receive(value) } }
            return (state.isOpen, state.semaphore)
        }
        if isOpen { return sink.receive(value) }
        semaphore?.signal()
        return .none
    }

    func receive(completion: Completion<RepositoryError>) {
        let (isOpen, isNext, semaphore, released) = state.withLock {
            state -> (Bool, Bool, DispatchSemaphore?, Upstream?) in
            if state.isOpen { return (true, false, nil, state.upstream.take()) }
            if !state.isCancelled { state.completion = completion }
            return (false, state.enter(), state.semaphore, nil)
        }
        withExtendedLifetime(released) {}
        if isOpen { return sink.receive(completion: completion) }
        semaphore?.signal()
        if isNext { advance() }
    }

    private func request(_ more: Demand) {
        let (upstream, isNext) = state.withLock { state -> (Upstream?, Bool) in
            if state.isOpen { return (state.upstream, false) }
            state.demand += more
            return (nil, state.enter())
        }
        upstream?.request(more)
        if isNext { advance() }
    }

    private func cancel() {
        let (upstream, retained) = state.withLock { state in
            state.isCancelled = true
            return (state.upstream.take(), state.deliverFirst.take())
        }
        withExtendedLifetime(retained) {}
        upstream?.cancel()
    }

    /// Passes on the held events, as far as the sink has requested them.
    private func advance() {
        var more = Demand.none
        while let step = state.withLock({ $0.next(adding: more) }) {
            switch step {
            case .value(let deliver): more = deliver()
            case .open(let upstream, let demand):
                if demand > .none { upstream.request(demand) }
                return
            case .end(let completion, _): return sink.receive(completion: completion)
            }
        }
    }
}

/// The state of an `ImmediateRun`; it has no type parameters, because looking up a generic type takes longer than using
/// the lock.
private struct ImmediateState {
    var upstream: Upstream?
    /// Delivers the first value, which has arrived and is held.
    var deliverFirst: (@Sendable () -> Demand)?
    var completion: Completion<RepositoryError>?
    /// The semaphore that the attaching thread waits on; `nil` if it does not wait.
    var semaphore: DispatchSemaphore?
    /// The unmet demand of the sink while `isOpen` is `false`.
    var demand = Demand.none
    /// Whether a thread is attaching, or passing on the held events.
    var isBusy = true
    /// Whether events are passed on directly, because the first value has been delivered.
    var isOpen = false
    var isCancelled = false

    enum Step {
        case value(@Sendable () -> Demand)
        /// Requests the remaining demand from the upstream.
        case open(Upstream, Demand)
        /// Ends the run, and releases the upstream.
        case end(Completion<RepositoryError>, Upstream?)
    }

    /// Returns whether the caller must pass on the held events; if so, sets `isBusy`.
    mutating func enter() -> Bool {
        guard !isBusy, !isOpen, deliverFirst == nil ? completion != nil : demand.needed > .none else { return false }
        isBusy = true
        return true
    }

    /// Adds demand, and returns the next step of the thread that set `isBusy`, or `nil`.
    mutating func next(adding more: Demand) -> Step? {
        demand += more
        let isHeld = deliverFirst != nil && demand.needed == .none
        guard !isCancelled, !isOpen, !isHeld else {
            isBusy = false
            return nil
        }
        if let deliver = deliverFirst.take() {
            demand.subtractOne()
            return .value(deliver)
        }
        isOpen = true
        if let completion { return .end(completion, upstream.take()) }
        return upstream.map { .open($0, demand) }
    }
}
