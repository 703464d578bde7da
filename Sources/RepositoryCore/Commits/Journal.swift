/// The changes of a transaction so far, in order, so that its tail can be undone.
///
/// SQLite reports when a row changes, but not when it undoes a change. So the journal notes its length at each
/// savepoint, and returns to it on rollback. The rows of a failed statement are doubtful, and are re-read at the end.
///
/// Inlinable, because each engine has entries of its own type, and they are appended for every changed row.
@frozen @usableFromInline
package struct Journal<Entry> {
    @usableFromInline package internal(set) var entries: [Entry] = []
    /// Whether every change is in the journal.
    @usableFromInline package internal(set) var isComplete = true
    @usableFromInline var savepoints: [(count: Int, isComplete: Bool)] = []
    @usableFromInline var doubts: [Range<Int>] = []
    /// The length when the last statement ended.
    @usableFromInline var statementStart = 0

    @inlinable package init() {}

    @inlinable package mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Replaces entries in place: savepoints and doubts refer to their indexes.
    package mutating func replace(where isReplaced: (Entry) -> Bool, by replacement: (Entry) -> Entry) {
        for index in entries.indices where isReplaced(entries[index]) { entries[index] = replacement(entries[index]) }
    }

    /// Whether the memory is kept for the next transaction, as for all but a long one.
    @inlinable package var keepsCapacity: Bool { entries.count < 1_024 }

    /// Forgets everything.
    @inlinable package mutating func removeAll() {
        let keepsCapacity = keepsCapacity
        if !entries.isEmpty { entries.removeAll(keepingCapacity: keepsCapacity) }
        (isComplete, statementStart) = (true, 0)
        if !savepoints.isEmpty { savepoints.removeAll() }
        if !doubts.isEmpty { doubts.removeAll() }
    }

    /// Notes that unknown rows have changed.
    @inlinable package mutating func markIncomplete() { isComplete = false }

    /// Notes that a statement ended; if it failed, SQLite may have undone some or all of its changes.
    @inlinable package mutating func endStatement(isFailed: Bool) {
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
    @inlinable package var doubtful: [Entry] { doubts.isEmpty ? [] : doubts.flatMap { entries[$0] } }
}
