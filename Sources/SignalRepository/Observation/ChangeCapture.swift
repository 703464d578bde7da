import CSQLite

/// Hears of every row that a connection changes, and writes it down in a journal, until it is stopped.
///
/// SQLite calls back with a plain pointer to this object before it changes a row; that is safe because `stop()` takes
/// the hook away before the object or the connection goes. Inside the callback no SQL may run, so what it needs to know
/// of the tables is read at the beginning of each transaction.
final class ChangeCapture {
    /// What the present transaction has changed so far.
    var journal = ChangeJournal()
    private let session: Session
    private var layouts: [String: TableLayout] = [:]
    private var schemaVersion: Int64?
    /// What SQLite hands over for a column that a row is too old to have.
    private var absent: OpaquePointer?
    private var isTold: (String) -> Bool

    /// Begins to listen, between two transactions; `isTold` says which tables matter.
    ///
    /// Statements are prepared anew: a `DELETE` of all rows that was prepared while nobody listened would not tell of
    /// them.
    init(_ session: Session, isTold: @escaping (String) -> Bool) {
        self.session = session
        self.isTold = isTold
        session.connection.monitor.capture = self
        session.forgetAllStatements()
        sqlite3_preupdate_hook(
            session.connection.handle,
            { context, handle, operation, database, table, oldID, newID in
                guard let context, let handle, let database, let table else { return }
                let capture = Unmanaged<ChangeCapture>.fromOpaque(context).takeUnretainedValue()
                // Other databases are those of temporary tables, which nobody but this connection sees.
                guard sqlite3_stricmp(database, "main") == 0, sqlite3_strnicmp(table, "sqlite_", 7) != 0 else { return }
                capture.note(handle, operation, String(cString: table), (oldID, newID))
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Stops listening, between two transactions.
    func stop() {
        session.connection.monitor.capture = nil
        guard let handle = session.connection.handle else { return }
        sqlite3_preupdate_hook(handle, nil, nil)
        session.forgetAllStatements()
    }

    /// Whether this build of SQLite can tell of rows.
    static var isAvailable: Bool { csqlite_has_preupdate_hook() != 0 }

    static var unavailable: RepositoryError {
        .misuse(
            detail: "this build of SQLite (\(String(cString: sqlite3_libversion()))) cannot tell which rows change: it "
                + "lacks the preupdate hook")
    }

    /// Listens for other tables from now on.
    func tell(_ isTold: @escaping (String) -> Bool) {
        self.isTold = isTold
    }
}

extension ChangeCapture {
    /// Begins a transaction.
    func begin() {
        journal = ChangeJournal()
        do {
            let version = try session.connection.schemaVersion()
            guard version != schemaVersion else { return }
            layouts = try session.connection.tableLayouts()
            absent = try session.connection.absentValue()
            schemaVersion = version
        } catch {
            schemaVersion = nil
            journal.loseTrack()
        }
    }

    /// Makes the journal final, before the transaction is committed.
    ///
    /// A statement that failed half-way tells nothing of what SQLite then took back, so the rows that it touched are
    /// read.
    func settle() {
        do {
            guard try session.connection.schemaVersion() == schemaVersion else { return journal.loseTrack() }
            for (table, key) in journal.doubtful {
                journal.correct(table, key, now: try session.connection.row(of: table, key))
            }
        } catch {
            journal.loseTrack()
        }
    }

    private func note(
        _ handle: OpaquePointer, _ operation: Int32, _ table: String, _ rowIDs: (old: Int64, new: Int64)
    ) {
        guard isTold(table), journal.isComplete else { return }
        guard let layout = layouts[table], Int(sqlite3_preupdate_count(handle)) == layout.columns.count else {
            return journal.loseTrack()
        }
        var old: [SQLValue]?
        var new: [SQLValue]?
        if operation != SQLITE_INSERT { old = row(handle, layout, sqlite3_preupdate_old) }
        if operation != SQLITE_DELETE { new = row(handle, layout, sqlite3_preupdate_new) }
        guard old != nil || new != nil else { return journal.loseTrack() }
        let oldKey = old.map { layout.key(of: $0, rowID: rowIDs.old) }
        let newKey = new.map { layout.key(of: $0, rowID: rowIDs.new) }
        if let oldKey, oldKey != newKey { journal.append(layout, oldKey, old: old, new: nil) }
        if let newKey { journal.append(layout, newKey, old: oldKey == newKey ? old : nil, new: new) }
    }

    private func row(
        _ handle: OpaquePointer, _ layout: TableLayout,
        _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
    ) -> [SQLValue]? {
        var row: [SQLValue] = []
        row.reserveCapacity(layout.columns.count)
        for (place, column) in layout.columns.enumerated() {
            var value: OpaquePointer?
            guard read(handle, Int32(place), &value) == SQLITE_OK, let value else { return nil }
            row.append(value == absent ? column.absent : SQLValue(handedOver: value, isReal: column.isReal))
        }
        return row
    }
}

extension SQLValue {
    /// Copies a value that a hook hands over.
    ///
    /// A column of floating point hands over 7.0 as the integer 7 while it is inserted. Text that is not Unicode is
    /// kept as its bytes, and so fails as text when it is decoded.
    fileprivate init(handedOver value: OpaquePointer, isReal: Bool) {
        let cell = ColumnCell(value)
        do {
            let plain = try SQLValue(cell)
            if isReal, case .integer(let whole) = plain { self = .real(Double(whole)) } else { self = plain }
        } catch {
            let start = sqlite3_value_blob(value)
            self = .blob(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))))
        }
    }
}

extension Connection {
    /// What SQLite hands over for a value that a row does not have: one constant of the library.
    ///
    /// Before version 3.47, a row that is older than a column is handed over without the column's default; this is how
    /// such a value is told from a NULL that was stored.
    fileprivate func absentValue() throws(RepositoryError) -> OpaquePointer? {
        let statement = try prepare("SELECT 1")
        guard try statement.step() else { return nil }
        return sqlite3_column_value(statement.pointer, Int32(statement.columnCount))
    }

    /// Reads a row as it is now; nil when there is none.
    fileprivate func row(of table: TableLayout, _ key: RowKey) throws(RepositoryError) -> [SQLValue]? {
        let statement = try cached(table.selection(by: key))
        defer { statement.reset() }
        switch key {
        case .number(let number): try statement.bind(.integer(number), at: 1)
        case .value(let value): try statement.bind(value, at: 1)
        case .values(let values): try statement.bind(values)
        }
        guard try statement.step() else { return nil }
        let row = try statement.values()
        // A key that ignores case finds the row of another spelling, which is another row here.
        if case .number = key { return row }
        return table.key(of: row, rowID: 0) == key ? row : nil
    }
}
