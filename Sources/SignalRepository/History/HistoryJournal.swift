/// The keys of the rows that a transaction has changed so far, for the store's history.
///
/// Recording a row costs less than in `ChangeJournal`, which stores the values of each row. For most tables, the key is
/// the rowid, which SQLite passes to the preupdate hook.
struct HistoryJournal {
    private struct Table {
        let layout: TableLayout
        /// The table's history with no changed rows, to which the rows are added.
        let empty: TableHistory
        /// The encoded description of the table, which precedes the table's rows in a blob.
        let head: [UInt8]
    }

    private struct Entry {
        let table: Int
        let operation: Operation
        /// The rowid; or, if `hasKey` is true, the index of the key in `keys`.
        let number: Int64
        let hasKey: Bool
        /// The index of the old values in `olds`, or -1 if there are none.
        let old: Int
    }

    enum Operation {
        case insert, update, delete
    }

    /// Whether the history records the old values of changed rows.
    private let isUndoable: Bool
    /// Whether the transaction only inserted rows, all into one table.
    ///
    /// If so, each key occurs once.
    private var isPlain = true
    /// The tables that transactions have changed since the last call of `forgetTables()`.
    private var tables: [Table] = []
    private var journal = Journal<Entry>()
    private var keys: [[SQLValue]] = []
    private var olds: [[SQLValue]] = []

    init(isUndoable: Bool) {
        self.isUndoable = isUndoable
    }

    mutating func removeAll() {
        isPlain = true
        let keepsCapacity = journal.keepsCapacity
        if !keys.isEmpty { keys.removeAll(keepingCapacity: keepsCapacity) }
        if !olds.isEmpty { olds.removeAll(keepingCapacity: keepsCapacity) }
        journal.removeAll()
    }

    /// Forgets the layouts of the tables after a schema change.
    mutating func forgetTables() { tables = [] }

    /// Returns the index of a table in `tables`, and adds the table if it is missing.
    mutating func index(of layout: TableLayout) -> Int {
        // A linear search, because transactions change few tables.
        if let known = tables.firstIndex(where: { $0.layout === layout }) { return known }
        var empty = TableHistory(name: layout.name, key: layout.historyKeyNames)
        if isUndoable { empty.columns = layout.columns.map(\.name) }
        tables.append(Table(layout: layout, empty: empty, head: HistoryBytes.head(of: empty)))
        return tables.count - 1
    }

    /// Whether every change is in the journal.
    var isComplete: Bool { journal.isComplete }

    mutating func markIncomplete() { journal.markIncomplete() }

    mutating func note(_ row: HookedRow, _ index: Int, _ encoding: HookEncoding?) {
        let layout = tables[index].layout
        guard row.columnCount == layout.columns.count else { return markIncomplete() }
        var old = -1
        if isUndoable, row.hasOld {
            guard let values = row.old(layout, encoding) else { return markIncomplete() }
            old = olds.count
            olds.append(values)
        }
        if layout.isKeyedByNumber {
            if row.hasOld, row.hasNew, row.ids.old == row.ids.new {
                return add(Entry(table: index, operation: .update, number: row.ids.new, hasKey: false, old: old))
            }
            if row.hasOld { add(Entry(table: index, operation: .delete, number: row.ids.old, hasKey: false, old: old)) }
            if row.hasNew { add(Entry(table: index, operation: .insert, number: row.ids.new, hasKey: false, old: -1)) }
            return
        }
        if row.keepsKey(layout) {
            guard let key = row.newKey(layout, encoding) else { return markIncomplete() }
            return add(.update, key, index, old)
        }
        let values = old < 0 ? nil : olds[old]
        let before =
            row.hasOld ? values.map { old in layout.lastingKey { old[$0] } } ?? row.oldKey(layout, encoding) : nil
        let after = row.hasNew ? row.newKey(layout, encoding) : nil
        guard row.hasOld == (before != nil), row.hasNew == (after != nil) else { return markIncomplete() }
        if let before, before == after { return add(.update, before, index, old) }
        if let before { add(.delete, before, index, old) }
        if let after { add(.insert, after, index, -1) }
    }

    private mutating func add(_ operation: Operation, _ key: [SQLValue], _ index: Int, _ old: Int) {
        keys.append(key)
        add(Entry(table: index, operation: operation, number: Int64(keys.count - 1), hasKey: true, old: old))
    }

