import CPostgres
import Dispatch
import Foundation
import RepositoryCore
import Signals
import Synchronization

/// A commit source that is notified which tables others have changed, as soon as they have committed.
///
/// It listens only while the log has readers, because each notification wakes a process on the server and a thread
/// here. It does not delay the writer: it has its own connection and queue, waits there only for the server, and
/// touches the log only to add a record. A lost connection is made again, however long that takes. The commits in
/// between are unknown, so everything is re-read then.
///
/// A standby sends no notifications: its log position is polled, and everything is re-read when it has moved.
final class PostgresListener: PostgresSource, Sendable {
    private struct State {
        var watch: SocketWatch?
        /// The log position of a standby; `nil` for a server that notifies.
        var position: String?
        var log: CommitLog?
        var poll: @Sendable () -> Void = {}
        var isClosed = false
        var unreported = UnreportedTables()
        /// The earliest time of the next poll of `unreported`.
        var nextPoll = DispatchTime.now()
    }

    /// The bounds of the pause between two attempts to connect, in milliseconds.
    private static let (shortestPause, longestPause) = (20, 500)

    private let state: Lock<State>
    private let connection: SharedConnection
    /// How often the server is polled.
    private let interval: Duration
    /// Connects, and reads the log position of a standby.
    private let connect: @Sendable () throws(RepositoryError) -> (PostgresConnection, position: String?)
    private let queue = DispatchQueue(label: "SignalRepository.listener")
    /// The watches whose threads have not ended yet.
    private let watches = DispatchGroup()
    /// The number of the writer's connection, whose notifications are ignored here; 0 if the writer does not listen.
    private let writer = Atomic<Int32>(0)
    /// Whether the log has readers.
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

    /// Starts notifications of every commit, unless they are on; returns true if it has tried.
    ///
    /// A lost connection is replaced by `listenAgain(after:)`.
    private func listen(_ connection: PostgresConnection?) throws(RepositoryError) -> Bool {
        // A standby rejects LISTEN.
        guard let connection, !connection.isListening, state.withLock(\.position) == nil else { return false }
        do throws(RepositoryError) {
            try connection.setListening(true)
        } catch {
            if connection.isOpen { throw error }
        }
        return true
    }

    var refusal: RepositoryError? {
        .misuse(detail: "PostgreSQL's notifications do not report which rows change: use liveSource: .replication")
    }

    // The caller follows the log already, so the listener does not stop listening.
    func prepareSnapshot(_ connection: PostgresConnection, of tables: () -> Set<String>) throws(RepositoryError) {
        let hasBegun = try self.connection.use { connection throws(RepositoryError) in try listen(connection) }
        // Notifications may have arrived with the answer, or the connection is lost.
        if hasBegun { receiveSoon() }
        connection.noteRead = { [weak self] tables in self?.expect(tables) }
        let known = state.withLock(\.unreported.lockable)
        _ = try connection.begin(ofExisting: known, locking: tables())
    }

    func expect(_ tables: Set<String>) { state.withLock { $0.unreported.read.formUnion(tables) } }

    func poll() -> Bool {
        queue.async { self.pollUnreported() }
        return false
    }

    // Notifications come after their commits: a snapshot may show one that is reported later, and is re-read then.
    func beginSnapshot(
        _ connection: PostgresConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        // Without a writer, nobody else polls.
        if writer.load(ordering: .relaxed) == 0 { receiveSoon() }
        try connection.takeSnapshot()
        return []
    }

    func start(_ log: CommitLog, poll: @escaping @Sendable () -> Void) {
        state.withLock { ($0.log, $0.poll) = (log, poll) }
        log.followInterest { [weak self] _, _, hasReaders in self?.isFollowed.store(hasReaders, ordering: .releasing) }
        queue.async { self.listen() }
    }

    /// Checks for notifications that libpq may have received with an answer.
    private func receiveSoon() { queue.async { self.receive() } }

    func close() {
        let (watch, _) = state.withLock { state in
            defer { (state.watch, state.log, state.poll) = (nil, nil, {}) }
            state.isClosed = true
            return (state.watch, state.poll)
        }
        watch?.cancel()
        // Waits until an attempt to connect that is under way has ended.
        queue.sync {}
        watches.wait()
        connection.use { $0.take() }?.close()
    }
}

// The following runs on the listener's queue.
extension PostgresListener {
    private func listen() {
        queue.assertCurrent()
        // In the connection's turn, because libpq closes the socket of a lost connection.
        let new = connection.use { $0?.handle.map(PQsocket).flatMap { SocketWatch($0, queue) } }
        let watch = state.withLock { state -> SocketWatch? in
            if !state.isClosed { state.watch = new }
            return state.watch
        }
        watch?.start(in: watches) { [weak self] in self?.receive() }
        // Notifications may have arrived with the last answer.
        receive()
        if state.withLock({ $0.position != nil }) { follow() }
    }

