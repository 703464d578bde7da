import RepositoryCore
import Signals

/// A connection that several threads use one after the other; no lock is held during a query.
final class SharedConnection: Sendable {
    private struct State: TakesTurns {
        var turn = Turn()
        var connection: PostgresConnection?
        /// How many times the connection has been replaced.
        var generation = 0
        /// Whether the connection was open when it was last used.
        var isOpen = true
    }

    private let state: Lock<State>

    init(_ connection: sending PostgresConnection) { state = Lock(State(connection: connection)) }

    /// Calls `body` with the connection, which `body` may replace; other threads wait until `body` returns.
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
        // The replaced connection may lose its last reference here, so it is released outside the lock.
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

// Querying the outcome of transactions.
extension SharedConnection {
    /// The generation of the current connection or, if there is none, of the last one.
    var generation: Int { state.withLock { $0.generation } }

    /// The generation of the connection, if it is open.
    ///
    /// Read it before a COMMIT whose outcome may be queried later.
    var epoch: Int? { state.withLock { $0.isOpen && $0.connection != nil ? $0.generation : nil } }

    /// Queries a transaction's outcome on the connection with the generation `epoch`; `nil` if that connection is gone.
    ///
    /// `prepare` is called with the connection before the query.
    func outcome(
        of number: Int64, epoch: Int, prepare: (PostgresConnection) -> Void = { _ in }
    ) -> TransactionOutcome? {
        use { connection in
            // Only a call of `use` replaces the connection, so the generation stays the same during this call.
            guard generation == epoch, let connection, connection.isAlive() else { return nil }
            prepare(connection)
            return connection.outcome(of: number)
        }
    }
}
