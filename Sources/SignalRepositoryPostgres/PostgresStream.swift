import Dispatch
import Foundation
import SignalRepository
import Signals

/// Hears of every commit with its rows, whoever made it, by logical replication.
///
/// A thread of its own reads, and waits for nothing else: a server that cannot send holds up its checkpoints, so it
/// never waits for an answer, the log, a pass or a sink. What it has heard is pending until a snapshot shows it, for
/// the stream tells of commits before they can be read, and of asynchronous ones after. Until there is a stream, and
/// while it is lost, the writer records its own commits, and whatever was committed is read anew.
final class PostgresStream: PostgresSource, Sendable {
    /// The milliseconds between two attempts to connect.
    private static let (shortestPause, longestPause): (Int32, Int32) = (20, 500)
    /// The same, of a server that is there and refuses a stream: it writes each refusal into its log.
    private static let longestRefusedPause: Int32 = 10_000
    /// The milliseconds for which commits gather that come faster than they are read.
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

    /// Connects, so that a server or a role without replication is refused now, as `first` sees it.
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
            // What it commits is waited for by nobody but itself.
            try connection.run("SET synchronous_commit TO local")
            return connection
        }
        pipe = try WakePipe()
        state = Lock(StreamState(first: try ReplicationConnection(parameters, pipe)))
    }

    var refusal: RepositoryError? { nil }

    func start(_ log: CommitLog, look: @escaping @Sendable () -> Void) {
        state.withLock { $0.log = log }
        log.followCapture { [weak self] interest, version, hasReaders in
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
        // Nothing is asked ahead: the log is locked.
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
                // It is begun anew, and what was committed meanwhile is read anew.
                if isRefused(by: error) { longestPause = Self.longestRefusedPause }
            }
            lose()
            if !pipe.isClosed { pipe.wait(milliseconds: min(pause, longestPause)) }
            pause = min(2 * pause, longestPause)
        }
    }

    /// Whether the server is there and refuses a stream, or a connection for one.
    private func isRefused(by error: RepositoryError) -> Bool {
        if case .cannotOpen = error { PostgresConnection.accepts(parameters.text) } else { !error.isLost }
    }

    /// Makes a slot, and begins the stream; what it does not tell has to be seen before it is relied upon.
    private func begin(_ connection: ReplicationConnection) throws(RepositoryError) {
        let name = "signal_repository_\(getpid())_\(UInt32.random(in: 0 ... .max))"
        let slot = try connection.makeSlot(name)
        let (beginning, tables) = try control.ask { control throws(RepositoryError) in
            (try control.readSnapshot(exportedAs: slot.snapshot), try control.streamedTables(of: publication))
        }
        try connection.start(slot, of: publication)
        let run = state.withLock { state in
            state.keep(tables)
            return state.run
        }
        queue.async { self.activate(run, beginning) }
    }

    private func read(_ connection: ReplicationConnection) throws(RepositoryError) {
        reading.assertHeld()
        let clock = ContinuousClock()
        var (heard, told, hasAsked) = (clock.now, clock.now, false)
        var transactions = StreamedTransactions()
        // How many commits had been read when the thread last waited.
        var commitCount = 0
        while !pipe.isClosed {
            var (mustAnswer, hasRead) = (false, false)
            while try connection.read({ bytes throws(RepositoryError) in
                mustAnswer = try take(bytes, &transactions) || mustAnswer
            }) {
                (heard, hasAsked, hasRead) = (clock.now, false, true)
                if clock.now - told > .seconds(1) { break }
            }
            let (position, isWanted, time) = state.withLock { state in
                (state.position, !state.waiters.isEmpty, hasRead ? state.scheduleAdmission() : nil)
            }
            admit(at: time)
            let now = clock.now
            if now - heard > silence.lost { throw connection.lost("the server has been silent for too long") }
            let isSilent = now - heard > silence.asked && !hasAsked
            if isWanted || isSilent || mustAnswer || now - told >= .seconds(1) {
                try connection.sendStatus(position, asksReply: isWanted || isSilent)
                told = now
                if isSilent { hasAsked = true }
            }
            // Who reads each commit for itself takes the processor from those who make them, so when they come faster
            // they are left to gather, as soon as all is read that is there; who waits for one wakes the thread.
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
                    milliseconds: isWanted ? 2 : Int32(min(1_000, silence.asked.milliseconds)))
            }
        }
    }

    /// Takes in what has arrived; true when the server waits for a status.
    private func take(
        _ bytes: UnsafeRawBufferPointer, _ transactions: inout StreamedTransactions
    ) throws(RepositoryError) -> Bool {
        do throws(ReplicationFault) {
            switch try ReplicationFrame(bytes) {
            case .keepalive(let position, let asksReply):
                if !transactions.isInTransaction { reach(position) }
                return asksReply
            case .message(let bytes):
                let commit = try transactions.take(ReplicationMessage(bytes)) { state.withLock { $0.capture } }
                guard let commit else { return false }
                guard hear(commit) else { break }
                return false
            }
        } catch {
            throw Self.fault("the stream cannot be read: \(ThrownError(error).clause)")
        }
        throw Self.fault("more commits are pending than are kept")
    }

    private static func fault(_ message: String) -> RepositoryError {
        .io(Diagnosis(engine: PostgresConnection.engine, code: "08P01", message: message))
    }

    /// Notes that everything before a position has been heard.
    private func reach(_ position: WALPosition) {
        let woken = state.withLock { $0.reach(position) }
        for waiter in woken { waiter.signal() }
    }

    /// Takes a commit in, of which several may have come; false when there are too many that nobody has seen.
    private func hear(_ commit: StreamedCommit) -> Bool {
        let (woken, isTooMuch) = state.withLock { state in
            state.add(commit)
            return (state.reach(commit.end), state.isTooFarBehind)
        }
        for waiter in woken { waiter.signal() }
        return !isTooMuch
    }

    /// Forgets the stream: what is committed from now on is not heard.
    private func lose() {
        reading.assertHeld()
        let (waiters, log) = state.withLock { state in
            defer { state.end() }
            return (state.waiters.values.map(\.wake), state.isActive ? state.log : nil)
        }
        for waiter in waiters { waiter.signal() }
        guard let log else { return }
        queue.async { log.add { hasReaders in hasReaders ? [.elsewhere] : [] } }
    }
}