    private mutating func add(_ entry: Entry) {
        if isPlain, entry.operation != .insert || journal.entries.first.map({ $0.table != entry.table }) == true {
            isPlain = false
        }
        journal.append(entry)
    }

    mutating func endStatement(isFailed: Bool) { journal.endStatement(isFailed: isFailed) }

    mutating func savepoint(_ step: SavepointStep) { journal.savepoint(step) }
}

extension HistoryJournal {
    /// Returns the net effect on each table that changed; `exists` returns whether a table has a row with a key.
    func net(
        _ exists: (TableLayout, [SQLValue]) throws(RepositoryError) -> Bool
    ) throws(RepositoryError) -> [TableHistory] {
        // If the transaction only inserted rows, each key occurs once, and there is nothing to merge.
        let doubtful = journal.doubtful
        if isPlain, doubtful.isEmpty, let first = journal.entries.first {
            var table = tables[first.table].empty
            table.inserted = journal.entries.map(key)
            return [table]
        }
        var nets = tables.map { NetRows($0.empty) }
        for entry in journal.entries {
            nets[entry.table].add(
                key(of: entry), isAfter: entry.operation != .delete, isBefore: entry.operation != .insert, entry.old)
        }
        for entry in doubtful {
            let key = key(of: entry)
            nets[entry.table].correct(key, exists: try exists(tables[entry.table].layout, key))
        }
        return nets.compactMap { $0.history(isUndoable ? olds : nil) }
    }

    /// Returns the net effect as a blob, or `nil` if no row changed.
    func bytes(
        _ exists: (TableLayout, [SQLValue]) throws(RepositoryError) -> Bool
    ) throws(RepositoryError) -> [UInt8]? {
        // Most transactions change a single row, which needs no merging.
        if journal.entries.count == 1, journal.doubtful.isEmpty {
            let entry = journal.entries[0]
            return HistoryBytes.bytes(
                of: entry.operation, key(of: entry), old: entry.old < 0 ? nil : olds[entry.old],
                tables[entry.table].head)
        }
        let tables = try net(exists)
        return tables.isEmpty ? nil : HistoryBytes.bytes(of: tables)
    }

    private func key(of entry: Entry) -> [SQLValue] {
        entry.hasKey ? keys[Int(entry.number)] : [.integer(entry.number)]
    }
}

/// The net effect of a transaction on the rows of one table.
private struct NetRows {
    private struct Row {
        let key: [SQLValue]
        let isBefore: Bool
        var isAfter: Bool
        /// The index of the row's values before the transaction, or -1 if they are not recorded.
        let old: Int
    }

    private let empty: TableHistory
    private var rows: [Row] = []
    private var indexes: [[SQLValue]: Int] = [:]

    init(_ empty: TableHistory) {
        self.empty = empty
    }

    mutating func add(_ key: [SQLValue], isAfter: Bool, isBefore: Bool, _ old: Int) {
        if let index = indexes[key] {
            rows[index].isAfter = isAfter
        } else {
            indexes[key] = rows.count
            rows.append(Row(key: key, isBefore: isBefore, isAfter: isAfter, old: old))
        }
    }

    mutating func correct(_ key: [SQLValue], exists: Bool) {
        if let index = indexes[key] { rows[index].isAfter = exists }
    }

    /// Returns the history of the table, or `nil` if no row changed.
    ///
    /// `olds` are the old values of the transaction's rows, or `nil` if the history does not record old values.
    func history(_ olds: [[SQLValue]]?) -> TableHistory? {
        guard !rows.isEmpty else { return nil }
        var table = empty
        var (updated, deleted): ([Int], [Int]) = ([], [])
        for row in rows {
            switch (row.isBefore, row.isAfter) {
            case (false, true): table.inserted.append(row.key)
            case (true, true):
                table.updated.append(row.key)
                updated.append(row.old)
            case (true, false):
                table.deleted.append(row.key)
                deleted.append(row.old)
            case (false, false): break
            }
        }
        guard !table.keys.isEmpty else { return nil }
        guard let olds, !(updated + deleted).contains(-1) else {
            table.columns = []
            return table
        }
        table.old = (updated + deleted).map { olds[$0] }
        return table
    }
}

extension TableLayout {
    fileprivate var historyKeyNames: [String] { key.isEmpty ? [HistoryTable.rowID] : key.map { columns[$0].name } }
}
