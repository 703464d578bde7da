import CPostgres
import Dispatch
import Foundation
import RepositoryCore
import Signals
import Synchronization

/// A commit source based on notifications: right after each commit, the server sends the names of the changed tables.
///
/// It listens only while the commit log has readers, because each notification wakes a process on the server and a
/// thread here. It does not delay the writer, because it has its own connection and queue. It replaces a lost
/// connection, however long that takes, and then has all live queries re-read, because the commits in between are
/// unknown.
///
/// A standby sends no notifications, so the listener polls the position that the standby has replayed in the
/// write-ahead log. If the position has moved, all live queries are re-read.
final class PostgresListener: PostgresSource, Sendable {
    private struct State {
        var watch: SocketWatch?
        /// The last known `replayedPosition()` of a standby; `nil` for a server that sends notifications.
        var position: String?
        var log: CommitLog?
        var poll: @Sendable () -> Void = {}
        var isClosed = false
        var unreported = UnreportedTables()
        /// The earliest time at which `unreported` is polled again.
        var nextPoll = DispatchTime.now()
    }

    /// The bounds of the pause between two attempts to connect, in milliseconds.
    private static let (shortestPause, longestPause) = (20, 500)

    private let state: Lock<State>
    private let connection: SharedConnection
    /// How often the server is polled.
    private let interval: Duration
    /// Connects; returns the connection and, for a standby, its `replayedPosition()`.
    private let connect: @Sendable () throws(RepositoryError) -> (PostgresConnection, position: String?)
    private let queue = DispatchQueue(label: "SignalRepository.listener")
    /// The watches whose threads are still running.
    private let watches = DispatchGroup()
    /// The ID of the writer's server process, whose notifications are ignored here; 0 if the writer does not listen.
    private let writer = Atomic<Int32>(0)
    /// Whether the commit log has readers.
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

    /// Starts notifications of every commit, unless they are on; returns true if it has sent LISTEN.
    ///
    /// If the connection is lost, `listenAgain(after:)` replaces it later.
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

    // `receive()` does not stop listening now, because the caller is already a reader of the commit log.
    func prepareSnapshot(_ connection: PostgresConnection, of tables: () -> Set<String>) throws(RepositoryError) {
        let hasBegun = try self.connection.use { connection throws(RepositoryError) in try listen(connection) }
        // `receive()` takes notifications that arrived with the answer to LISTEN, and replaces a lost connection.
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

    // A notification comes after its commit. So a snapshot may show a commit that is reported later. The report then
    // causes a re-read, although the queries already show the commit.
    func beginSnapshot(
        _ connection: PostgresConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        // If there is no writer or it does not listen, each read of live queries checks for notifications.
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
        // If an attempt to connect is in progress, waits for its end.
        queue.sync {}
        watches.wait()
        connection.use { $0.take() }?.close()
    }
}

// The methods of this extension run on the listener's queue.
extension PostgresListener {
    private func listen() {
        queue.assertCurrent()
        // libpq closes the socket if the connection is lost. During `use`, no other thread can cause that.
        let new = connection.use { $0?.handle.map(PQsocket).flatMap { SocketWatch($0, queue) } }
        let (watch, replaced) = state.withLock { state -> (SocketWatch?, SocketWatch?) in
            if state.isClosed { return (nil, nil) }
            defer { state.watch = new }
            return (new, state.watch)
        }
        // There is an earlier watch if a lost connection was replaced before `start` got its turn.
        replaced?.cancel()
        watch?.start(in: watches) { [weak self] in self?.receive() }
        // Notifications may have arrived with the answer to the last statement.
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
        // Without a connection, `listenAgain(after:)` is already making a new one.
        guard let position = answer else { return }
        let hasMoved = state.withLock { state in
            defer { if position != nil { state.position = position } }
            return position != state.position
        }
        if hasMoved { log.recordExternalCommit() }
        position != nil ? follow() : listenAgain(after: Self.shortestPause)
    }

    /// Reports the tables without notifications as changed, if anything was committed since the last poll.
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
            // If the commit log has no readers, notifications stop. The next reader starts them again before it reads.
            if !isFollowed.load(ordering: .acquiring) { try? connection.setListening(false) }
            return (tables, !connection.isOpen)
        }
        if !tables.isEmpty {
            log.recordExternalCommit(.some(tables))
            // The writer's connection has received the same notifications, so `poll` asks the writer to read them.
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
        // The commits before the new connection listened are unknown.
        log.recordExternalCommit()
    }
}

// The methods that the writer calls, on its queue.
extension PostgresListener {
    var reportsAuthors: Bool { false }

    func prepare(_ connection: PostgresConnection, _ log: CommitLog) {
        let isFollowed = isFollowed.load(ordering: .acquiring)
        guard connection.isListening != isFollowed, connection.isOpen else { return }
        try? connection.setListening(isFollowed)
        // Before, the writer did not listen, and the listener reported its commits. From now on, the listener ignores
        // all notifications by the writer, even late ones of earlier commits. So anything may have changed.
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

    /// Records tables that the writer's commits changed by triggers or cascades, as notifications report them.
    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog) {
        guard connection.isListening || !connection.isOpen else { return }
        let number = connection.number
        let received = connection.notifiedTables { $0 == number }.filter { !tables.contains($0) }
        if !received.isEmpty { log.recordExternalCommit(.some(received)) }
        // If the connection was lost after the commit, its notifications do not arrive, so any table may have changed.
        if number == 0, !tables.isEmpty { log.recordExternalCommit() }
    }

    // The listener reports other commits. The writer reads the notifications so that the server can drop them.
    func poll(_ connection: PostgresConnection, _ log: CommitLog) {
        committed(on: connection, .none, in: log)
        // Notifications from the process `writer` are ignored. Once its connection is lost, the server may give the ID
        // to another program.
        if !connection.isAlive() { writer.store(0, ordering: .relaxed) }
        _ = poll()
    }
}

// Querying the outcome of transactions.
extension PostgresListener {
    var epoch: Int? { connection.epoch }

    func outcome(of number: Int64, epoch: Int) -> TransactionOutcome? {
        let outcome = connection.outcome(of: number, epoch: epoch)
        // Notifications may have arrived with the answer to the query.
        receiveSoon()
        return outcome
    }
}
