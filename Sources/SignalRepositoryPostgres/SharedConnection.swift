import SignalRepository
import Signals

/// A connection that several threads use, one at a time; no lock is held while the server is asked.
final class SharedConnection: Sendable {
    private struct State: TakesTurns {
        var turn = Turn()
        var connection: PostgresConnection?
        /// How many connections there have been.
        var generation = 0
        /// Whether the connection was there when it was last used.
        var isOpen = true
    }

    private let state: Lock<State>

    init(_ connection: sending PostgresConnection) { state = Lock(State(connection: connection)) }

    /// Uses the connection, or replaces it, while other threads wait for it.
    func use<Output, Failure: Error>(
        _ body: (inout PostgresConnection?) throws(Failure) -> Output
    ) throws(Failure) -> Output {
        var connection = state.takeTurn(\.connection)
        defer { pass(connection) }
        return try body(&connection)
    }

    func useIfFree(_ body: (PostgresConnection) -> Void) {
        guard let connection = state.takeTurnIfFree(\.connection) else { return }
        if let connection { body(connection) }
        pass(connection)
    }

    private func pass(_ connection: PostgresConnection?) {
        let isOpen = connection?.isOpen == true
        // The last reference may be released here, so it leaves the lock first.
        let replaced = state.passTurn { state in
            let isNew = connection != nil && connection !== state.connection
            if isNew { state.generation += 1 }
            state.isOpen = isOpen
            defer { state.connection = connection }
            return state.connection
        }
        withExtendedLifetime(replaced) {}
    }
}

// A witness of the server's life.
extension SharedConnection {
    /// The number of the connection there is, or of the last one.
    var generation: Int { state.withLock { $0.generation } }

    /// Names the connection there is now, if there is one; it was there before whatever is begun afterwards.
    var view: Int? { state.withLock { $0.isOpen && $0.connection != nil ? $0.generation : nil } }

    /// Asks the server for the state of a transaction on the connection of a view; `nil` when that is gone.
    ///
    /// `prepare` is called before the question.
    func outcome(
        of number: Int64, view: Int, prepare: (PostgresConnection) -> Void = { _ in }
    ) -> TransactionOutcome? {
        use { connection in
            // Only here a connection is replaced, so that it is still the view's if it was when the turn began.
            guard generation == view, let connection, connection.isAlive() else { return nil }
            prepare(connection)
            return connection.outcome(of: number)
        }
    }
}
