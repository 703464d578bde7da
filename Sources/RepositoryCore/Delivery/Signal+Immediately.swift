import Dispatch
import Signals

extension Signal where Failure == RepositoryError {
    /// Delivers the first value before attaching returns, so that a view that follows a query starts with its rows
    /// instead of an empty state.
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
    /// a blocked main thread draws nothing: follow only what is on the screen, with a `limit`.
    ///
    /// Apply it last: a stage after it that moves values to another queue, such as `receive(on:)`, moves the first one
    /// too.
    ///
    /// - Delivery: the signal's values. The first one is delivered on the attaching thread before attaching returns, if
    ///   it was requested by then; later values are delivered where the signal delivers them, in order and without
    ///   repeats. No value of a repository's signal is lost; a hot source such as a `Broadcast` drops the values that
    ///   it sends before the first one has been passed on.
    /// - Failure: the signal's; `.misuse` inside a transaction or a `read` of this or another repository, where waiting
    ///   might never end.
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

/// One run of `immediately()`: it holds events until the first value has been passed on, and passes later ones on
/// directly.
///
/// Until then it requests only one value, so it holds at most that value and the completion.
private final class ImmediateRun<Value>: Sendable where Value: Sendable {
    private struct State {
        var upstream: Upstream?
        var first: Value?
        var completion: Completion<RepositoryError>?
        /// The semaphore that the attaching thread waits on, if it does.
        var semaphore: DispatchSemaphore?
        /// The demand that arrived before the run was open.
        var demand = Demand.none
        /// Whether a thread is attaching, or passing on the held events.
        var isBusy = true
        /// Whether events are passed on directly.
        var isOpen = false
        var isCancelled = false

        /// Returns whether the caller must pass on the held events.
        mutating func enter() -> Bool {
            guard !isBusy, !isOpen, first == nil ? completion != nil : demand.needed > .none else { return false }
            isBusy = true
            return true
        }

        /// The next step of the busy thread; `nil` if there is none.
        mutating func next() -> Step? {
            let isHeld = first != nil && demand.needed == .none
            guard !isCancelled, !isOpen, !isHeld else {
                isBusy = false
                return nil
            }
            if let value = first.take() {
                demand.subtractOne()
                return .value(value)
            }
            isOpen = true
            if let completion { return .end(completion, upstream.take()) }
            return upstream.map { .open($0, demand) }
        }
    }

    private enum Step {
        case value(Value)
        /// Requests the remaining demand from the upstream.
        case open(Upstream, Demand)
        /// Ends the run, and releases the upstream.
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

    /// Waits for the first event, and passes it on.
    func begin() {
        let semaphore = state.withLock { state in
            if state.first == nil, state.completion == nil { state.semaphore = DispatchSemaphore(value: 0) }
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
            if !state.isOpen, !state.isCancelled { state.first = value }
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
            return (state.upstream.take(), state.first.take())
        }
        withExtendedLifetime(retained) {}
        upstream?.cancel()
    }

    /// Passes on the held events, as far as they are requested.
    private func advance() {
        while let step = state.withLock({ $0.next() }) {
            switch step {
            case .value(let value):
                let more = sink.receive(value)
                state.withLock { $0.demand += more }
            case .open(let upstream, let demand): if demand > .none { upstream.request(demand) }
            case .end(let completion, _): sink.receive(completion: completion)
            }
        }
    }
}
