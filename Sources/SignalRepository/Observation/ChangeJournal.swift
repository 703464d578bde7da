/// What a transaction has done to rows so far, in order, so that the end of it can be undone.
///
/// SQLite says when a row changes and not when it takes that back. So the journal notes its length at each savepoint,
/// and goes back to it with a roll-back; what a failed statement did is noted as doubtful, and looked up at the end.
struct ChangeJournal {
    /// One row that changed: nil as old value is an insertion, nil as new value a deletion.
    private struct Entry {
        let table: TableLayout
        let key: RowKey
        let old: [SQLValue]?
        let new: [SQLValue]?
    }

    private struct Mark {
        let count: Int
        let isComplete: Bool
    }

    /// Whether every change is in the journal.
    private(set) var isComplete = true
    private var entries: [Entry] = []
    private var marks: [Mark] = []
    private var doubts: [Range<Int>] = []
    /// The length when the last statement ended.
    private var statementStart = 0

    /// Notes a change of a row.
    mutating func append(_ table: TableLayout, _ key: RowKey, old: [SQLValue]?, new: [SQLValue]?) {
        entries.append(Entry(table: table, key: key, old: old, new: new))
    }

    /// Notes that something changed of which the rows are not known.
    mutating func loseTrack() {
        isComplete = false
    }

    /// Notes that a statement ended; when it failed, what it did may have been taken back in whole or in part.
    mutating func endStatement(isFailed: Bool) {
        if isFailed, statementStart < entries.count { doubts.append(statementStart..<entries.count) }
        statementStart = entries.count
    }

    /// Notes the beginning of a savepoint.
    mutating func beginSavepoint() {
        marks.append(Mark(count: entries.count, isComplete: isComplete))
    }

    /// Notes that what was done since the savepoint stays.
    mutating func releaseSavepoint() {
        _ = marks.popLast()
    }

    /// Forgets what was done since the savepoint.
    mutating func rollbackSavepoint() {
        guard let mark = marks.popLast() else { return }
        entries.removeSubrange(mark.count...)
        doubts.removeAll { $0.lowerBound >= mark.count }
        isComplete = mark.isComplete
        statementStart = mark.count
    }
}

extension ChangeJournal {
    /// The rows of which it is not known what they are now.
    var doubtful: [(table: TableLayout, key: RowKey)] {
        doubts.flatMap { range in entries[range].map { ($0.table, $0.key) } }
    }

    /// Notes what a row is now, whatever was noted before; its first old value stays.
    mutating func correct(_ table: TableLayout, _ key: RowKey, now: [SQLValue]?) {
        append(table, key, old: nil, new: now)
    }

    /// What all changes come to, by table: of each row the first old and the last new value, where they differ.
    func net() -> [String: TableChanges] {
        var tables: [String: NetChanges] = [:]
        var current: NetChanges?
        for entry in entries {
            if current?.layout !== entry.table {
                current = tables[entry.table.name] ?? NetChanges(entry.table)
                tables[entry.table.name] = current
            }
            current?.add(RowChange(key: entry.key, old: entry.old, new: entry.new))
        }
        return tables.compactMapValues { $0.outcome }
    }
}

/// Gathers the changes of one table, one for each row.
private final class NetChanges {
    let layout: TableLayout
    private var places: [RowKey: Int] = [:]
    private var changes: [RowChange] = []

    init(_ layout: TableLayout) {
        self.layout = layout
    }

    func add(_ change: RowChange) {
        if let place = places[change.key] {
            changes[place].new = change.new
        } else {
            places[change.key] = changes.count
            changes.append(change)
        }
    }

    var outcome: TableChanges? {
        let different = changes.filter { $0.old != $0.new }
        return different.isEmpty ? nil : TableChanges(layout, different)
    }
}

/// What a commit did to one row: nil as old value is an insertion, nil as new value a deletion.
struct RowChange: Sendable {
    let key: RowKey
    let old: [SQLValue]?
    var new: [SQLValue]?
}

/// What a commit did to the rows of one table.
final class TableChanges: Sendable {
    let layout: TableLayout
    let changes: [RowChange]
    private let places: [RowKey: Int]

    init(_ layout: TableLayout, _ changes: [RowChange]) {
        self.layout = layout
        self.changes = changes
        places = Dictionary(uniqueKeysWithValues: changes.enumerated().map { ($1.key, $0) })
    }

    /// The change of the row of which the column holds the value; nil when it did not change.
    ///
    /// - Complexity: O(1) when the column is the primary key, else O(*n*) in the number of changes.
    func only(_ column: String, _ value: SQLValue) -> TableChanges? {
        guard let place = layout.place(of: column) else { return nil }
        let found =
            layout.key == [place]
            ? places[.value(value)].map { [changes[$0]] } ?? []
            : changes.filter { $0.old?[place] == value || $0.new?[place] == value }
        return found.isEmpty ? nil : TableChanges(layout, found)
    }
}
