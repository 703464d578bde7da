import Foundation

/// Records the rows that a connection changes, for the readers of the commit log; nothing while nobody asks.
///
/// Everything here runs on the writer's queue. No SQL may run inside the hook, so what it needs to know about the
/// tables is read at the beginning of each transaction.
final class ChangeCapture: ConnectionHooks {
    /// What the current transaction has changed so far.
    private(set) var journal = ChangeJournal()
    private let session: Session
    private let connection: Connection
    /// What is told of every row, whoever follows them.
    private let history: HistoryKeeper?
    private var interest = CaptureInterest.none
    /// The tables whose rows were reported since the tables or the interest have changed.
    private var notes: [TableNote] = []
    /// The one of the last row: most rows are of the same table as the one before.
    private var last = -1
    /// Whether the connection reports rows, and how many transactions have passed in which nobody asked for it.
    private var isInstalled = false
    private var idle = 0
    private var layouts: [String: TableLayout] = [:]
    private var schemaVersion: Int64?
    /// What asks for it in each transaction.
    private var versionStatement: Statement?
    private var absent: AbsentValue?

    init(_ session: Session, _ connection: Connection, history: HistoryKeeper? = nil) {
        self.session = session
        self.connection = connection
        self.history = history
        if history != nil { install(true) }
    }

    /// Whether rows are being captured.
    var isCapturing: Bool { !interest.isEmpty }

    /// Captures the rows of some tables from now on; between two transactions.
    ///
    /// The connection goes on reporting for a while when nobody asks any more: a change compiles every statement again.
    func capture(_ interest: CaptureInterest) {
        if interest != self.interest {
            self.interest = interest
            notes = []
        }
        idle = isCapturing ? 0 : idle + 1
        guard history == nil else { return }
        if isCapturing != isInstalled, isCapturing || idle > 64 { install(isCapturing) }
    }

    /// Stops for good, before the connection is closed.
    func stop() {
        interest = .none
        versionStatement = nil
        if isInstalled { install(false) }
    }

    private func install(_ isInstalled: Bool) {
        self.isInstalled = isInstalled
        connection.tell(isInstalled ? self : nil)
        session.forgetAllStatements()
    }
}

extension ChangeCapture {
    /// Begins a transaction.
    func begin() {
        journal = ChangeJournal()
        last = -1
        for index in notes.indices { notes[index].begin() }
        history?.begin()
        guard isCapturing || history != nil else { return }
        do {
            let version = try currentSchemaVersion()
            guard version != schemaVersion else { return }
            layouts = try connection.tableLayouts()
            notes = []
            history?.journal.forgetTables()
            absent = try AbsentValue(connection)
            schemaVersion = version
        } catch {
            schemaVersion = nil
            journal.loseTrack()
            history?.journal.loseTrack()
        }
    }

    /// Whether the present transaction has changed the tables.
    var isSchemaChanged: Bool { (try? currentSchemaVersion()) != schemaVersion }

    private func currentSchemaVersion() throws(RepositoryError) -> Int64 {
        let statement: Statement
        if let versionStatement {
            statement = versionStatement
        } else {
            statement = try Statement(Connection.schemaVersionSQL, on: connection, persistent: true)
            versionStatement = statement
        }
        return try connection.schemaVersion(statement)
    }

    /// Determines the net effect of the transaction, right before it is committed.
    ///
    /// A statement that failed halfway does not report what SQLite then undid, so the rows that it touched are read
    /// again.
    func settle() -> ChangedRows {
        guard isCapturing else { return .notCaptured }
        defer { journal = ChangeJournal() }
        do {
            guard try currentSchemaVersion() == schemaVersion else { return .unclear }
            for (table, key) in journal.doubtful {
                journal.correct(table, key, now: try connection.row(of: table, key))
            }
        } catch {
            return .unclear
        }
        return journal.isComplete ? .known(journal.net(), of: captured) : .unclear
    }

    /// Forgets the changes of a transaction that was rolled back.
    func discard() { journal = ChangeJournal() }

    func rowChanges(_ row: RowHook) {
        if last < 0 || !notes[last].table.isOf(row) { last = index(of: row) }
        if let history {
            switch notes[last].history {
            case .none: break
            case .unclear: history.journal.loseTrack()
            case .rows(let table): history.journal.note(row, table, absent: absent)
            }
        }
        guard notes[last].isCaptured, journal.isComplete else { return }
        if notes[last].weight >= notes[last].budget, !notes[last].isNeeded {
            notes[last].cut()
            return journal.drop(notes[last].table.name)
        }
        guard let layout = notes[last].layout, row.columnCount == layout.columns.count else {
            return journal.loseTrack()
        }
        let old = row.hasOld ? row.old(layout, absent: absent) : nil
        let new = row.hasNew ? row.new(layout, absent: absent) : nil
        guard old != nil || new != nil else { return journal.loseTrack() }
        let oldKey = old.map { layout.key(of: $0, rowID: row.ids.old) }
        let newKey = new.map { layout.key(of: $0, rowID: row.ids.new) }
        let ids = RowIDs(old: row.ids.old, new: row.ids.new)
        var weight = 0
        if let oldKey, oldKey != newKey { weight += journal.append(layout, oldKey, old: old, new: nil, ids) }
        if let newKey { weight += journal.append(layout, newKey, old: oldKey == newKey ? old : nil, new: new, ids) }
        notes[last].weight += weight
    }

