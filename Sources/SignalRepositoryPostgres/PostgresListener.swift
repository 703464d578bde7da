import CPostgres
import Dispatch
import Foundation
import SignalRepository
import Signals
import Synchronization

/// Hears which tables others have changed, as soon as they have committed.
///
/// The server is asked to notify only while somebody follows: each notification wakes a process there and a thread
/// here. It cannot hold up the writer: it has a connection and a queue of its own, waits for nothing there but the
/// server's next word, and touches the log only to add a record. A connection that is lost is made again, however long
/// that takes; what was committed meanwhile is not known, so that everything is read anew then.
///
/// A standby notifies nobody: it is asked how far it has come, and everything is read anew when it has moved.
final class PostgresListener: PostgresSource, Sendable {
    private struct State {
        var watch: SocketWatch?
        /// How far a standby has come; `nil` for a server that notifies.
        var position: String?
        var log: CommitLog?
        var look: @Sendable () -> Void = {}
        var isClosed = false
        var unheard = UnheardTables()
        /// When they are looked at next, however often others ask.
        var nextLook = DispatchTime.now()
    }

    /// The milliseconds between two attempts to connect.
    private static let (shortestPause, longestPause) = (20, 500)

    private let state: Lock<State>
    private let connection: SharedConnection
    /// How often a standby is asked.
    private let interval: Duration
    /// Makes a connection, and says how far a standby has come.
    private let connect: @Sendable () throws(RepositoryError) -> (PostgresConnection, position: String?)
    private let queue = DispatchQueue(label: "SignalRepository.listener")
    /// The watches whose threads have not ended yet.
    private let watches = DispatchGroup()
    /// The number of the connection that is not listened to: it knows itself what it has committed.
    private let writer = Atomic<Int32>(0)
    /// Whether anybody reads the log.
    private let isFollowed = Atomic(false)

    init(_ parameters: ConnectionString, interval: Duration) throws(RepositoryError) {
        self.interval = interval
        connect = { () throws(RepositoryError) in
            let connection = try PostgresConnection(parameters)
            return (connection, try connection.replayedPosition())
        }
        let (connection, position) = try connect()
        (state, self.connection) = (Lock(State(position: position)), SharedConnection(connection))
    }

    var isListening: Bool { connection.use { $0?.isListening == true } }

    /// Asks the server to notify of every commit from now on, if it does not yet; true if it was asked.
    ///
    /// A connection that is lost is made again elsewhere.
    private func listen(_ connection: PostgresConnection?) throws(RepositoryError) -> Bool {
        // A standby takes no LISTEN.
        guard let connection, !connection.isListening, state.withLock(\.position) == nil else { return false }
        do throws(RepositoryError) {
            try connection.setListening(true)
        } catch {
            if connection.isOpen { throw error }
        }
        return true
    }

    var refusal: RepositoryError? {
        .misuse(detail: "PostgreSQL's notifications do not tell which rows change")
    }

    // Whoever is about to read follows the log already.
    func prepareSnapshot(
        _ connection: any StoreConnection, of tables: () -> Set<String>
    ) throws(RepositoryError) {
        let hasBegun = try self.connection.use { connection throws(RepositoryError) in try listen(connection) }
        // What came meanwhile was read with the answer, or the connection is lost.
        if hasBegun { hearSoon() }
        guard let connection = connection as? PostgresConnection else { return try connection.begin(.read) }
        connection.noteRead = { [weak self] tables in self?.expect(tables) }
        let known = state.withLock(\.unheard.lockable)
        _ = try connection.begin(ofThoseThatExist: known, locking: tables())
    }

    func expect(_ tables: Set<String>) { state.withLock { $0.unheard.read.formUnion(tables) } }

    func look() -> Bool {
        queue.async { self.lookAtUnheard() }
        return false
    }

    // Commits of others are heard as they happen: a snapshot may show one before, and is then read again.
    func beginSnapshot(
        _ connection: any StoreConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        // Without a writer, nobody else looks.
        if writer.load(ordering: .relaxed) == 0 { hearSoon() }
        try (connection as? PostgresConnection)?.takeSnapshot()
        return []
    }

    func start(_ log: CommitLog, look: @escaping @Sendable () -> Void) {
        state.withLock { ($0.log, $0.look) = (log, look) }
        log.followCapture { [weak self] _, _, hasReaders in self?.isFollowed.store(hasReaders, ordering: .releasing) }
        queue.async { self.listen() }
    }

    /// Looks for what may have come, in case nobody was told.
    private func hearSoon() { queue.async { self.hear() } }

    func close() {
        let (watch, _) = state.withLock { state in
            defer { (state.watch, state.log, state.look) = (nil, nil, {}) }
            state.isClosed = true
            return (state.watch, state.look)
        }
        watch?.cancel()
        // An attempt to connect that is under way ends first.
        queue.sync {}
        watches.wait()
        connection.use { $0.take() }?.close()
    }
}

// The following runs on the listener's queue.
extension PostgresListener {
    private func listen() {
        queue.assertCurrent()
        // In the turn: libpq closes the socket of a connection that is lost.
        let new = connection.use { $0?.handle.map(PQsocket).flatMap { SocketWatch($0, queue) } }
        let watch = state.withLock { state -> SocketWatch? in
            if !state.isClosed { state.watch = new }
            return state.watch
        }
        watch?.start(in: watches) { [weak self] in self?.hear() }
        // Something may have come with the last answer.
        hear()
        if state.withLock({ $0.position != nil }) { follow() }
    }

