/// The changes of a transaction so far, in order, so that a rollback to a savepoint can remove the last ones.
///
/// SQLite reports every change of a row, but not when it undoes a change. So the journal stores its length at each
/// savepoint, and a rollback cuts the journal to that length. The changes of a failed statement are doubtful: SQLite
/// may have undone them, so their rows are re-read at the end of the transaction.
///
/// The journal is inlinable, so that the compiler specializes it in each engine's module. Each engine has its own type
/// of entries, and appends an entry for every changed row.
@frozen @usableFromInline
package struct Journal<Entry> {
    @usableFromInline package internal(set) var entries: [Entry] = []
    /// Whether the journal contains every change of the transaction.
    @usableFromInline package internal(set) var isComplete = true
    @usableFromInline var savepoints: [(count: Int, isComplete: Bool)] = []
    @usableFromInline var doubts: [Range<Int>] = []
    /// The number of entries when the last statement ended.
    @usableFromInline var statementStart = 0

    @inlinable package init() {}

    @inlinable package mutating func append(_ entry: Entry) { entries.append(entry) }

    /// Replaces entries in place, because savepoints and `doubts` refer to entries by index.
    package mutating func replace(where isReplaced: (Entry) -> Bool, by replacement: (Entry) -> Entry) {
        for index in entries.indices where isReplaced(entries[index]) { entries[index] = replacement(entries[index]) }
    }

    /// Whether the next transaction reuses the memory; after many entries, the memory is released.
    @inlinable package var keepsCapacity: Bool { entries.count < 1_024 }

    /// Empties the journal for the next transaction.
    @inlinable package mutating func removeAll() {
        let keepsCapacity = keepsCapacity
        if !entries.isEmpty { entries.removeAll(keepingCapacity: keepsCapacity) }
        (isComplete, statementStart) = (true, 0)
        if !savepoints.isEmpty { savepoints.removeAll() }
        if !doubts.isEmpty { doubts.removeAll() }
    }

    /// Records that the transaction changed rows that the journal does not contain.
    @inlinable package mutating func markIncomplete() { isComplete = false }

    /// Records the end of a statement; if the statement failed, SQLite may have undone some or all of its changes.
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

    /// The entries of failed statements, which SQLite may have undone.
    @inlinable package var doubtful: [Entry] { doubts.isEmpty ? [] : doubts.flatMap { entries[$0] } }
}
