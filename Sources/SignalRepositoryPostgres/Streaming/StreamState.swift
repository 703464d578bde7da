import Dispatch
import RepositoryCore

/// The state of a stream, guarded by the stream's lock.
struct StreamState {
    var log: CommitLog?
    /// The connection that was made when the store was opened.
    var first: ReplicationConnection?
    /// The number of the current stream; each restart increments it.
    var run = 0
    /// Whether the stream reports every new commit.
    var isActive = false
    /// How often `isActive` has changed.
    var epoch = 0
    /// Called when `isActive` becomes true.
    var actions: [@Sendable () -> Void] = []
    var isClosed = false
    var capture = StreamCapture()
    var tableNames: Set<String> = []
    var unreported = UnreportedTables()
    var hasReaders = false
    /// The position before which everything has been received.
    var position = WALPosition.zero
    var waiters: [ObjectIdentifier: (position: WALPosition, wake: DispatchSemaphore)] = [:]
    /// The commits that were received, and that no snapshot has shown yet.
    var pending: [StreamedCommit] = []
    var pendingWeight = 0
    /// A snapshot that every query re-reads: its commits are not reported again.
    var reread: (snapshot: ServerSnapshot, end: WALPosition)?
    private var isAdmissionDue = false
    /// Whether the last admission was of several commits.
    private var isCrowded = false
    /// How many admissions in a row have found no pending commit that could be read.
    private var missCount = 0
    /// The earliest time of the next admission; `nil` if it may begin at once.
    private(set) var nextAdmission: DispatchTime?
    var isPollDue = false
    var hasNewTables = false
    /// The end of the log at the last poll, while there was no stream.
    var lastInserted: WALPosition?

    init(first: ReplicationConnection?) { self.first = first }
}

extension StreamState {
    /// The most commits, and their weight, that may be pending; beyond that, the stream starts again.
    private static let (mostPending, mostWeight) = (100_000, 1_000_000)
    /// How many commits are admitted at a time while the log has no readers.
    private static let admissionBatch = 256
    /// The pause between two admissions when commits come faster.
    private static let pause = DispatchTimeInterval.milliseconds(1)

    var isTooFarBehind: Bool { pending.count > Self.mostPending || pendingWeight > Self.mostWeight }

    /// Adds a received commit, unless it changed no tables or was re-read already.
    mutating func add(_ commit: StreamedCommit) {
        let isReread = reread.map { $0.snapshot.sees(commit.transaction) && commit.end <= $0.end } ?? false
        guard !commit.commit.tables.isEmpty, !isReread else { return }
        pending.append(commit)
        pendingWeight += commit.weight
    }

    /// Stores the current tables, and keeps the objects of unchanged ones; returns the names of the others.
    @discardableResult
    mutating func keep(_ tables: [UInt32: StreamedTable]) -> Set<String> {
        var changed: Set<String> = []
        var merged = tables
        for (number, known) in capture.tables {
            if let table = tables[number], table.isLike(known) {
                merged[number] = known
            } else {
                changed.insert(known.name)
            }
        }
        capture.tables = merged
        tableNames = Set(merged.values.map(\.name))
        return changed
    }

    mutating func activate(_ reading: SnapshotReading) {
        (isActive, lastInserted) = (true, nil)
        epoch += 1
        recordReread(reading)
    }

    /// Notes that everyone re-reads what a snapshot shows: its commits are not reported, and nobody waits for them.
    mutating func recordReread(_ reading: SnapshotReading) {
        reread = (reading.snapshot, reading.inserted)
        pending.removeAll { reading.snapshot.sees($0.transaction) }
        pendingWeight = pending.reduce(0) { $0 + $1.weight }
    }

    /// Takes the commits that a snapshot shows; if they were not received in time, an unknown commit instead.
    mutating func take(_ reading: SnapshotReading, isReported: Bool) -> [UnnumberedCommit] {
        guard isActive else { return [.external] }
        guard !isReported else { return take(seenBy: reading.snapshot) }
        if let reread, reread.end >= reading.inserted, reread.snapshot.contains(reading.snapshot) { return [] }
        recordReread(reading)
        return hasReaders ? [.external] : []
    }

    mutating func end() {
        if isActive { epoch += 1 }
        run += 1
        (isActive, reread, position, waiters) = (false, nil, .zero, [:])
        (pending, pendingWeight, hasNewTables) = ([], 0, false)
    }

    /// Notes a position; returns what wakes the callers that have waited for it.
    mutating func reach(_ position: WALPosition) -> [DispatchSemaphore] {
        self.position = max(self.position, position)
        if let reread, reread.end <= self.position { self.reread = nil }
        let reached = waiters.filter { $0.value.position <= self.position }
        for id in reached.keys { waiters[id] = nil }
        return reached.values.map(\.wake)
    }

    /// Returns when to admit commits, if some are due and no admission is scheduled.
    mutating func scheduleAdmission() -> DispatchTime? {
        guard isActive, !isAdmissionDue, pending.count >= (hasReaders ? 1 : Self.admissionBatch) else { return nil }
        isAdmissionDue = true
        return nextAdmission ?? .now()
    }

    /// Begins an admission; returns the log, if there is anything to admit.
    mutating func beginAdmission() -> CommitLog? {
        isAdmissionDue = isActive && !pending.isEmpty
        return isAdmissionDue ? log : nil
    }

    /// Ends an admission; if further commits have arrived, returns when to admit them.
    ///
    /// Each admission costs the server a query, and everyone who follows the log a pass. So when commits come faster
    /// than they are admitted, more are admitted at a time. A writer that waits until its commit shows is not delayed.
    /// A query that came a moment too early is repeated once at once.
    mutating func endAdmission() -> DispatchTime? {
        isAdmissionDue = false
        nextAdmission = isCrowded || !pending.isEmpty && missCount != 1 ? .now() + Self.pause : nil
        return scheduleAdmission()
    }

    /// Takes the commits that a snapshot shows, in the order of the stream; without one, all.
    mutating func take(seenBy snapshot: ServerSnapshot?) -> [UnnumberedCommit] {
        var (seen, unseen): ([UnnumberedCommit], [StreamedCommit]) = ([], [])
        for commit in pending {
            if snapshot?.sees(commit.transaction) ?? true {
                seen.append(commit.commit)
                hasNewTables = hasNewTables || commit.hasNewTables
                pendingWeight -= commit.weight
            } else {
                unseen.append(commit)
            }
        }
        pending = unseen
        isCrowded = seen.count > 1
        return seen
    }

    /// Admits the commits that a snapshot shows; without one, all.
    mutating func admit(seenBy snapshot: ServerSnapshot?) -> [UnnumberedCommit] {
        let seen = take(seenBy: snapshot)
        missCount = seen.isEmpty && !pending.isEmpty ? missCount + 1 : 0
        return seen
    }

    /// Notes that the query has failed, so that it is not repeated at once.
    mutating func failAdmission() { missCount += 2 }

    mutating func takeActions() -> [@Sendable () -> Void] {
        defer { actions = [] }
        return actions
    }

    mutating func takeNewTables() -> Bool {
        defer { hasNewTables = false }
        return hasNewTables
    }
}
