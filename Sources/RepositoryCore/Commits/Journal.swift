/// The changes of a transaction so far, in order, so that its tail can be undone.
///
/// SQLite reports when a row changes, but not when it undoes a change. So the journal notes its length at each
/// savepoint, and returns to it on rollback. The rows of a failed statement are doubtful, and are re-read at the end.
package struct Journal<Entry> {
    package private(set) var entries: [Entry] = []
    /// Whether every change is in the journal.
    package private(set) var isComplete = true
    private var savepoints: [(count: Int, isComplete: Bool)] = []
    private var doubts: [Range<Int>] = []
    /// The length when the last statement ended.
    private var statementStart = 0

    package init() {}

    package mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Replaces entries in place: savepoints and doubts refer to their indexes.
    package mutating func replace(where isReplaced: (Entry) -> Bool, by replacement: (Entry) -> Entry) {
        for index in entries.indices where isReplaced(entries[index]) { entries[index] = replacement(entries[index]) }
    }

    /// Whether the memory is kept for the next transaction, as for all but a long one.
    package var keepsCapacity: Bool { entries.count < 1_024 }

    /// Forgets everything.
    package mutating func removeAll() {
        let keepsCapacity = keepsCapacity
        if !entries.isEmpty { entries.removeAll(keepingCapacity: keepsCapacity) }
        (isComplete, statementStart) = (true, 0)
        if !savepoints.isEmpty { savepoints.removeAll() }
        if !doubts.isEmpty { doubts.removeAll() }
    }

    /// Notes that unknown rows have changed.
    package mutating func markIncomplete() { isComplete = false }

    /// Notes that a statement ended; if it failed, SQLite may have undone some or all of its changes.
    package mutating func endStatement(isFailed: Bool) {
        if isFailed, statementStart < entries.count { doubts.append(statementStart..<entries.count) }
        statementStart = entries.count
    }

    package mutating func savepoint(_ step: SavepointStep) {
        switch step {
        case .begin: savepoints.append((entries.count, isComplete))
        case .release: _ = savepoints.popLast()
        case .rollback:
            guard let savepoint = savepoints.popLast() else { return }
            entries.removeSubrange(savepoint.count...)
            doubts.removeAll { $0.lowerBound >= savepoint.count }
            (isComplete, statementStart) = (savepoint.isComplete, savepoint.count)
        }
    }

    /// The entries of failed statements.
    package var doubtful: [Entry] { doubts.isEmpty ? [] : doubts.flatMap { entries[$0] } }
}
