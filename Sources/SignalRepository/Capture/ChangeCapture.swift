import Foundation

/// The hooks that record the rows that the writer changes, for live queries, `changes` signals and the history.
///
/// Without a history, the hooks record rows only while a live query or a signal needs them. Everything runs on the
/// writer's queue. A hook needs the layout of a row's table, but must not run SQL. So after a schema change, the next
/// transaction first reads all layouts.
final class ChangeCapture: ConnectionHooks {
    private let session: Session
    private let connection: Connection
    /// The history's recorder, which receives every changed row, even if no live query or signal needs it.
    private let history: HistoryRecorder?
    private(set) var rows = RowCapture()
    private var isInstalled = false
    /// The number of transactions since rows were last captured.
    private var idle = 0
    private var schemaVersion: Int64?
    private var versionStatement: Statement?

    init(_ session: Session, _ connection: Connection, history: HistoryRecorder? = nil) {
        self.session = session
        self.connection = connection
        self.history = history
        if history != nil { install(true) }
    }

    var isCapturing: Bool { !rows.interest.isEmpty }

    /// Sets the tables whose rows are captured; must be called between two transactions.
    ///
    /// The hooks stay for 64 transactions after rows were last captured, because every statement must be prepared again
    /// after their removal.
    func capture(_ interest: CaptureInterest) {
        rows.capture(interest)
        idle = isCapturing ? 0 : idle + 1
        guard history == nil else { return }
        if isCapturing != isInstalled, isCapturing || idle > 64 { install(isCapturing) }
    }

    /// Stops capturing permanently; must be called before the connection is closed.
    func stop() {
        rows.capture(.none)
        versionStatement = nil
        if isInstalled { install(false) }
    }

    private func install(_ isInstalled: Bool) {
        self.isInstalled = isInstalled
        connection.setHooks(isInstalled ? self : nil)
        session.forgetAllStatements()
    }
}

extension ChangeCapture {
    func begin() {
        rows.begin()
        history?.begin()
        guard isCapturing || history != nil else { return }
        do {
            let version = try currentSchemaVersion()
            guard version != schemaVersion else { return }
            rows.layOut(try connection.tableLayouts(), try HookEncoding(connection))
            history?.journal.forgetTables()
            schemaVersion = version
        } catch {
            schemaVersion = nil
            rows.journal.markIncomplete()
            history?.journal.markIncomplete()
        }
    }

    /// Whether the current transaction has changed the schema.
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
    /// When a statement fails halfway, SQLite undoes its changes without reporting that, so the affected rows are
    /// re-read.
    func settle() -> ChangedRows {
        guard isCapturing else { return .notCaptured }
        defer { rows.journal = ChangeJournal() }
        do {
            guard try currentSchemaVersion() == schemaVersion else { return .unknown }
            for (table, key) in rows.journal.doubtful {
                rows.journal.correct(table, key, now: try connection.row(of: table, key))
            }
        } catch {
            return .unknown
        }
        return rows.journal.isComplete ? .known(rows.journal.net(), of: rows.captured) : .unknown
    }

    /// Forgets the changes of a transaction that was rolled back.
    func discard() { rows.journal = ChangeJournal() }

    func rowChanges(_ row: HookedRow) { rows.take(row, history) }

    func statementEnded(isFailed: Bool) {
        rows.journal.endStatement(isFailed: isFailed)
        history?.journal.endStatement(isFailed: isFailed)
    }

    func savepoint(_ step: SavepointStep) {
        history?.journal.savepoint(step)
        rows.journal.savepoint(step)
    }
}

extension Connection {
    /// Returns the current values of a row, or `nil` if the row does not exist.
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
        // If the key's collation ignores case, the statement may find another row, whose key is spelled differently.
        if case .number = key { return (row, rowID) }
        return table.key(of: row, rowID: 0) == key ? (row, rowID) : nil
    }
}
