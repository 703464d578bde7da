import Foundation

/// Writes a store's history, commit by commit, on the connection that writes.
///
/// Everything here runs on the writer's queue, with its connection held.
final class HistoryKeeper: KeptHistory {
    var journal: HistoryJournal
    var undoes: UndoneCommit?
    private let connection: Connection
    private let table: HistoryTable
    private let seconds: Double
    private let isUndoable: Bool
    private let now: @Sendable () -> Date
    private var insertion: Statement?
    /// The same for all commits of an opening: in a copy that goes on by itself it is another one.
    private let mark = Int64.random(in: 1 ... .max)
    /// The number and the time of the last entry; read from the table before the first is added.
    private var last: (number: Int64, time: Date)?
    private var nextPruning = Date.distantPast
    /// Whether others have written, who keep no history, and that is not in it yet.
    private(set) var hasGap = false
    /// Whether the current transaction has written that down.
    private var isGapWritten = false

    /// Keeps the history of a store; `nil` where it has none.
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

    /// Notes that others have written: only this connection keeps the history, so theirs is not in it.
    func noticeOthers() { hasGap = true }

    func net() throws(RepositoryError) -> [TableHistory] { try journal.net(connection.hasRow) }

    /// Writes down what the transaction has done, right before it is committed; false where that is nothing.
    func append(author: String?, isSchemaChanged: Bool) throws(RepositoryError) -> Bool {
        connection.confinement.assertHeld()
        let isUnclear = isSchemaChanged || !journal.isComplete
        guard let rows = isUnclear ? HistoryBytes.bytes(of: .tables) : try journal.bytes(connection.hasRow) else {
            return false
        }
        try appendGap()
        guard rows.count <= SQLText.mostBytes else {
            throw .tooBig(
                detail: "the history of a transaction takes \(rows.count) bytes, at most \(SQLText.mostBytes) can be "
                    + "kept: make it several")
        }
        let time = try append(rows, author: author, undoes: undoes)
        if time >= nextPruning {
            try table.prune(before: time.addingTimeInterval(-seconds))
            nextPruning = time.addingTimeInterval(min(seconds / 10, 3_600))
        }
        return true
    }

    /// Writes down, in the open transaction, that others have written.
    func appendGap() throws(RepositoryError) {
        guard hasGap else { return }
        isGapWritten = true
        try append(HistoryBytes.bytes(of: .otherConnection))
    }

    /// Commits an entry by which nothing is known that was there before.
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

    /// Adds an entry, and returns its time.
    ///
    /// The time is never before that of the entry before, so that the oldest entries are the first ones: a clock that
    /// was ahead stands still until it is right again.
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

    /// Notes that the transaction was undone.
    func discard() { (last, nextPruning) = (nil, .distantPast) }

    /// Releases its statement, before the connection is closed.
    func close() { insertion = nil }
}

extension Connection {
    /// Whether there is a row with a key as the history keeps it.
    fileprivate func hasRow(of table: TableLayout, with key: [SQLValue]) throws(RepositoryError) -> Bool {
        let row: RowKey = table.key.isEmpty ? .number(0) : key.count == 1 ? .value(key[0]) : .values(key)
        let statement = try cached(table.selection(by: row))
        try statement.bind(key)
        defer { statement.reset() }
        return try statement.step()
    }
}

// Beginning and ending a history, in the transaction that makes a store's tables.
extension HistoryTable {
    /// Whether the table is to be made, deleted or told of a change of the tables.
    func needsWork(for history: StoreHistory) throws(RepositoryError) -> Bool {
        switch (history.choice, try isThere) {
        case (.kept, let isThere): return !isThere
        case (.dropped, let isThere): return isThere
        case (.none, false): return false
        case (.none, true):
            throw .schemaMismatch(
                detail: "the store keeps a history, and this program does not say so: open it with "
                    + "history: .kept(for:), or with history: .dropped to delete what is kept")
        }
    }

    /// Makes or deletes the table; a history that goes on is told that the tables were changed.
    func settle(
        _ history: StoreHistory, isNew: Bool, isChanged: Bool, now: Date
    ) throws(RepositoryError) {
        switch (history.choice, try isThere) {
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
