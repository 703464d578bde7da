import Foundation

/// The recorder of a store's history, which adds an entry to each transaction that changes the store.
///
/// Its methods run on the writer's queue, with exclusive use of the connection.
final class HistoryRecorder: UndoableHistory {
    var journal: HistoryJournal
    var undoes: UndoneCommit?
    private let connection: Connection
    private let table: HistoryTable
    private let seconds: Double
    private let isUndoable: Bool
    private let now: @Sendable () -> Date
    private var insertion: Statement?
    /// A random number in every entry of this recorder.
    ///
    /// It distinguishes the histories of copies that diverged.
    private let mark = Int64.random(in: 1 ... .max)
    /// The number and time of the last entry; `nil` until they are read from the table.
    private var last: (number: Int64, time: Date)?
    private var nextPruning = Date.distantPast
    /// Whether other connections, which record no history, have committed, and no entry says so yet.
    private(set) var hasGap = false
    /// Whether the current transaction has added the entry about commits of other connections.
    private var isGapWritten = false

    /// Creates the recorder of a store's history; `nil` if the store keeps none.
    init?(_ history: StoreHistory, _ connection: Connection, now: @escaping @Sendable () -> Date) {
        guard case .kept(let seconds, let isUndoable) = history.choice else { return nil }
        self.connection = connection
        self.now = now
        (self.seconds, self.isUndoable) = (seconds, isUndoable)
        table = HistoryTable(connection)
        journal = HistoryJournal(isUndoable: isUndoable)
    }

    func begin() {
        connection.confinement.assertHeld()
        journal.removeAll()
        (undoes, isGapWritten) = (nil, false)
    }

    /// Notes that other connections have committed changes that are not in the history.
    func noteExternalCommits() { hasGap = true }

    func net() throws(RepositoryError) -> [TableHistory] { try journal.net(connection.hasRow) }

    /// Adds an entry with the transaction's changes, right before the commit; returns false if nothing changed.
    func append(author: String?, isSchemaChanged: Bool) throws(RepositoryError) -> Bool {
        connection.confinement.assertHeld()
        let isUnclear = isSchemaChanged || !journal.isComplete
        guard let rows = isUnclear ? HistoryBytes.bytes(of: .tables) : try journal.bytes(connection.hasRow) else {
            return false
        }
        try appendGap()
        guard rows.count <= SQLText.maxBytes else {
            throw .tooBig(
                detail: "the history of a transaction takes \(rows.count) bytes, and at most \(SQLText.maxBytes) can "
                    + "be stored: split the transaction")
        }
        let time = try append(rows, author: author, undoes: undoes)
        if time >= nextPruning {
            try table.prune(before: time.addingTimeInterval(-seconds))
            nextPruning = time.addingTimeInterval(min(seconds / 10, 3_600))
        }
        return true
    }

    /// If other connections have written, adds to the open transaction an entry that says so.
    func appendGap() throws(RepositoryError) {
        guard hasGap else { return }
        isGapWritten = true
        try append(HistoryBytes.bytes(of: .otherConnection))
    }

    /// Commits a new transaction with an entry that says that any row may have changed.
    func appendUnknownRows() throws(RepositoryError) {
        do {
            try connection.begin(.write)
            try append(HistoryBytes.bytes(of: .tables))
            try connection.commit()
        } catch {
            try? connection.rollback()
            throw error
        }
    }

    /// Adds an entry and returns its time.
    ///
    /// Times never decrease, so entries are in the order of their times. If the clock is set back, entries repeat the
    /// last time until the clock has caught up.
    @discardableResult
    private func append(
        _ rows: [UInt8], author: String? = nil, undoes: UndoneCommit? = nil
    ) throws(RepositoryError) -> Date {
        let last: (number: Int64, time: Date)
        if let known = self.last { last = known } else { last = try table.last() }
        let time = max(now(), last.time)
        try append(HistoryTable.NewRow(mark: mark, author: author, time: time, rows: rows, undoes: undoes))
        guard connection.lastKey > last.number else { throw HistoryTable.damage("its numbers are used up") }
        self.last = (connection.lastKey, time)
        return time
    }

    private func append(_ row: HistoryTable.NewRow) throws(RepositoryError) {
        if let insertion { return try table.append(row, with: insertion) }
        let insertion = try table.insertion()
        self.insertion = insertion
        try table.append(row, with: insertion)
    }

    func committed() { if isGapWritten { hasGap = false } }

    /// Forgets the last entry and the time of the next pruning, because a rollback may have undone the entry and the
    /// pruning.
    func discard() { (last, nextPruning) = (nil, .distantPast) }

    /// Releases the prepared statement before the connection closes.
    func close() { insertion = nil }
}

extension Connection {
    /// Returns whether a table has a row with a key; the key is in the encoding of the history.
    fileprivate func hasRow(of table: TableLayout, with key: [SQLValue]) throws(RepositoryError) -> Bool {
        let row: RowKey = table.key.isEmpty ? .number(0) : key.count == 1 ? .value(key[0]) : .values(key)
        let statement = try cached(table.selection(by: row))
        try statement.bind(key)
        defer { statement.reset() }
        return try statement.step()
    }
}

// The beginning and the end of a history, in the transaction that makes the store's tables match the entities.
extension HistoryTable {
    /// Whether the history's table must be created or deleted.
    func needsWork(for history: StoreHistory) throws(RepositoryError) -> Bool {
        switch (history.choice, try exists) {
        case (.kept, let exists): return !exists
        case (.dropped, let exists): return exists
        case (.none, false): return false
        case (.none, true):
            throw .schemaMismatch(
                detail: "the store keeps a history, but was opened without one: use history: .kept(for:) to continue "
                    + "it, or history: .dropped to delete it")
        }
    }

    /// Creates or deletes the history's table, or adds an entry that says that the schema changed.
    func settle(
        _ history: StoreHistory, isNew: Bool, isChanged: Bool, now: Date
    ) throws(RepositoryError) {
        switch (history.choice, try exists) {
        case (.kept, false):
            try create()
            if !isNew { try appendUnknown(.beginning, now) }
        case (.kept, true): if isChanged { try appendUnknown(.tables, now) }
        case (.dropped, true): try drop()
        case (.dropped, false), (.none, _): break
        }
    }

    private func appendUnknown(_ reason: HistoryEntry.Reason, _ time: Date) throws(RepositoryError) {
        let (mark, time) = (Int64.random(in: 1 ... .max), max(time, try last().time))
        try append(NewRow(mark: mark, time: time, rows: HistoryBytes.bytes(of: reason)), with: insertion())
    }
}
