/// The rows that a transaction has changed so far, each with its values before and after.
package struct ChangeJournal {
    /// One changed row: without an old value it is an insertion, without a new value a deletion.
    private struct Entry {
        let table: TableLayout
        let key: RowKey
        var old: [SQLValue]?
        var new: [SQLValue]?
        let ids: RowIDs
    }

    private var journal = Journal<Entry>()

    package init() {}

    /// Adds a row change, with an old row, a new row or both; returns its weight: one, plus one for each 2 KiB.
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

    /// Forgets the values in the changes of a table, of which no more changes are added.
    package mutating func drop(_ table: String) {
        journal.replace(where: { $0.table.name == table }) { entry in
            var entry = entry
            (entry.old, entry.new) = (nil, nil)
            return entry
        }
    }

    /// Whether every change is in the journal.
    package var isComplete: Bool { journal.isComplete }

    /// Notes that unknown rows have changed.
    package mutating func markIncomplete() { journal.markIncomplete() }

    package mutating func endStatement(isFailed: Bool) { journal.endStatement(isFailed: isFailed) }

    package mutating func savepoint(_ step: SavepointStep) { journal.savepoint(step) }
}

extension ChangeJournal {
    package var doubtful: [(table: TableLayout, key: RowKey)] {
        journal.doubtful.map { ($0.table, $0.key) }
    }

    /// Notes the current values of a row, whatever was noted before; its first old values are kept.
    package mutating func correct(_ table: TableLayout, _ key: RowKey, now: (values: [SQLValue], rowID: Int64)?) {
        append(table, key, old: nil, new: now?.values, RowIDs(old: 0, new: now?.rowID ?? 0))
    }

    /// The net effect of all changes, by table: for each row, the first old and the last new values, if they differ.
    package func net() -> [String: TableChanges] {
        var tables: [NetChanges] = []
        var indexes: [ObjectIdentifier: Int] = [:]
        // The index of the last row's table: most rows are in the same table as the one before.
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

/// Collects the changes of one table, one for each row.
private struct NetChanges {
    let layout: TableLayout
    /// Made when a key is not greater than the one before it: most statements change rows in the order of their keys.
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

/// The change of one row by a commit: without an old value it is an insertion, without a new value a deletion.
package struct RowChange: Sendable {
    package let key: RowKey
    package let old: [SQLValue]?
    package var new: [SQLValue]?
    package var ids: RowIDs
}

extension [RowChange] {
    /// The indexes of changes, one for each row, by their keys.
    fileprivate var indexesByKey: [RowKey: Int] { Dictionary(uniqueKeysWithValues: enumerated().map { ($1.key, $0) }) }
}

/// The rowids of a row before and after a change; 0 if it has none.
package struct RowIDs: Sendable {
    package let old: Int64
    package var new: Int64

    package init(old: Int64, new: Int64) {
        (self.old, self.new) = (old, new)
    }
}

/// The changes of a commit to the rows of one table.
@usableFromInline
package final class TableChanges: Sendable {
    package let layout: TableLayout
    package let changes: [RowChange]
    /// Rows that were written again with the same values and another rowid, so that they moved in row order.
    package let renumbered: [RowChange]
    /// The indexes of the changes by their keys; `nil` if the keys are increasing numbers.
    private let indexes: [RowKey: Int]?

    /// Creates the changes of a table; `indexes` are the indexes of `changes` by their keys, if already known.
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

    /// The change of the row with a key; `nil` if it did not change.
    ///
    /// - Complexity: O(log *n*) in the number of changes.
    package func change(of key: RowKey) -> RowChange? {
        if let indexes { return indexes[key].map { changes[$0] } }
        let index = changes.partitioningIndex { !$0.key.isNumber(below: key) }
        return index < changes.count && changes[index].key == key ? changes[index] : nil
    }

    /// The changes of the row whose columns hold the values; `nil` if it did not change.
    ///
    /// - Complexity: O(1) when the columns are the primary key, otherwise O(*n*) in the number of changes.
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