    /// Polls a standby until the connection is lost or the server is promoted.
    private func follow() {
        queue.assertCurrent()
        let generation = connection.generation
        queue.asyncAfter(deadline: .now() + .milliseconds(max(1, interval.milliseconds))) { [weak self] in
            self?.poll(after: generation)
        }
    }

    private func poll(after generation: Int) {
        queue.assertCurrent()
        guard let log = state.withLock(\.log), connection.generation == generation else { return }
        let answer: String?? = connection.use { connection in
            connection.map { (try? $0.replayedPosition()) ?? nil }
        }
        // A new connection is being made already.
        guard let position = answer else { return }
        let hasMoved = state.withLock { state in
            defer { if position != nil { state.position = position } }
            return position != state.position
        }
        if hasMoved { log.recordExternalCommit() }
        position != nil ? follow() : listenAgain(after: Self.shortestPause)
    }

    /// Reports the tables that the server does not notify of as changed, if anything was committed.
    private func pollUnreported() {
        queue.assertCurrent()
        let (log, read) = state.withLock { state -> (CommitLog?, Set<String>) in
            guard state.position == nil, state.nextPoll <= .now() else { return (nil, []) }
            state.nextPoll = .now() + .milliseconds(max(1, interval.milliseconds))
            return (state.log, state.unreported.read)
        }
        if let log, let now = connection.use({ try? $0?.unreported(of: read, by: .notifications) }) {
            let changed = state.withLock { $0.unreported.take(now) }
            if !changed.isEmpty { log.recordExternalCommit(.some(changed)) }
        }
        receive()
    }

    private func receive() {
        queue.assertCurrent()
        let (log, poll) = state.withLock { ($0.log, $0.poll) }
        guard let log else { return }
        let (tables, isLost) = connection.use { connection in
            guard let connection else { return (Set<String>(), false) }
            let own = writer.load(ordering: .relaxed)
            let tables = connection.notifiedTables { $0 != own }
            // The next reader starts notifications again before it reads.
            if !isFollowed.load(ordering: .acquiring) { try? connection.setListening(false) }
            return (tables, !connection.isOpen)
        }
        if !tables.isEmpty {
            log.recordExternalCommit(.some(tables))
            // The writer's connection is notified, too.
            poll()
        }
        if isLost { listenAgain(after: Self.shortestPause) }
    }

    /// Replaces the connection; if the server is not available, tries again after a pause.
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
        // The commits before it listened again are unknown.
        log.recordExternalCommit()
    }
}

// The calls of the writer, on its queue.
extension PostgresListener {
    var reportsAuthors: Bool { false }

    func prepare(_ connection: PostgresConnection, _ log: CommitLog) {
        let isFollowed = isFollowed.load(ordering: .acquiring)
        guard connection.isListening != isFollowed, connection.isOpen else { return }
        try? connection.setListening(isFollowed)
        // The connection was not notified of its earlier commits, and the listener may ignore late notifications of
        // them as those of its next commit.
        if isFollowed { log.recordExternalCommit() }
    }

    func begins(on connection: PostgresConnection) {
        writer.store(connection.isListening ? connection.number : 0, ordering: .relaxed)
    }

    func record(
        _ author: String?, captureVersion: Int, in log: CommitLog,
        _ commit: () throws(RepositoryError) -> DirtyTables
    ) throws(RepositoryError) {
        try log.commit(.unknown, author: author, captureVersion: captureVersion, commit)
    }

    /// Records the tables that notifications report for our own commits: those changed by triggers and cascades.
    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog) {
        guard connection.isListening || !connection.isOpen else { return }
        let number = connection.number
        let received = connection.notifiedTables { $0 == number }.filter { !tables.contains($0) }
        if !received.isEmpty { log.recordExternalCommit(.some(received)) }
        // If the connection was lost after the commit, no notification arrives.
        if number == 0, !tables.isEmpty { log.recordExternalCommit() }
    }

    // The listener reports commits by others. The writer's notifications are read so that the server can drop them.
    func poll(_ connection: PostgresConnection, _ log: CommitLog) {
        committed(on: connection, .none, in: log)
        // The number of a connection that is gone may be assigned to another.
        if !connection.isAlive() { writer.store(0, ordering: .relaxed) }
        _ = poll()
    }
}

// The outcome of transactions.
extension PostgresListener {
    var epoch: Int? { connection.epoch }

    func outcome(of number: Int64, epoch: Int) -> TransactionOutcome? {
        let outcome = connection.outcome(of: number, epoch: epoch)
        // Notifications may have arrived with the answer.
        receiveSoon()
        return outcome
    }
}
