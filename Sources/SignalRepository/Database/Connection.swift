import CSQLite

/// One connection to a database, with its prepared statements.
///
/// A connection is used by one thread at a time: it belongs to the queue of its owner, and is not `Sendable`.
final class Connection {
    /// The path or `:memory:`.
    let path: String
    let options: ConnectionOptions
    private(set) var handle: OpaquePointer?
    let monitor: ConnectionMonitor
    /// Whether the connection was accepted as the one that moves the log into the file.
    var isWriter = false
    /// The right to write, which the writer holds until it is closed.
    var ownership: FileOwnership?
    private var cache: StatementCache
    /// The names of the tables as they are declared, by their names in small letters.
    private var declaredNames: [String: String] = [:]

    /// Opens `path`, which must have been checked by `DatabasePath`, and hardens the connection.
    init(path: String, options: ConnectionOptions) throws(RepositoryError) {
        self.path = path
        self.options = options
        monitor = ConnectionMonitor(options)
        cache = StatementCache(capacity: options.statementCapacity)
        handle = try Self.open(path, options)
        monitor.install(on: handle)
        do {
            try harden()
        } catch {
            close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Finalizes every statement and closes.
    ///
    /// The writer first moves the log into the file. Idempotent.
    func close() {
        guard let handle else { return }
        if isInTransaction { try? rollback() }
        cache.removeAll()
        monitor.remove(from: handle)
        if isWriter { sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) }
        self.handle = nil
        sqlite3_close_v2(handle)
        ownership?.release()
        ownership = nil
    }

    private static func open(
        _ path: String, _ options: ConnectionOptions
    ) throws(RepositoryError) -> OpaquePointer {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        switch (path, options.role) {
        case (":memory:", _): flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY
        case (_, .writer): flags |= SQLITE_OPEN_READWRITE
        case (_, .reader), (_, .inspector): flags |= SQLITE_OPEN_READONLY
        }
        var path = path
        if options.role == .inspector(isUnused: true) {
            flags |= SQLITE_OPEN_URI
            path = "file:\(Self.escaped(path))?immutable=1"
        }
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "no memory"
            sqlite3_close_v2(handle)
            throw .failure(SQLiteDiagnosis(code: ResultCode(rawValue: code), message: message), path: path)
        }
        return handle
    }
}

extension Connection {
    /// The path as a part of an address: every byte but letters, digits and a few signs as a number.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let sign = Character(Unicode.Scalar(byte))
            if byte < 128, sign.isLetter || sign.isNumber || "/._-".contains(sign) { return String(sign) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }.joined()
    }

    /// Prepares a statement that is used once.
    func prepare(_ sql: String) throws(RepositoryError) -> Statement {
        try Statement(sql, on: self, persistent: false)
    }

    /// Returns the prepared statement for `sql`, reset and ready; it stays in the cache.
    ///
    /// The same text must not be asked for again while its statement is being stepped.
    func cached(_ sql: String) throws(RepositoryError) -> Statement {
        if let statement = cache[sql] {
            statement.reset()
            return statement
        }
        let statement = try Statement(sql, on: self, persistent: true)
        cache[sql] = statement
        return statement
    }

    /// Forgets every prepared statement, because the tables changed.
    func forgetStatements() {
        cache.removeAll()
        declaredNames = [:]
    }

    /// Gives tables the names that they are declared with.
    ///
    /// For a table of which no column is read, SQLite hands over the name as the statement spells it, and for a common
    /// table expression its own name, which is none of a table.
    func declared(_ access: TableAccess) -> TableAccess {
        var access = access
        guard !access.read.isSubset(of: declaredNames.values) else { return access }
        // Straight through SQLite's interface: a `Statement` would come back here.
        var names: OpaquePointer?
        sqlite3_prepare_v2(handle, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", -1, &names, nil)
        while sqlite3_step(names) == SQLITE_ROW {
            guard let text = sqlite3_column_text(names, 0) else { continue }
            let name = String(cString: text)
            declaredNames[name.lowercased()] = name
        }
        sqlite3_finalize(names)
        access.read = Set(access.read.compactMap { declaredNames[$0.lowercased()] })
        return access
    }

    /// Runs one statement to its end; rows are ignored.
    func execute(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) {
        let statement = try prepare(sql)
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Returns every row of a statement, as plain values.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) -> [[SQLValue]] {
        let statement = try prepare(sql)
        try statement.bind(values)
        var rows: [[SQLValue]] = []
        while try statement.step() { rows.append(try statement.values()) }
        return rows
    }

    /// Returns the first value of the first row as an integer; 0 when there is none.
    func integer(_ sql: String) throws(RepositoryError) -> Int64 {
        guard case .integer(let value)? = try rows(sql).first?.first else { return 0 }
        return value
    }

    /// The number of rows that the last statement changed, without those of triggers and cascades.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The number of rows changed since opening, those of triggers and cascades included.
    var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

    /// The row number of the last insertion.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The greatest number of parameters in one statement.
    var parameterLimit: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) }

    /// Does work that `flag` can stop: SQLite looks at it about every thousand steps, and then fails with `.cancelled`.
    func withCancellation<Result>(
        _ flag: CancellationFlag?, _ body: () throws(RepositoryError) -> Result
    ) throws(RepositoryError) -> Result {
        let outer = monitor.flag
        monitor.flag = flag
        defer { monitor.flag = outer }
        return try body()
    }

    /// The error for a result code of this connection.
    func failure(_ code: Int32, sql: String?) -> RepositoryError {
        let message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""
        return .failure(SQLiteDiagnosis(code: ResultCode(rawValue: code), message: message, sql: sql), path: path)
    }
}