    /// Asks a standby again, until the connection is lost or the server is no standby any more.
    private func follow() {
        queue.assertCurrent()
        let generation = connection.generation
        queue.asyncAfter(deadline: .now() + .milliseconds(max(1, interval.milliseconds))) { [weak self] in
            self?.look(after: generation)
        }
    }

    private func look(after generation: Int) {
        queue.assertCurrent()
        guard let log = state.withLock(\.log), connection.generation == generation else { return }
        let answer: String?? = connection.use { connection in
            connection.map { (try? $0.replayedPosition()) ?? nil }
        }
        // Another one is being made already.
        guard let position = answer else { return }
        let hasMoved = state.withLock { state in
            defer { if position != nil { state.position = position } }
            return position != state.position
        }
        if hasMoved { log.commitElsewhere() }
        position != nil ? follow() : listenAgain(after: Self.shortestPause)
    }

    /// Has tables read anew of which the server does not notify, if anything was committed.
    private func lookAtUnheard() {
        queue.assertCurrent()
        let (log, read) = state.withLock { state -> (CommitLog?, Set<String>) in
            guard state.position == nil, state.nextLook <= .now() else { return (nil, []) }
            state.nextLook = .now() + .milliseconds(max(1, interval.milliseconds))
            return (state.log, state.unheard.read)
        }
        if let log, let now = connection.use({ try? $0?.unheard(of: read, by: .notifications) }) {
            let changed = state.withLock { $0.unheard.take(now) }
            if !changed.isEmpty { log.commitElsewhere(.some(changed)) }
        }
        hear()
    }

    private func hear() {
        queue.assertCurrent()
        let (log, look) = state.withLock { ($0.log, $0.look) }
        guard let log else { return }
        let (tables, isLost) = connection.use { connection in
            guard let connection else { return (Set<String>(), false) }
            let own = writer.load(ordering: .relaxed)
            let tables = connection.notifiedTables { $0 != own }
            // Who follows next asks for it again, before it reads.
            if !isFollowed.load(ordering: .acquiring) { try? connection.setListening(false) }
            return (tables, !connection.isOpen)
        }
        if !tables.isEmpty {
            log.commitElsewhere(.some(tables))
            // The writer's connection is told the same.
            look()
        }
        if isLost { listenAgain(after: Self.shortestPause) }
    }

    /// Throws the connection away and makes a new one; if there is no server, a moment later.
    private func listenAgain(after pause: Int) {
        queue.assertCurrent()
        let (watch, isClosed) = state.withLock { state in
            defer { state.watch = nil }
            return (state.watch, state.isClosed)
        }
        watch?.cancel()
        connection.use { $0.take() }?.close()
        guard !isClosed else { return }
        guard let (new, position) = try? connect() else {
            return queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
                self?.listenAgain(after: min(2 * pause, Self.longestPause))
            }
        }
        let log = state.withLock { state -> CommitLog? in
            state.position = position
            return state.log
        }
        guard let log else { return new.close() }
        connection.use { connection in
            connection = new
            if isFollowed.load(ordering: .acquiring) { _ = try? listen(connection) }
        }
        listen()
        // What was committed before it listened again is not known.
        log.commitElsewhere()
    }
}

// For the writer.
extension PostgresListener {
    var tellsAuthors: Bool { false }

    func prepare(_ connection: PostgresConnection, _ log: CommitLog) {
        let isFollowed = isFollowed.load(ordering: .acquiring)
        guard connection.isListening != isFollowed, connection.isOpen else { return }
        try? connection.setListening(isFollowed)
        // What it committed before, it was not notified of; the listener may take it for the next one's.
        if isFollowed { log.commitElsewhere() }
    }

    func begins(on connection: PostgresConnection) {
        writer.store(connection.isListening ? connection.number : 0, ordering: .relaxed)
    }

    func record(
        _ author: String?, captureVersion: Int, in log: CommitLog,
        _ commit: () throws(RepositoryError) -> DirtyTables
    ) throws(RepositoryError) {
        try log.commit(.unclear, author: author, captureVersion: captureVersion, commit)
    }

    /// Records the tables of which was heard that our own commits have changed, by triggers and cascades.
    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog) {
        guard connection.isListening || !connection.isOpen else { return }
        let number = connection.number
        let heard = connection.notifiedTables { $0 == number }.filter { !tables.contains($0) }
        if !heard.isEmpty { log.commitElsewhere(.some(heard)) }
        // After a commit whose connection was lost, nothing comes any more.
        if number == 0, !tables.isEmpty { log.commitElsewhere() }
    }

    // Others are heard here; what comes to the writer too is read, so that the server need not keep it.
    func look(_ connection: PostgresConnection, _ log: CommitLog) {
        committed(on: connection, .none, in: log)
        // Of a connection that is gone, another may get the number.
        if !connection.isAlive() { writer.store(0, ordering: .relaxed) }
        _ = look()
    }
}

// A witness of the server's life.
extension PostgresListener {
    var view: Int? { connection.view }

    func outcome(of number: Int64, view: Int) -> TransactionOutcome? {
        let outcome = connection.outcome(of: number, view: view)
        // What came meanwhile was read with the answer.
        hearSoon()
        return outcome
    }
}
