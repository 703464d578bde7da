import Dispatch
import Foundation
import RepositoryCore
import Signals

/// A commit source that receives every commit of every program with its rows, by logical replication.
///
/// A dedicated thread reads the stream, and never waits for an answer, the log, a pass or a sink: a server that cannot
/// send would hold up its checkpoints. Received commits are pending until a snapshot shows them, because the stream
/// reports commits before they can be read, and asynchronous ones after. Until there is a stream, and while it is lost,
/// the writer records its own commits, and any commit causes a re-read.
final class PostgresStream: PostgresSource, Sendable {
    /// The bounds of the pause between two attempts to connect, in milliseconds.
    private static let (shortestPause, longestPause): (Int32, Int32) = (20, 500)
    /// The longest pause while the server is up and refuses a stream, because it logs each refusal.
    private static let longestRefusedPause: Int32 = 10_000
    /// How long commits gather that arrive faster than they are read, in milliseconds.
    private static let crowdedPause: Int32 = 3

    private let parameters: ConnectionString
    let publication: String
    private let rules: StreamRules
    private let silence: SilenceLimits
    let control: StreamControl
    private let pipe: WakePipe
    let state: Lock<StreamState>
    let queue = Executor(label: "SignalRepository.admission")
    /// The thread that reads.
    private let (thread, reading) = (DispatchGroup(), Confinement())

    /// Connects, so that a server or a role that cannot replicate, as `first` sees it, is refused now.
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
            // No other connection waits for its commits, so they need not reach a standby.
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
        // No snapshot is requested ahead, because the log is locked.
        if let time { queue.async(at: time) { self.admit() } }
    }
}

// The thread that reads.
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
                // The stream starts again, and commits in between cause a re-read.
                if isRefused(by: error) { longestPause = Self.longestRefusedPause }
            }
            lose()
            if !pipe.isClosed { pipe.wait(milliseconds: min(pause, longestPause)) }
            pause = min(2 * pause, longestPause)
        }
    }

    /// Whether the server is up and refuses a stream, or a connection for one.
    private func isRefused(by error: RepositoryError) -> Bool {
        if case .cannotOpen = error { PostgresConnection.accepts(parameters.text) } else { !error.isLost }
    }

    /// Makes a slot and starts the stream, which is relied upon once a snapshot shows everything before it.
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
            // Reading each commit by itself would take processor time from the writers. So commits that arrive quickly
            // gather, once everything that has arrived is read. A caller that waits for a commit wakes the thread.
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

    /// Processes a message; returns true if the server waits for a status.
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

    /// Notes that everything before a position has been received.
    private func reach(_ position: WALPosition) {
        let woken = state.withLock { $0.reach(position) }
        for waiter in woken { waiter.signal() }
    }

    /// Adds a received commit; returns false if too many are pending.
    private func receive(_ commit: StreamedCommit) -> Bool {
        let (woken, isTooMuch) = state.withLock { state in
            state.add(commit)
            return (state.reach(commit.end), state.isTooFarBehind)
        }
        for waiter in woken { waiter.signal() }
        return !isTooMuch
    }

    /// Drops the stream: commits are not received from now on.
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

// The following runs on the admission queue, except `admit(at:)`.
extension PostgresStream {
    /// Activates the stream once a snapshot shows everything before it, and causes a re-read of everything.
    ///
    /// Until then, the writer commits in turns of the log, so that each of its commits is recorded once.
    private func activate(_ run: Int, _ initialSnapshot: ServerSnapshot) {
        queue.confinement.assertHeld()
        guard let log = state.withLock({ $0.run == run && !$0.isClosed ? $0.log : nil }) else { return }
        var isSeen = false
        try? log.add { _ throws(RepositoryError) in
            let reading = try control.perform { control throws(RepositoryError) in try control.readSnapshot() }
            guard !rules.contains(.beginning) || reading.snapshot.contains(initialSnapshot) else { return [] }
            isSeen = true
            // A reader may have been added since the turn began. Commits that the snapshot shows are not reported.
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
        // By the time the queue's thread runs, a nearby server has answered.
        if rules.contains(.admission) { control.requestSnapshotAhead() }
        queue.async { self.admit() }
    }

    /// Adds the pending commits that a snapshot shows to the log.
    private func admit() {
        queue.confinement.assertHeld()
        guard let log = state.withLock({ $0.beginAdmission() }) else {
            // A pass has admitted the commits already.
            return control.discardSnapshot()
        }
        do throws(RepositoryError) {
            var snapshot: ServerSnapshot?
            if rules.contains(.admission) {
                snapshot = try control.snapshot()
            }
            log.addOnThisThread { _ in state.withLock { $0.admit(seenBy: snapshot) } }
        } catch {
            // The stream continues without the control connection.
            state.withLock { $0.failAdmission() }
        }
        // Enqueued, so that a sink that waits for a value does not wait for this.
        if state.withLock({ $0.takeNewTables() }) { queue.async { self.refreshTables() } }
        admit(at: state.withLock { $0.endAdmission() })
    }
}

// Called by readers and by the engine.
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

    // Called in a turn of the log, so that nothing is admitted that the snapshot does not show.
    func beginSnapshot(
        _ connection: PostgresConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        // Without the stream, the commits that the snapshot shows are unknown: every due query is re-read in it.
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

    /// Waits until the stream has delivered everything that a snapshot can show, or has ended; false on a timeout.
    ///
    /// The timeout is short, because the writer may wait for the log's turn. It is shorter for a stream that is still
    /// behind after an earlier wait.
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
