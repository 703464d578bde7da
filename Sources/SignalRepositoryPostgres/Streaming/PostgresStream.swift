import Dispatch
import Foundation
import RepositoryCore
import Signals

/// A source of commits that receives the commits of all programs, with the changed rows, by logical replication.
///
/// A dedicated thread reads the stream, and waits only for the server. If it waited for a query, the commit log or a
/// sink, the server could not send, and its checkpoints would be delayed. The stream can report a commit before queries
/// can read it, so received commits stay pending until a snapshot of the server shows them. With `synchronous_commit`
/// off, queries can read a commit before the stream reports it, so live queries wait for the stream. Without a stream,
/// the writer records its own commits, and any commit causes a re-read of the live queries.
final class PostgresStream: PostgresSource, Sendable {
    /// The bounds of the pause between two attempts to connect, in milliseconds.
    private static let (shortestPause, longestPause): (Int32, Int32) = (20, 500)
    /// The longest pause, in milliseconds, while a running server refuses the stream.
    ///
    /// It is long, because the server logs each refusal.
    private static let longestRefusedPause: Int32 = 10_000
    /// How long the reading thread pauses, in milliseconds, so that it can read several commits together.
    private static let crowdedPause: Int32 = 3

    private let parameters: ConnectionString
    let publication: String
    private let rules: StreamRules
    private let silence: SilenceLimits
    let control: StreamControl
    private let pipe: WakePipe
    let state: Lock<StreamState>
    let queue = Executor(label: "SignalRepository.admission")
    /// The group of the stream's thread, so that `close()` can wait for it; and the check that only this thread reads.
    private let (thread, reading) = (DispatchGroup(), Confinement())

    /// Connects to the server.
    ///
    /// Throws if the server or the role cannot replicate; the connection `first` is used to check this.
    init(
        _ first: PostgresConnection, _ rules: StreamRules, _ silence: SilenceLimits
    ) throws(RepositoryError) {
        (self.parameters, self.rules, self.silence) = (first.parameters, rules, silence)
        publication = first.publication
        try first.checkReplication()
        let parameters = first.parameters
        control = try StreamControl { () throws(RepositoryError) in
            let connection = try PostgresConnection(parameters)
            try connection.prepareForSnapshots()
            // This connection commits only fences (see `fence()`), which need not wait for a standby.
            try connection.run("SET synchronous_commit TO local")
            return connection
        }
        pipe = try WakePipe()
        state = Lock(StreamState(first: try ReplicationConnection(parameters, pipe)))
    }

    var refusal: RepositoryError? { nil }

    func start(_ log: CommitLog, poll: @escaping @Sendable () -> Void) {
        state.withLock { $0.log = log }
        log.followInterest { [weak self] interest, version, hasReaders in
            self?.follow(interest, version, hasReaders)
        }
        thread.enter()
        let reader = Thread { [self] in
            reading.during { follow() }
            thread.leave()
        }
        reader.name = "SignalRepository.stream"
        reader.start()
    }

    func close() {
        let first = state.withLock { state in
            defer { (state.first, state.log) = (nil, nil) }
            state.isClosed = true
            return state.first
        }
        pipe.close()
        thread.wait()
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        isDone.wait()
        first?.close()
        control.close()
    }

    private func follow(_ interest: CaptureInterest, _ version: Int, _ hasReaders: Bool) {
        let time = state.withLock { state in
            (state.capture.interest, state.capture.version, state.hasReaders) = (interest, version, hasReaders)
            return state.scheduleAdmission()
        }
        // The commit log is locked here, so `admit()` is only enqueued: `admit(at:)` might also send a query.
        if let time { queue.async(at: time) { self.admit() } }
    }
}