// The following runs on the admission's queue, but for what has it admit.
extension PostgresStream {
    /// Relies on the stream, once a snapshot shows everything that it does not tell, and has everything read anew.
    ///
    /// The writer commits in turns of the log until then, so that each of its commits is recorded once.
    private func activate(_ run: Int, _ beginning: ServerSnapshot) {
        queue.confinement.assertHeld()
        guard let log = state.withLock({ $0.run == run && !$0.isClosed ? $0.log : nil }) else { return }
        var isSeen = false
        try? log.add { _ throws(RepositoryError) in
            let reading = try control.ask { control throws(RepositoryError) in try control.readSnapshot() }
            guard !rules.contains(.beginning) || reading.snapshot.contains(beginning) else { return [] }
            isSeen = true
            // The reader may have come since the turn began; commits that the reading shows are not reported.
            let hasReaders = state.withLock { state in
                guard state.run == run else { return false }
                state.activate(reading)
                return state.hasReaders
            }
            return hasReaders ? [.elsewhere] : []
        }
        for action in state.withLock({ $0.isActive ? $0.takeActions() : [] }) { action() }
        guard isSeen else {
            return queue.async(after: .milliseconds(2)) { self.activate(run, beginning) }
        }
        admit(at: state.withLock { $0.scheduleAdmission() })
    }

    private func admit(at time: DispatchTime?) {
        guard let time else { return }
        guard time <= .now() || !rules.contains(.gathering) else { return queue.async(at: time) { self.admit() } }
        // When the queue's thread is there, the answer of a server that is near is there too.
        if rules.contains(.admission) { control.askAhead() }
        queue.async { self.admit() }
    }

    /// Adds to the log those of the pending commits that a snapshot shows.
    private func admit() {
        queue.confinement.assertHeld()
        guard let log = state.withLock({ $0.beginAdmission() }) else {
            // A pass has admitted it meanwhile.
            return control.forgetAnswer()
        }
        do throws(RepositoryError) {
            var snapshot: ServerSnapshot?
            if rules.contains(.admission) {
                snapshot = try control.snapshot()
            }
            log.addHere { _ in state.withLock { $0.admit(seenBy: snapshot) } }
        } catch {
            // The stream goes on without the connection that is asked.
            state.withLock { $0.failAdmission() }
        }
        // Not at once: who is waiting for a value does not wait for that.
        if state.withLock({ $0.takeNewTables() }) { queue.async { self.refreshTables() } }
        admit(at: state.withLock { $0.endAdmission() })
    }
}

// What others ask for.
extension PostgresStream {
    func look() -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isLookDue = true }
            return !state.isLookDue
        }
        if isFirst { queue.async { self.lookNow() } }
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

    func expect(_ tables: Set<String>) { state.withLock { $0.unheard.read.formUnion(tables) } }

    func prepareSnapshot(
        _ connection: any StoreConnection, of tables: () -> Set<String>
    ) throws(RepositoryError) {
        guard rules.contains(.locking), let connection = connection as? PostgresConnection else {
            return try connection.begin(.read)
        }
        connection.noteRead = { [weak self] tables in self?.expect(tables) }
        let known = state.withLock { $0.isActive ? $0.tableNames : $0.unheard.lockable }
        guard try !connection.begin(ofThoseThatExist: known, locking: tables()) else { return }
        _ = look()
    }

    // Called in a turn of the log, so that nothing is admitted that the snapshot does not show.
    func beginSnapshot(
        _ connection: any StoreConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] {
        // Without the stream it is not known which commits the snapshot shows: whatever is due is read in it.
        guard let connection = connection as? PostgresConnection else { return [.elsewhere] }
        guard isActive else {
            try connection.takeSnapshot()
            return [.elsewhere]
        }
        let reading = try connection.readSnapshot()
        let isHeard = wait(for: reading)
        let commits = state.withLock { $0.take(reading, isHeard: isHeard) }
        if state.withLock({ $0.takeNewTables() }) { queue.async { self.refreshTables() } }
        return commits
    }

    func catchUp() {
        guard let log = state.withLock({ $0.isActive ? $0.log : nil }),
            let reading = try? control.ask({ control throws(RepositoryError) in try control.readSnapshot() })
        else { return }
        let isHeard = wait(for: reading)
        log.add { _ in state.withLock { $0.take(reading, isHeard: isHeard) } }
    }

    /// Waits until everything has been heard that a snapshot can show, or there is no stream; false when it was not.
    ///
    /// Not for long, because the writer may wait for the log's turn; less for a stream that was waited for before and
    /// is still behind.
    private func wait(for reading: SnapshotReading) -> Bool {
        guard rules.contains(.catchingUp) else { return true }
        let wake = DispatchSemaphore(value: 0)
        let patience = state.withLock { $0.covered == nil ? silence.waited : min(silence.waited, silence.waitedAgain) }
        let deadline = ContinuousClock.now + patience
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
            try? control.ask { control throws(RepositoryError) in try control.fence() }
        }
    }
}
