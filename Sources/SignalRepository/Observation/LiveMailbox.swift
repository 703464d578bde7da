import Signals

/// The emitting end of a live query: holds at most one value that its sink has not taken, always the latest.
///
/// `offer` and `fail` are called on the live queue, one at a time; deliveries run on the delivery queue, one at a time;
/// requests and cancels come from anywhere.
final class LiveMailbox<Value: Sendable & Equatable>: Sendable {
    fileprivate struct State {
        var sink: Sink<Committed<Value>, RepositoryError>?
        /// How many values the sink still wants; `Int.max` is without end.
        var demand = 0
        var pending: Committed<Value>?
        var delivered: Value?
        var failure: RepositoryError?
        var isDelivering = false
        /// Counts deliveries, so that a comparison made outside the lock is known to be still true.
        var deliveries = 0
    }

    private enum Step {
        case value(Sink<Committed<Value>, RepositoryError>, Committed<Value>)
        case failure(Sink<Committed<Value>, RepositoryError>, RepositoryError)
    }

    private let state: Lock<State>

    init(_ sink: Sink<Committed<Value>, RepositoryError>) {
        state = Lock(State(sink: sink))
    }

    /// Takes a value that differs from the one offered before.
    ///
    /// When the sink has not taken that one and the new value is the last that it did take, there is nothing to tell.
    func offer(_ value: Committed<Value>) {
        let (delivered, deliveries) = state.withLock { ($0.delivered, $0.deliveries) }
        let isKnown = delivered.map { $0 == value.value } ?? false
        let (replaced, isDue) = state.withLock { state in
            let replaced = state.pending
            guard state.sink != nil else { return (replaced, false) }
            state.pending = isKnown && deliveries == state.deliveries ? nil : value
            return (replaced, state.beginDelivering())
        }
        withExtendedLifetime(replaced) {}
        if isDue { schedule() }
    }

    /// Ends the signal with a failure, after the value that the sink has asked for and not yet got.
    func fail(_ error: RepositoryError) {
        let isDue = state.withLock { state in
            if state.failure == nil { state.failure = error }
            return state.beginDelivering()
        }
        if isDue { schedule() }
    }

    func request(_ more: Demand) {
        let isDue = state.withLock { state in
            let (sum, overflow) = state.demand.addingReportingOverflow(more.limit ?? .max)
            state.demand = overflow ? .max : sum
            return state.beginDelivering()
        }
        if isDue { schedule() }
    }

    /// Forgets the sink and every value.
    func cancel() {
        let released = state.withLock { state in
            let released = (state.sink, state.pending, state.delivered)
            (state.sink, state.pending, state.delivered) = (nil, nil, nil)
            return released
        }
        withExtendedLifetime(released) {}
    }

    private func schedule() {
        Delivery.schedule { self.deliver() }
    }

    private func deliver() {
        while let step = next() {
            switch step {
            case .value(let sink, let value):
                let more = sink.receive(value)
                if more > .none { request(more) }
            case .failure(let sink, let error):
                cancel()
                sink.receive(completion: .failure(error))
            }
        }
    }

    private func next() -> Step? {
        let (step, released) = state.withLock { state -> (Step?, Value?) in
            guard let sink = state.sink, state.isDue else {
                state.isDelivering = false
                return (nil, nil)
            }
            guard state.demand > 0, let pending = state.pending else {
                return (state.failure.map { .failure(sink, $0) }, nil)
            }
            let released = state.delivered
            if state.demand != .max { state.demand -= 1 }
            (state.delivered, state.pending) = (pending.value, nil)
            state.deliveries += 1
            return (.value(sink, pending), released)
        }
        withExtendedLifetime(released) {}
        return step
    }
}

extension LiveMailbox.State {
    /// Whether there is something to deliver now.
    fileprivate var isDue: Bool {
        sink != nil && (failure != nil || pending != nil && demand > 0)
    }

    /// Whether the caller has to start the delivery.
    fileprivate mutating func beginDelivering() -> Bool {
        guard isDue, !isDelivering else { return false }
        isDelivering = true
        return true
    }
}
