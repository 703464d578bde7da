import Dispatch
import RepositoryCore

/// The state of a stream, guarded by the stream's lock.
struct StreamState {
    var log: CommitLog?
    /// The replication connection made when the store was opened; the first stream uses it.
    var first: ReplicationConnection?
    /// The number of the current stream; each restart increments it.
    var run = 0
    /// Whether the stream reports every new commit.
    var isActive = false
    /// How often `isActive` has changed.
    var epoch = 0
    /// The closures to call when `isActive` becomes true.
    var actions: [@Sendable () -> Void] = []
    var isClosed = false
    var capture = StreamCapture()
    var tableNames: Set<String> = []
    var unreported = UnreportedTables()
    var hasReaders = false
    /// The position in the write-ahead log before which every commit has been received.
    var position = WALPosition.zero
    var waiters: [ObjectIdentifier: (position: WALPosition, wake: DispatchSemaphore)] = [:]
    /// The received commits that no snapshot of the server has shown so far.
    var pending: [StreamedCommit] = []
    var pendingWeight = 0
    /// The snapshot in which every live query was last re-read; `nil` once the stream has passed the snapshot's `end`.
    ///
    /// Commits that this snapshot shows are not reported again.
    var reread: (snapshot: ServerSnapshot, end: WALPosition)?
    private var isAdmissionDue = false
    /// Whether the last addition to the commit log was of several commits.
    private var isCrowded = false
    /// How many times in a row a new snapshot has shown none of the pending commits.
    private var missCount = 0
    /// The earliest time at which pending commits may be added to the commit log; `nil` if at once.
    private(set) var nextAdmission: DispatchTime?
    var isPollDue = false
    var hasNewTables = false
    /// The end of the write-ahead log at the last poll without an active stream.
    var lastInserted: WALPosition?

    init(first: ReplicationConnection?) { self.first = first }
}

extension StreamState {
    /// The greatest number and the greatest total weight of pending commits.
    ///
    /// Above either, the stream starts again.
    private static let (mostPending, mostWeight) = (100_000, 1_000_000)
    /// How many commits must be pending before they are added to a commit log that has no readers.
    private static let admissionBatch = 256
    /// The pause between two additions to the commit log while commits arrive faster than they are added.
    private static let pause = DispatchTimeInterval.milliseconds(1)

    var isTooFarBehind: Bool { pending.count > Self.mostPending || pendingWeight > Self.mostWeight }

    /// Adds a received commit, unless it changed no table or the snapshot in `reread` shows it.
    mutating func add(_ commit: StreamedCommit) {
        let isReread = reread.map { $0.snapshot.sees(commit.transaction) && commit.end <= $0.end } ?? false
        guard !commit.commit.tables.isEmpty, !isReread else { return }
        pending.append(commit)
        pendingWeight += commit.weight
    }

    /// Replaces the known tables, except unchanged ones; returns the names of changed and removed tables.
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

    /// Records that every live query is re-read in a snapshot, and drops the pending commits that the snapshot shows.
    mutating func recordReread(_ reading: SnapshotReading) {
        reread = (reading.snapshot, reading.inserted)
        pending.removeAll { reading.snapshot.sees($0.transaction) }
        pendingWeight = pending.reduce(0) { $0 + $1.weight }
    }

    /// Removes and returns the pending commits that a snapshot shows.
    ///
    /// If the stream did not send all of them in time (`isReported` is false), returns a commit with unknown changes.
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

    /// Records a received position; returns the semaphores of the callers that wait for it.
    mutating func reach(_ position: WALPosition) -> [DispatchSemaphore] {
        self.position = max(self.position, position)
        if let reread, reread.end <= self.position { self.reread = nil }
        let reached = waiters.filter { $0.value.position <= self.position }
        for id in reached.keys { waiters[id] = nil }
        return reached.values.map(\.wake)
    }

    /// Schedules an admission, which adds pending commits to the commit log; returns its time, or `nil` if none is due.
    mutating func scheduleAdmission() -> DispatchTime? {
        guard isActive, !isAdmissionDue, pending.count >= (hasReaders ? 1 : Self.admissionBatch) else { return nil }
        isAdmissionDue = true
        return nextAdmission ?? .now()
    }

    /// Begins an admission; returns the commit log to add to, or `nil` if no commit can be added.
    mutating func beginAdmission() -> CommitLog? {
        isAdmissionDue = isActive && !pending.isEmpty
        return isAdmissionDue ? log : nil
    }

    /// Ends an admission; if further commits have arrived, returns the time of the next admission.
    ///
    /// Each admission costs the server a query, and wakes the readers of the commit log. So after an admission of
    /// several commits, the next one waits, in order to add more commits at a time. After an admission of the only
    /// pending commit, the next one does not wait, so a program that waits to see each of its commits is not delayed.
    /// If a first snapshot shows no pending commit, a second one is queried without a pause.
    mutating func endAdmission() -> DispatchTime? {
        isAdmissionDue = false
        nextAdmission = isCrowded || !pending.isEmpty && missCount != 1 ? .now() + Self.pause : nil
        return scheduleAdmission()
    }

    /// Removes and returns the pending commits that a snapshot shows, in the stream's order; with `nil`, all of them.
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

    /// Removes and returns the same commits as `take(seenBy:)`, and counts the admissions that find none.
    mutating func admit(seenBy snapshot: ServerSnapshot?) -> [UnnumberedCommit] {
        let seen = take(seenBy: snapshot)
        missCount = seen.isEmpty && !pending.isEmpty ? missCount + 1 : 0
        return seen
    }

    /// Records that an admission's query has failed, so that the next admission comes after a pause.
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
