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
    ///   if it was requested by then; those after it where the signal delivers them, none repeated or out of order.
    ///   No value of a repository's signal is lost; a hot source such as a `Broadcast` drops the values that it sends
    ///   before the first one has been passed on.
    /// - Failure: the signal's; `.misuse` inside a transaction or a `read` of this or another repository, where waiting
    ///   could be for ever.
    public func immediately() -> Signal {
        Signal(trusted: { sink in
            let run = ImmediateRun(sink)
            guard !ThreadContext.isWorking else {
                return run.refuse(
                    .misuse(
                        detail: "immediately() was attached inside a transaction or a read, whose body has verbs that "
                            + "need not wait"))
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

/// One run of `immediately()`: what comes is kept until the first value has been passed on, and passed on directly
/// afterwards.
///
/// Only one value is requested until then, so what is kept is that one and the end.
private final class ImmediateRun<Value>: Sendable where Value: Sendable {
    private struct State {
        var upstream: Upstream?
        var first: Value?
        var completion: Completion<RepositoryError>?
        /// What the thread that attaches sleeps on, if it does.
        var alarm: DispatchSemaphore?
        /// What was requested while the first value was kept.
        var demand = Demand.none
        /// Whether a thread attaches, or passes on what is kept.
        var isBusy = true
        /// Whether what comes is passed on directly.
        var isOpen = false
        var isCancelled = false

        /// Whether the caller has to pass on what is kept.
        mutating func enter() -> Bool {
            guard !isBusy, !isOpen, first == nil ? completion != nil : demand.needed > .none else { return false }
            isBusy = true
            return true
        }

        /// What the thread that is busy does next; afterwards nobody is.
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
        /// The rest of the demand is the upstream's.
        case open(Upstream, Demand)
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

    /// Waits for the first event, and passes it on.
    func begin() {
        let alarm = state.withLock { state in
            if state.first == nil, state.completion == nil { state.alarm = DispatchSemaphore(value: 0) }
            return state.alarm
        }
        alarm?.wait()
        sink.receive(upstream: Upstream(request: { self.request($0) }, cancel: { self.cancel() }))
        advance()
    }

    func receive(upstream: Upstream) {
        state.withLock { $0.upstream = upstream }
        upstream.request(.max(1))
    }

    func receive(_ value: Value) -> Demand {
        let (isOpen, alarm) = state.withLock { state in
            if !state.isOpen, !state.isCancelled { state.first = value }
            return (state.isOpen, state.alarm)
        }
        if isOpen { return sink.receive(value) }
        alarm?.signal()
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
            state.demand += more
            return (nil, state.enter())
        }
        upstream?.request(more)
        if isNext { advance() }
    }

    private func cancel() {
        let (upstream, kept) = state.withLock { state in
            state.isCancelled = true
            return (state.upstream.take(), state.first.take())
        }
        withExtendedLifetime(kept) {}
        upstream?.cancel()
    }

    /// Passes on what is kept, as far as it is requested.
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