// The work of the thread that reads the stream.
extension PostgresStream {
    private func follow() {
        var pause = Self.shortestPause
        while !pipe.isClosed {
            var longestPause = Self.longestPause
            do throws(RepositoryError) {
                let first = state.withLock { $0.first.take() }
                let connection: ReplicationConnection
                if let first { connection = first } else { connection = try ReplicationConnection(parameters, pipe) }
                defer { connection.close() }
                try begin(connection)
                pause = Self.shortestPause
                try read(connection)
            } catch {
                // The loop starts a new stream. Until then, every commit causes a re-read.
                if isRefused(by: error) { longestPause = Self.longestRefusedPause }
            }
            lose()
            if !pipe.isClosed { pipe.wait(milliseconds: min(pause, longestPause)) }
            pause = min(2 * pause, longestPause)
        }
    }

    /// Whether the error means that the server is running, but refuses the stream or its connection.
    private func isRefused(by error: RepositoryError) -> Bool {
        if case .cannotOpen = error { PostgresConnection.accepts(parameters.text) } else { !error.isLost }
    }

    /// Creates a replication slot and starts its stream; the method `activate` puts the stream into use later.
    private func begin(_ connection: ReplicationConnection) throws(RepositoryError) {
        let name = "signal_repository_\(getpid())_\(UInt32.random(in: 0 ... .max))"
        let slot = try connection.makeSlot(name)
        let (initialSnapshot, tables) = try control.perform { control throws(RepositoryError) in
            (try control.readSnapshot(exportedAs: slot.snapshot), try control.streamedTables(of: publication))
        }
        try connection.start(slot, of: publication)
        let run = state.withLock { state in
            state.keep(tables)
            return state.run
        }
        queue.async { self.activate(run, initialSnapshot) }
    }

    private func read(_ connection: ReplicationConnection) throws(RepositoryError) {
        reading.assertHeld()
        let clock = ContinuousClock()
        var (lastReceived, lastStatus, hasRequestedReply) = (clock.now, clock.now, false)
        var transactions = StreamedTransactions()
        // How many commits had been read when the thread last waited.
        var commitCount = 0
        while !pipe.isClosed {
            var (mustAnswer, hasRead) = (false, false)
            while try connection.read({ bytes throws(RepositoryError) in
                mustAnswer = try take(bytes, &transactions) || mustAnswer
            }) {
                (lastReceived, hasRequestedReply, hasRead) = (clock.now, false, true)
                if clock.now - lastStatus > .seconds(1) { break }
            }
            let (position, isWanted, time) = state.withLock { state in
                (state.position, !state.waiters.isEmpty, hasRead ? state.scheduleAdmission() : nil)
            }
            admit(at: time)
            let now = clock.now
            if now - lastReceived > silence.lost { throw connection.lost("the server has been silent for too long") }
            let isSilent = now - lastReceived > silence.requested && !hasRequestedReply
            if isWanted || isSilent || mustAnswer || now - lastStatus >= .seconds(1) {
                try connection.sendStatus(position, requestsReply: isWanted || isSilent)
                lastStatus = now
                if isSilent { hasRequestedReply = true }
            }
            // Waking for each commit would take processor time from the writers. So if several commits arrived since
            // the last wait, the thread reads until nothing is left, and then pauses for more. A caller that waits for
            // a commit ends the pause.
            let isCrowded = transactions.commitCount > commitCount + 1 && !isWanted && rules.contains(.gathering)
            if isCrowded, hasRead {
                try connection.takeWhatArrived()
                continue
            }
            commitCount = transactions.commitCount
            if isCrowded {
                pipe.wait(milliseconds: Self.crowdedPause)
                try connection.takeWhatArrived()
            } else {
                try connection.waitForMore(
                    milliseconds: isWanted ? 2 : Int32(min(1_000, silence.requested.milliseconds)))
            }
        }
    }

