import Signals

/// The emitting end of a signal of changes: keeps every change set until its sink takes it, up to a bound.
///
/// Beyond the bound, all that waits becomes one change set that says so. `offer` and `fail` come one at a time;
/// deliveries run on the delivery queue, one at a time; requests and cancels come from anywhere.
final class ChangeMailbox: Sendable {
    fileprivate struct State {
        var sink: Sink<ChangeSet, RepositoryError>?
        /// How many change sets the sink still wants; `Int.max` is without end.
        var demand = 0
        var waiting: [ChangeSet] = []
        /// The place of the change set that has waited longest.
        var first = 0
        /// How many rows wait; a change set without rows counts as one.
        var weight = 0
        var failure: RepositoryError?
        var isDelivering = false
    }

    private enum Step {
        case changes(Sink<ChangeSet, RepositoryError>, ChangeSet)
        case failure(Sink<ChangeSet, RepositoryError>, RepositoryError)
    }

    private let state: Lock<State>
    private let limit: Int

    init(_ sink: Sink<ChangeSet, RepositoryError>, limit: Int) {
        state = Lock(State(sink: sink))
        self.limit = limit
    }

    /// Whether the sink hears no more.
    var isEnded: Bool { state.withLock { $0.sink == nil || $0.failure != nil } }

    /// Takes a change set.
    func offer(_ changes: ChangeSet) {
        let (dropped, isDue) = state.withLock { state -> ([ChangeSet], Bool) in
            guard state.sink != nil, state.failure == nil else { return ([], false) }
            let dropped = state.add(changes, limit: limit)
            return (dropped, state.beginDelivering())
        }
        if !dropped.isEmpty {
            // Not here: this is the writer's queue, and the hook is foreign.
            Delivery.schedule { for changes in dropped { DiscardHook.report(changes, .overflow, stage: "changes") } }
        }
        if isDue { schedule() }
    }

    /// Ends the signal with a failure, after all that waits.
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

    /// Forgets the sink and everything that waits.
    func cancel() {
        let released = state.withLock { state in
            defer { (state.sink, state.waiting, state.first, state.weight) = (nil, [], 0, 0) }
            return (state.sink, state.waiting)
        }
        withExtendedLifetime(released) {}
    }

    private func schedule() {
        Delivery.schedule { self.deliver() }
    }

    private func deliver() {
        while let step = next() {
            switch step {
            case .changes(let sink, let changes):
                let more = sink.receive(changes)
                if more > .none { request(more) }
            case .failure(let sink, let error):
                cancel()
                sink.receive(completion: .failure(error))
            }
        }
    }

    private func next() -> Step? {
        state.withLock { state -> Step? in
            guard let sink = state.sink, state.isDue else {
                state.isDelivering = false
                return nil
            }
            guard let changes = state.takeFirst() else { return state.failure.map { .failure(sink, $0) } }
            if state.demand != .max { state.demand -= 1 }
            return .changes(sink, changes)
        }
    }
}

extension ChangeMailbox.State {
    /// Whether there is something to deliver now.
    fileprivate var isDue: Bool {
        guard sink != nil else { return false }
        return first < waiting.count ? demand > 0 : failure != nil
    }

    /// Whether the caller has to start the delivery.
    fileprivate mutating func beginDelivering() -> Bool {
        guard isDue, !isDelivering else { return false }
        isDelivering = true
        return true
    }

    /// Adds a change set, and returns those that one which says "unknown" now stands for.
    fileprivate mutating func add(_ changes: ChangeSet, limit: Int) -> [ChangeSet] {
        let isTooMuch = first < waiting.count && weight + changes.weight > limit
        guard isTooMuch else {
            waiting.append(changes)
            weight += changes.weight
            return []
        }
        let dropped = Array(waiting[first...]) + [changes]
        (waiting, first, weight) = ([ChangeSet(commit: changes.commit, unknown: .backlog)], 0, 1)
        return dropped
    }

    /// Takes the change set that has waited longest.
    fileprivate mutating func takeFirst() -> ChangeSet? {
        guard first < waiting.count else { return nil }
        let changes = waiting[first]
        first += 1
        weight -= changes.weight
        if first == waiting.count {
            waiting.removeAll()
            first = 0
        } else if first >= 1024, first * 2 >= waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        return changes
    }
}
