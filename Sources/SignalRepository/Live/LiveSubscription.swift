import Signals

/// One sink's subscription to a live query, with what waits for the sink.
final class LiveSubscription: Sendable {
    /// What it is to follow; it is let go of when it does, since most follow what others follow too.
    final class Request: Sendable {
        /// What the query has in common with equal ones; `nil` when that is not known.
        let identity: LiveIdentity?
        /// The tables whose rows the query can use.
        let tables: Set<String>
        /// Makes what is followed when no equal query is.
        let makeSharedQuery: @Sendable (Confinement?) -> any SharedQuery

        init<Output>(_ query: LiveQuery<Output>, in dialect: any Dialect) {
            let identity = query.identity?(dialect)
            (self.identity, tables) = (identity, query.tables)
            makeSharedQuery = { [hasRowOrder = dialect.hasRowOrder] confinement in
                TypedSharedQuery(query, identity, hasRowOrder: hasRowOrder, on: confinement)
            }
        }
    }

    private enum State {
        case waiting(Request)
        case following(SharedCancellation)
        case cancelled
    }

    let mailbox: Mailbox<LatestValue>
    private let state: Lock<State>

    /// Makes the subscription of a sink that takes values of the query as the receiver says.
    init<Output>(_ query: LiveQuery<Output>, _ receiver: Mailbox<LatestValue>.Receiver, in dialect: any Dialect) {
        mailbox = Mailbox(receiver, LatestValue(isSame: query.isSame))
        state = Lock(.waiting(Request(query, in: dialect)))
    }

    /// What it waits to follow; `nil` when it follows that, or is cancelled.
    var request: Request? { state.withLock { if case .waiting(let request) = $0 { request } else { nil } } }

    var isCancelled: Bool { state.withLock { if case .cancelled = $0 { true } else { false } } }

    /// Joins those who share a query; false when it is cancelled, or all of them have left.
    func enter(_ sharing: SharedCancellation) -> Bool {
        let (isIn, released) = state.withLock { state -> (Bool, State) in
            guard case .waiting = state, sharing.enter() else { return (false, .cancelled) }
            defer { state = .following(sharing) }
            return (true, state)
        }
        withExtendedLifetime(released) {}
        return isIn
    }

    func cancel() {
        let last = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        if case .following(let sharing) = last { sharing.leave() }
        mailbox.cancel()
    }
}
