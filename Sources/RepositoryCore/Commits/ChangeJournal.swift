/// The rows that a transaction has changed so far, each with its values before and after.
package struct ChangeJournal {
    /// One change of a row: an insertion if `old` is `nil`, a deletion if `new` is `nil`.
    private struct Entry {
        let table: TableLayout
        let key: RowKey
        var old: [SQLValue]?
        var new: [SQLValue]?
        let ids: RowIDs
    }

    private var journal = Journal<Entry>()

    package init() {}

    /// Adds a change of a row, which has old values, new values or both; returns the weight of the change.
    ///
    /// The weight is 1, plus 1 for each 2 KiB of texts and blobs.
    ///
    /// A change of the key counts as a deletion under the old key and an insertion under the new one.
    package mutating func append(_ table: TableLayout, old: [SQLValue]?, new: [SQLValue]?, _ ids: RowIDs) -> Int {
        let oldKey = old.map { table.key(of: $0, rowID: ids.old) }
        guard let new else { return oldKey.map { append(table, $0, old: old, new: nil, ids) } ?? 0 }
        let key = table.key(of: new, rowID: ids.new)
        guard let oldKey, oldKey != key else { return append(table, key, old: old, new: new, ids) }
        return append(table, oldKey, old: old, new: nil, ids) + append(table, key, old: nil, new: new, ids)
    }

    @discardableResult
    package mutating func append(_ table: TableLayout, _ key: RowKey, old: [SQLValue]?, new: [SQLValue]?, _ ids: RowIDs)
        -> Int
    {
        journal.append(Entry(table: table, key: key, old: old, new: new, ids: ids))
        return 1 + (Self.bytes(old) + Self.bytes(new)) / 2_048
    }

    private static func bytes(_ row: [SQLValue]?) -> Int {
        var bytes = 0
        for value in row ?? [] {
            switch value {
            case .text(let text): bytes += text.utf8.count
            case .blob(let blob): bytes += blob.count
            case .null, .integer, .real: break
            }
        }
        return bytes
    }

    /// Releases the values in the changes of a table; the caller adds no further changes of that table.
    package mutating func drop(_ table: String) {
        journal.replace(where: { $0.table.name == table }) { entry in
            var entry = entry
            (entry.old, entry.new) = (nil, nil)
            return entry
        }
    }

    /// Whether the journal contains every change of the transaction.
    package var isComplete: Bool { journal.isComplete }

    /// Records that the transaction changed rows that the journal does not contain.
    package mutating func markIncomplete() { journal.markIncomplete() }

    package mutating func endStatement(isFailed: Bool) { journal.endStatement(isFailed: isFailed) }

    package mutating func savepoint(_ step: SavepointStep) { journal.savepoint(step) }
}

extension ChangeJournal {
    package var doubtful: [(table: TableLayout, key: RowKey)] {
        journal.doubtful.map { ($0.table, $0.key) }
    }

    /// Adds the current values of a row: `net()` returns them with the first old values of the row.
    package mutating func correct(_ table: TableLayout, _ key: RowKey, now: (values: [SQLValue], rowID: Int64)?) {
        append(table, key, old: nil, new: now?.values, RowIDs(old: 0, new: now?.rowID ?? 0))
    }

    /// Returns the net changes, by table: for each row, the first old values and the last new values, if they differ.
    package func net() -> [String: TableChanges] {
        var tables: [NetChanges] = []
        var indexes: [ObjectIdentifier: Int] = [:]
        // The index in `tables` for the previous entry; most entries belong to the same table as the entry before.
        var last = -1
        for entry in journal.entries {
            if last < 0 || tables[last].layout !== entry.table {
                last = indexes[ObjectIdentifier(entry.table)] ?? tables.count
                if last == tables.count {
                    tables.append(NetChanges(entry.table))
                    indexes[ObjectIdentifier(entry.table)] = last
                }
            }
            tables[last].add(RowChange(key: entry.key, old: entry.old, new: entry.new, ids: entry.ids))
        }
        let outcomes = tables.compactMap { $0.outcome }
        return Dictionary(outcomes.map { ($0.layout.name, $0) }) { first, _ in first }
    }
}

/// The net changes of one table: all changes of a row become one change.
private struct NetChanges {
    let layout: TableLayout
    /// The index in `changes` for each key; `nil` while the keys are increasing integers, as in most transactions.
    private var indexes: [RowKey: Int]?
    private var changes: [RowChange] = []