    func statementEnded(isFailed: Bool) {
        journal.endStatement(isFailed: isFailed)
        history?.journal.endStatement(isFailed: isFailed)
    }

    func savepoint(_ step: SavepointStep) {
        history?.journal.savepoint(step)
        switch step {
        case .begin: journal.beginSavepoint()
        case .release: journal.releaseSavepoint()
        case .rollback: journal.rollbackSavepoint()
        }
    }

    /// The index of the note of a row's table, which is made where there is none.
    private func index(of row: RowHook) -> Int {
        if let known = notes.firstIndex(where: { $0.table.isOf(row) }) { return known }
        let name = String(cString: row.table)
        let layout = layouts[name]
        notes.append(
            TableNote(
                table: TableName(name), layout: layout, isNeeded: interest.needed.contains(name),
                isUseful: interest.useful[name] != nil, history: historyNote(of: name, layout),
                most: interest.useful[name] ?? 0))
        return notes.count - 1
    }

    private func historyNote(of name: String, _ layout: TableLayout?) -> TableNote.History {
        guard let history, !OwnTables.contains(name) else { return .none }
        return layout.map { .rows(history.journal.index(of: $0)) } ?? .unclear
    }

    /// The tables of which every change is in the journal.
    private var captured: DirtyTables {
        var captured = interest.needed
        captured.formUnion(.some(Set(interest.useful.keys).subtracting(notes.lazy.filter(\.isCut).map(\.table.name))))
        return captured
    }
}

/// What is to be done with the rows of a table.
private struct TableNote {
    /// What the store's history notes of its rows.
    enum History {
        /// Nothing, or that it is not known; or the rows, by the table's index.
        case none, unclear, rows(Int)
    }

    let table: TableName
    let layout: TableLayout?
    let isNeeded: Bool
    let history: History
    private let isUseful: Bool
    private(set) var isCaptured: Bool
    /// Whether the present transaction changes it so much that it is of no use to say how.
    private(set) var isCut = false
    /// What its changes in the present transaction weigh, those that were taken back included.
    var weight = 0
    /// What they may weigh, where they are only of use.
    ///
    /// What was captured in vain is paid for twice: who has changed too much will do it again, and is given less until
    /// a transaction keeps to it.
    private(set) var budget: Int
    private let most: Int

    init(table: TableName, layout: TableLayout?, isNeeded: Bool, isUseful: Bool, history: History, most: Int) {
        (self.table, self.layout, self.history, self.most, budget) = (table, layout, history, most, most)
        (self.isNeeded, self.isUseful, isCaptured) = (isNeeded, isUseful, isNeeded || isUseful)
    }

    mutating func begin() {
        if weight > 0, !isCut { budget = min(most, 4 * budget) }
        (isCaptured, isCut, weight) = (isNeeded || isUseful, false, 0)
    }

    mutating func cut() { (isCaptured, isCut, budget) = (false, true, max(most / 16, 1)) }
}

/// The name of a table, as it is compared with that of a row.
private final class TableName {
    let name: String
    private let bytes: ContiguousArray<CChar>

    init(_ name: String) {
        self.name = name
        bytes = name.utf8CString
    }

    /// Whether a row is of the table.
    func isOf(_ row: RowHook) -> Bool {
        // Safe because both pointers are to texts that end with NUL, and live as long as the call.
        bytes.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { strcmp($0, row.table) == 0 } ?? false }
    }
}

extension Connection {
    /// Reads the current state of a row; nil when there is none.
    fileprivate func row(
        of table: TableLayout, _ key: RowKey
    ) throws(RepositoryError) -> (values: [SQLValue], rowID: Int64)? {
        let statement = try cached(table.selection(by: key))
        switch key {
        case .number(let number): try statement.bind(.integer(number), at: 1)
        case .value(let value): try statement.bind(value, at: 1)
        case .values(let values): try statement.bind(values)
        }
        guard var row = try statement.first({ row throws(RepositoryError) in try row.values() }) else { return nil }
        var rowID: Int64 = 0
        if table.hasRowID, case .integer(let number)? = row.popLast() { rowID = number }
        // A key that ignores case finds a row with another spelling, which is a different row here.
        if case .number = key { return (row, rowID) }
        return table.key(of: row, rowID: 0) == key ? (row, rowID) : nil
    }
}