    /// Processes a frame from the server; returns true if the server asks for a status message.
    private func take(
        _ bytes: UnsafeRawBufferPointer, _ transactions: inout StreamedTransactions
    ) throws(RepositoryError) -> Bool {
        do throws(ReplicationFault) {
            switch try ReplicationFrame(bytes) {
            case .keepalive(let position, let requestsReply):
                if !transactions.isInTransaction { reach(position) }
                return requestsReply
            case .message(let bytes):
                let commit = try transactions.take(ReplicationMessage(bytes)) { state.withLock { $0.capture } }
                guard let commit else { return false }
                guard receive(commit) else { break }
                return false
            }
        } catch {
            throw Self.fault("the stream cannot be read: \(ThrownError(error).clause)")
        }
        throw Self.fault("too many commits are pending")
    }

    private static func fault(_ message: String) -> RepositoryError {
        .io(Diagnosis(engine: PostgresConnection.engine, code: "08P01", message: message))
    }

    /// Records that everything before a position has been received, and wakes the callers that wait for the position.
    private func reach(_ position: WALPosition) {
        let woken = state.withLock { $0.reach(position) }
        for waiter in woken { waiter.signal() }
    }

    /// Adds a received commit to the pending ones; returns false if too many commits are pending.
    private func receive(_ commit: StreamedCommit) -> Bool {
        let (woken, isTooMuch) = state.withLock { state in
            state.add(commit)
            return (state.reach(commit.end), state.isTooFarBehind)
        }
        for waiter in woken { waiter.signal() }
        return !isTooMuch
    }

    /// Ends the lost stream: wakes the callers that wait for its commits and, if it was active, causes a re-read.
    private func lose() {
        reading.assertHeld()
        let (waiters, log) = state.withLock { state in
            defer { state.end() }
            return (state.waiters.values.map(\.wake), state.isActive ? state.log : nil)
        }
        for waiter in waiters { waiter.signal() }
        guard let log else { return }
        queue.async { log.add { hasReaders in hasReaders ? [.external] : [] } }
    }
}

// The methods of this extension run on `queue`, except `admit(at:)`. An admission adds commits to the commit log.
extension PostgresStream {
    /// Activates the stream once a new snapshot shows all commits from before it; then has every live query re-read.
    ///
    /// Until then, each commit of the writer takes a turn of the commit log (see `Turn`). Activating takes a turn, too,
    /// so either the writer or the stream records a commit, never both.
    private func activate(_ run: Int, _ initialSnapshot: ServerSnapshot) {
        queue.confinement.assertHeld()
        guard let log = state.withLock({ $0.run == run && !$0.isClosed ? $0.log : nil }) else { return }
        var isSeen = false
        try? log.add { _ throws(RepositoryError) in
            let reading = try control.perform { control throws(RepositoryError) in try control.readSnapshot() }
            guard !rules.contains(.beginning) || reading.snapshot.contains(initialSnapshot) else { return [] }
            isSeen = true
            // Reads `hasReaders` again, because a reader may have subscribed to the commit log during the turn.
            let hasReaders = state.withLock { state in
                guard state.run == run else { return false }
                state.activate(reading)
                return state.hasReaders
            }
            return hasReaders ? [.external] : []
        }
        for action in state.withLock({ $0.isActive ? $0.takeActions() : [] }) { action() }
        guard isSeen else {
            return queue.async(after: .milliseconds(2)) { self.activate(run, initialSnapshot) }
        }
        admit(at: state.withLock { $0.scheduleAdmission() })
    }

    private func admit(at time: DispatchTime?) {
        guard let time else { return }
        guard time <= .now() || !rules.contains(.gathering) else { return queue.async(at: time) { self.admit() } }
        // Sends the query for a snapshot early: a nearby server answers before the queue's thread runs.
        if rules.contains(.admission) { control.requestSnapshotAhead() }
        queue.async { self.admit() }
    }

