import Dispatch
import SignalRepository

/// What a stream has heard, and what has become of it: behind its lock.
struct StreamState {
    var log: CommitLog?
    /// The connection that was made when the store was opened.
    var first: ReplicationConnection?
    /// The number of the stream, one after the other.
    var run = 0
    /// Whether all that is committed now is told by the stream.
    var isActive = false
    /// How often `isActive` has changed.
    var epoch = 0
    /// Called when `isActive` becomes true.
    var actions: [@Sendable () -> Void] = []
    var isClosed = false
    var capture = StreamCapture()
    var tableNames: Set<String> = []
    var unheard = UnheardTables()
    var hasReaders = false
    /// Everything before it has been heard.
    var position = WALPosition.zero
    var waiters: [ObjectIdentifier: (position: WALPosition, wake: DispatchSemaphore)] = [:]
    /// What has been heard, and not been seen.
    var pending: [StreamedCommit] = []
    var pendingWeight = 0
    /// What everybody has been told to read anew: none of it is told again.
    var covered: (snapshot: ServerSnapshot, end: WALPosition)?
    private var isAdmissionDue = false
    /// Whether the last admission was of several commits.
    private var isCrowded = false
    /// How many admissions in a row have found that nothing of what is pending could be read.
    private var missCount = 0
    /// When the next admission may begin; `nil` when it may at once.
    private var nextAdmission: DispatchTime?
    var isLookDue = false
    var hasNewTables = false
    /// How far the log reached when it was last looked, while there was no stream.
    var lastInserted: WALPosition?

    init(first: ReplicationConnection?) { self.first = first }
}

extension StreamState {
    /// How much may be pending; a reader that is further behind begins anew.
    private static let (mostPending, mostWeight) = (100_000, 1_000_000)
    /// Without anybody who follows commits, as many are admitted at a time.
    private static let portion = 256
    /// Between two admissions, when commits come faster.
    private static let pause = DispatchTimeInterval.milliseconds(1)

    var isTooFarBehind: Bool { pending.count > Self.mostPending || pendingWeight > Self.mostWeight }

    /// Takes in a commit that was heard, unless there is nothing in it that has to be told.
    mutating func add(_ commit: StreamedCommit) {
        let isCovered = covered.map { $0.snapshot.sees(commit.transaction) && commit.end <= $0.end } ?? false
        guard !commit.commit.tables.isEmpty, !isCovered else { return }
        pending.append(commit)
        pendingWeight += commit.weight
    }

    /// Keeps the tables as they are now, those that are the same as the objects they were; returns the others' names.
    @discardableResult
    mutating func keep(_ tables: [UInt32: StreamedTable]) -> Set<String> {
        var changed: Set<String> = []
        var kept = tables
        for (number, known) in capture.tables {
            if let table = tables[number], table.isLike(known) {
                kept[number] = known
            } else {
                changed.insert(known.name)
            }
        }
        capture.tables = kept
        tableNames = Set(kept.values.map(\.name))
        return changed
    }

    mutating func activate(_ reading: SnapshotReading) {
        (isActive, lastInserted) = (true, nil)
        epoch += 1
        cover(reading)
    }

    /// Has what a snapshot sees read anew by everybody; none of it is told, and nobody waits for it.
    mutating func cover(_ reading: SnapshotReading) {
        covered = (reading.snapshot, reading.inserted)
        pending.removeAll { reading.snapshot.sees($0.transaction) }
        pendingWeight = pending.reduce(0) { $0 + $1.weight }
    }

    /// Takes what a snapshot shows: the commits, or, when they have not been heard of in time, that there were some.
    mutating func take(_ reading: SnapshotReading, isHeard: Bool) -> [UnnumberedCommit] {
        guard isActive else { return [.elsewhere] }
        guard !isHeard else { return take(seenBy: reading.snapshot) }
        if let covered, covered.end >= reading.inserted, covered.snapshot.contains(reading.snapshot) { return [] }
        cover(reading)
        return hasReaders ? [.elsewhere] : []
    }

    mutating func end() {
        if isActive { epoch += 1 }
        run += 1
        (isActive, covered, position, waiters) = (false, nil, .zero, [:])
        (pending, pendingWeight, hasNewTables) = ([], 0, false)
    }

    /// Notes a position; returns those who have waited for it.
    mutating func reach(_ position: WALPosition) -> [DispatchSemaphore] {
        self.position = max(self.position, position)
        if let covered, covered.end <= self.position { self.covered = nil }
        let reached = waiters.filter { $0.value.position <= self.position }
        for id in reached.keys { waiters[id] = nil }
        return reached.values.map(\.wake)
    }

    /// When commits have to be admitted, if they have and nobody has been told so.
    mutating func scheduleAdmission() -> DispatchTime? {
        guard isActive, !isAdmissionDue, pending.count >= (hasReaders ? 1 : Self.portion) else { return nil }
        isAdmissionDue = true
        return nextAdmission ?? .now()
    }

    /// Begins one; returns the log, if there is anything to admit.
    mutating func beginAdmission() -> CommitLog? {
        isAdmissionDue = isActive && !pending.isEmpty
        return isAdmissionDue ? log : nil
    }

    /// Ends an admission; when others have come meanwhile, returns when to admit those.
    ///
    /// Each costs the server a question, and everybody who follows a pass. So when commits come faster than they are
    /// admitted, more are admitted at a time; a writer who waits until its commit is shown is not held up. What was
    /// asked for a moment too early is asked for once more at once.
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

    /// Notes that there was no answer, which is not asked for again at once.
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
