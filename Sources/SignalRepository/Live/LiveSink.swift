import Signals

/// What arrives at the live engine and leaves it: a sink that follows a query of some output.
protocol LiveArrival: AnyObject, Sendable {
    /// What its query has in common with equal ones; `nil` when that is not known.
    var identity: LiveIdentity? { get }
    /// The table whose rows its query can use.
    var table: String? { get }
    /// Whether the sink has left.
    var isCancelled: Bool { get }

    /// Makes a node for its query.
    func makeNode() -> any LiveNode

    /// Ends it with a failure.
    func fail(_ error: RepositoryError)
}

/// A sink that follows a live query, with what waits for it.
final class LiveSink<Output: Sendable & Equatable>: LiveArrival {
    private enum State {
        case waiting
        case following(LiveAudience)
        case cancelled
    }

    let mailbox: Mailbox<LatestValue>
    private let query: LiveQuery<Output>
    private let state = Lock(State.waiting)

    init(_ query: LiveQuery<Output>, _ sink: Sink<Committed<Output>, RepositoryError>) {
        self.query = query
        mailbox = Mailbox(sink, isSame: query.isSame)
    }

    var identity: LiveIdentity? { query.identity }

    var table: String? { query.table }

    var isCancelled: Bool {
        state.withLock {
            guard case .cancelled = $0 else { return false }
            return true
        }
    }

    func makeNode() -> any LiveNode { QueryNode(query) }

    func fail(_ error: RepositoryError) { mailbox.fail(error) }

    /// Joins those who follow a query; false when the sink has left, or all of them have.
    func enter(_ audience: LiveAudience) -> Bool {
        state.withLock { state in
            guard case .waiting = state, audience.enter() else { return false }
            state = .following(audience)
            return true
        }
    }

    func cancel() {
        let last = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        if case .following(let audience) = last { audience.leave() }
        mailbox.cancel()
    }
}
