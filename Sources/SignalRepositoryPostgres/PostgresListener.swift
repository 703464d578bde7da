import CPostgres
import Dispatch
import Foundation
import SignalRepository
import Signals
import Synchronization

/// Hears which tables others have changed, as soon as they have committed.
///
/// It cannot hold up the writer: it has a connection and a queue of its own, waits for nothing there but the server's
/// next word, and touches the log only to add a record. A connection that is lost is made again, however long that
/// takes; what was committed meanwhile is not known, so that everything is read anew then.
///
/// A standby notifies nobody: it is asked how far it has come, and everything is read anew when it has moved.
final class PostgresListener: CommitSource, Sendable {
    private struct State {
        var connection: PostgresConnection?
        var source: (any DispatchSourceRead)?
        /// How many connections there have been.
        var generation = 0
        /// How far a standby has come; `nil` for a server that notifies.
        var position: String?
        var log: CommitLog?
        var look: @Sendable () -> Void = {}
        var isClosed = false
    }

    /// The milliseconds between two attempts to connect.
    private static let (shortestPause, longestPause) = (20, 500)

    private let state: Lock<State>
    /// How often a standby is asked.
    private let interval: Duration
    private let connect: @Sendable () throws(RepositoryError) -> PostgresConnection
    private let queue = DispatchQueue(label: "SignalRepository.listener")
    /// The sources whose descriptors are not closed yet.
    private let sources = DispatchGroup()
    /// The number of the connection that is not listened to: it knows itself what it has committed.
    private let writer = Atomic<Int32>(0)

    /// `connect` makes a connection that listens, where the server is no standby.
    init(
        interval: Duration, connect: @escaping @Sendable () throws(RepositoryError) -> PostgresConnection
    ) throws(RepositoryError) {
        (self.interval, self.connect) = (interval, connect)
        let connection = try connect()
        state = Lock(State(connection: connection, position: try connection.replayedPosition()))
    }

    var refusal: RepositoryError? {
        .misuse(detail: "PostgreSQL's notifications do not tell which rows change")
    }

    func passes(_ error: RepositoryError) -> Bool {
        if case .busy = error { true } else { error.isLost }
    }

    // Commits of others are heard as they happen: a snapshot may show one before, and is then read again.
    func beginSnapshot(
        _ connection: any StoreConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        // Without a writer, nobody else looks.
        if writer.load(ordering: .relaxed) == 0 { look() }
        try connection.begin(.read)
        return []
    }

    func start(_ log: CommitLog, look: @escaping @Sendable () -> Void) {
        state.withLock { ($0.log, $0.look) = (log, look) }
        queue.async { self.listen() }
    }

    /// Leaves out what a connection of ours commits; 0 is none.
    func leaveOut(_ number: Int32) { writer.store(number, ordering: .relaxed) }

    /// Looks for what may have come, in case nobody was told.
    func look() { queue.async { self.hear() } }

    func close() {
        let (source, connection) = state.withLock { state in
            defer { (state.source, state.connection, state.log, state.look) = (nil, nil, nil, {}) }
            state.isClosed = true
            return (state.source, state.connection)
        }
        source?.cancel()
        // An attempt to connect that is under way ends first.
        queue.sync {}
        sources.wait()
        connection?.close()
    }
}

// The following runs on the listener's queue.
extension PostgresListener {
    private func listen() {
        let source = state.withLock { state -> (any DispatchSourceRead)? in
            guard !state.isClosed, let handle = state.connection?.handle else { return nil }
            // A descriptor of its own: libpq closes its own at the end, when this one is still waited for.
            let descriptor = fcntl(PQsocket(handle), F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return nil }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            sources.enter()
            source.setEventHandler { [weak self] in self?.hear() }
            source.setCancelHandler { [sources] in
                Foundation.close(descriptor)
                sources.leave()
            }
            state.source = source
            return source
        }
        source?.resume()
        // Something may have come with the last answer.
        hear()
        if state.withLock({ $0.position != nil }) { follow() }
    }

    /// Asks a standby again, until the connection is lost or the server is no standby any more.
    private func follow() {
        queue.asyncAfter(deadline: .now() + .milliseconds(max(1, interval.milliseconds))) { [weak self] in
            self?.look(after: self?.state.withLock(\.generation))
        }
    }

    private func look(after generation: Int?) {
        let (log, hasMoved, isStandby) = state.withLock { state -> (CommitLog?, Bool, Bool) in
            guard let connection = state.connection, let log = state.log, state.generation == generation else {
                return (nil, false, false)
            }
            let position = (try? connection.replayedPosition()) ?? nil
            let hasMoved = position != state.position
            if position != nil { state.position = position }
            return (log, hasMoved, position != nil)
        }
        guard let log else { return }
        if hasMoved { log.commitElsewhere() }
        isStandby ? follow() : listenAgain(after: Self.shortestPause)
    }

    private func hear() {
        let (tables, log, look, isLost) = state.withLock { state in
            guard let connection = state.connection, state.log != nil else {
                return (Set<String>(), state.log, state.look, false)
            }
            let own = writer.load(ordering: .relaxed)
            let tables = connection.notifiedTables { $0 != own }
            return (tables, state.log, state.look, !connection.isOpen)
        }
        if !tables.isEmpty {
            log?.commitElsewhere(tables)
            // The writer's connection is told the same.
            look()
        }
        if isLost { listenAgain(after: Self.shortestPause) }
    }

    /// Throws the connection away and makes a new one; if there is no server, a moment later.
    private func listenAgain(after pause: Int) {
        let (source, old, isClosed) = state.withLock { state in
            defer { (state.source, state.connection) = (nil, nil) }
            return (state.source, state.connection, state.isClosed)
        }
        source?.cancel()
        old?.close()
        guard !isClosed else { return }
        guard let connection = try? connect(), let position = try? Optional(connection.replayedPosition()) else {
            return queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
                self?.listenAgain(after: min(2 * pause, Self.longestPause))
            }
        }
        let log = state.withLock { state -> CommitLog? in
            guard !state.isClosed else { return nil }
            (state.connection, state.position) = (connection, position)
            state.generation += 1
            return state.log
        }
        guard let log else { return connection.close() }
        listen()
        // What was committed before it listened again is not known.
        log.commitElsewhere()
    }
}

// A witness of the server's life.
extension PostgresListener {
    /// Names the connection there is now, if there is one; it was there before whatever is begun afterwards.
    var view: Int? { state.withLock { $0.connection.map(\.isOpen) == true ? $0.generation : nil } }

    /// What the server says of a transaction on the connection of a view; `nil` when that is gone.
    func outcome(of number: Int64, view: Int) -> TransactionOutcome? {
        let outcome = state.withLock { state -> TransactionOutcome? in
            guard state.generation == view, let connection = state.connection, connection.isAlive() else { return nil }
            return connection.outcome(of: number)
        }
        // What came meanwhile was read with the answer.
        look()
        return outcome
    }
}