    /// Adds to the commit log the pending commits that a new snapshot of the server shows.
    private func admit() {
        queue.confinement.assertHeld()
        guard let log = state.withLock({ $0.beginAdmission() }) else {
            // Nothing is pending, because `beginSnapshot` or `catchUp` has taken the commits, or the stream has ended.
            return control.discardSnapshot()
        }
        do throws(RepositoryError) {
            var snapshot: ServerSnapshot?
            if rules.contains(.admission) {
                snapshot = try control.snapshot()
            }
            log.addOnThisThread { _ in state.withLock { $0.admit(seenBy: snapshot) } }
        } catch {
            // The stream goes on without the control connection. The commits stay pending until the next attempt.
            state.withLock { $0.failAdmission() }
        }
        // Enqueued, because `refreshTables()` queries the server, and a sink should not wait for that query.
        if state.withLock({ $0.takeNewTables() }) { queue.async { self.refreshTables() } }
        admit(at: state.withLock { $0.endAdmission() })
    }
}

// The methods that other parts of the repository call, on their own queues.
extension PostgresStream {
    func poll() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isPollDue = true }
            return !state.isPollDue
        }
        if isFirst { queue.async { self.pollNow() } }
        return true
    }

    var isActive: Bool { state.withLock { $0.isActive } }

    func whenActive(_ action: @escaping @Sendable () -> Void) {
        let isActive = state.withLock { state in
            if !state.isActive { state.actions.append(action) }
            return state.isActive
        }
        if isActive { action() }
    }

    func expect(_ tables: Set<String>) { state.withLock { $0.unreported.read.formUnion(tables) } }

    func prepareSnapshot(_ connection: PostgresConnection, of tables: () -> Set<String>) throws(RepositoryError) {
        guard rules.contains(.locking) else { return try connection.begin(.read) }
        connection.noteRead = { [weak self] tables in self?.expect(tables) }
        let known = state.withLock { $0.isActive ? $0.tableNames : $0.unreported.lockable }
        guard try !connection.begin(ofExisting: known, locking: tables()) else { return }
        _ = poll()
    }

    // Called in a turn of the commit log (see `Turn`), so that the log adds no commit that the snapshot does not show.
    func beginSnapshot(
        _ connection: PostgresConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        // Without the stream, the snapshot's commits are unknown, so every live query is re-read in this snapshot.
        guard isActive else {
            try connection.takeSnapshot()
            return [.external]
        }
        let reading = try connection.readSnapshot()
        let isReported = wait(for: reading)
        let commits = state.withLock { $0.take(reading, isReported: isReported) }
        if state.withLock({ $0.takeNewTables() }) { queue.async { self.refreshTables() } }
        return commits
    }

    func catchUp() {
        guard let log = state.withLock({ $0.isActive ? $0.log : nil }),
            let reading = try? control.perform({ control throws(RepositoryError) in try control.readSnapshot() })
        else { return }
        let isReported = wait(for: reading)
        log.add { _ in state.withLock { $0.take(reading, isReported: isReported) } }
    }

    /// Waits until the stream has sent every commit that a snapshot can show, or has ended; returns false on a timeout.
    ///
    /// The timeout is short, because a caller may have the turn of the commit log (see `Turn`), and the writer waits
    /// for the turn. It is even shorter while the stream has not caught up since an earlier timeout.
    private func wait(for reading: SnapshotReading) -> Bool {
        guard rules.contains(.catchingUp) else { return true }
        let wake = DispatchSemaphore(value: 0)
        let timeout = state.withLock { $0.reread == nil ? silence.waited : min(silence.waited, silence.waitedAgain) }
        let deadline = ContinuousClock.now + timeout
        var isFenced = reading.isFlushed || !rules.contains(.fence)
        defer { state.withLock { $0.waiters[ObjectIdentifier(wake)] = nil } }
        while true {
            let isOver = state.withLock { state in
                guard state.isActive, state.position < reading.inserted else { return true }
                state.waiters[ObjectIdentifier(wake)] = (reading.inserted, wake)
                return false
            }
            if isOver { return true }
            if deadline < .now { return false }
            pipe.wake()
            guard wake.wait(timeout: .now() + .milliseconds(isFenced ? 100 : 5)) == .timedOut, !isFenced else {
                continue
            }
            isFenced = true
            try? control.perform { control throws(RepositoryError) in try control.fence() }
        }
    }
}