    init(_ layout: TableLayout) {
        self.layout = layout
    }

    mutating func add(_ change: RowChange) {
        if indexes == nil {
            guard let last = changes.last, !last.key.isNumber(below: change.key) else { return changes.append(change) }
            indexes = changes.indexesByKey
        }
        if let index = indexes?[change.key] {
            changes[index].new = change.new
            changes[index].ids.new = change.ids.new
        } else {
            indexes?[change.key] = changes.count
            changes.append(change)
        }
    }

    var outcome: TableChanges? {
        if changes.allSatisfy({ $0.old != $0.new }) {
            return changes.isEmpty ? nil : TableChanges(layout, changes, indexes)
        }
        var different: [RowChange] = []
        var renumbered: [RowChange] = []
        for change in changes {
            if change.old != change.new {
                different.append(change)
            } else if change.new != nil, change.ids.old != change.ids.new {
                renumbered.append(change)
            }
        }
        if different.isEmpty && renumbered.isEmpty { return nil }
        return TableChanges(layout, different, renumbered: renumbered)
    }
}

/// The change of one row by a commit: an insertion if `old` is `nil`, a deletion if `new` is `nil`.
package struct RowChange: Sendable {
    package let key: RowKey
    package let old: [SQLValue]?
    package var new: [SQLValue]?
    package var ids: RowIDs
}

extension [RowChange] {
    /// The index of the change for each key; all changes have different keys.
    fileprivate var indexesByKey: [RowKey: Int] { Dictionary(uniqueKeysWithValues: enumerated().map { ($1.key, $0) }) }
}

/// The rowids of a row before and after a change; 0 if the row has no rowid.
package struct RowIDs: Sendable {
    package let old: Int64
    package var new: Int64

    package init(old: Int64, new: Int64) {
        (self.old, self.new) = (old, new)
    }
}

/// The changes of a commit to the rows of one table.
package final class TableChanges: Sendable {
    package let layout: TableLayout
    package let changes: [RowChange]
    /// Rows whose values are unchanged but whose rowids differ, so that the rows move in a list in rowid order.
    package let renumbered: [RowChange]
    /// The index in `changes` for each key; `nil` if the keys are increasing integers.
    private let indexes: [RowKey: Int]?

    /// Creates the changes of a table; `indexes`, if already known, is the index in `changes` for each key.
    package init(
        _ layout: TableLayout, _ changes: [RowChange], _ indexes: [RowKey: Int]? = nil, renumbered: [RowChange] = []
    ) {
        self.layout = layout
        self.changes = changes
        self.renumbered = renumbered
        let isGrowing = zip(changes, changes.dropFirst()).allSatisfy { $0.key.isNumber(below: $1.key) }
        self.indexes =
            isGrowing ? nil : indexes ?? changes.indexesByKey
    }

    /// Whether every value has the type that its column declares, if any; always true for a STRICT table.
    var haveTypes: Bool {
        if layout.isStrict { return true }
        return (changes + renumbered).allSatisfy { change in
            [change.old, change.new].allSatisfy { row in
                zip(row ?? [], layout.columns).allSatisfy { !$1.hasType || $1.affinity.holds($0) }
            }
        }
    }

    /// Returns the change of the row with the given key; `nil` if that row did not change.
    ///
    /// - Complexity: O(log *n*) in the number of changes.
    package func change(of key: RowKey) -> RowChange? {
        if let indexes { return indexes[key].map { changes[$0] } }
        let index = changes.partitioningIndex { !$0.key.isNumber(below: key) }
        return index < changes.count && changes[index].key == key ? changes[index] : nil
    }

    /// Returns only the changes of the row whose `columns` hold the `values`; `nil` if that row did not change.
    ///
    /// - Complexity: O(log *n*) in the number of changes when the columns are the primary key, otherwise O(*n*).
    package func only(_ columns: [String], _ values: [SQLValue]) -> TableChanges? {
        let indexes = columns.compactMap { layout.index(of: $0) }
        guard indexes.count == columns.count else { return nil }
        let found =
            layout.key == indexes
            ? change(of: values.count == 1 ? .value(values[0]) : .values(values)).map { [$0] } ?? []
            : changes.filter { change in
                [change.old, change.new].contains { row in
                    row.map { row in zip(indexes, values).allSatisfy { row[$0] == $1 } } ?? false
                }
            }
        return found.isEmpty ? nil : TableChanges(layout, found)
    }
}
