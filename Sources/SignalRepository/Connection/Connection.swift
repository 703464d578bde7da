import CSQLite
import Signals

/// One connection to a database, with its prepared statements.
///
/// A connection belongs to its owner's queue, and is not `Sendable`. It asserts that only one thread uses it at a time.
final class Connection: StoreConnection {
    /// The path of the file, or `:memory:`.
    let path: String
    let options: ConnectionOptions
    /// The check that one thread at a time uses the connection.
    let confinement = Confinement()
    /// The dialect, which knows the tables.
    ///
    /// It is set once, before the first session.
    var sqliteDialect = SQLiteDialect()
    var dialect: any Dialect { sqliteDialect }
    private(set) var handle: OpaquePointer?
    let monitor: ConnectionMonitor
    /// Whether this is the connection that writes and checkpoints; see `becomeWriter()`.
    var isWriter = false
    /// The right to write to the file, which the writer holds until it is closed.
    var ownership: FileOwnership?
    /// The recorder of the store's history; `nil` without a history, and on connections that do not write.
    weak var history: (any UndoableHistory)?
    /// The identity of the files when they were opened; the writer checks it before it writes.
    var identity: FileIdentity?
    /// Whether VACUUM has run on this connection, and so may have changed rowids, since the last `takeRewriting()`.
    private var isRewritten = false
    /// Whether closing has emptied the write-ahead log.
    private var isLogEmpty = false
    private var cache: StatementCache
    private var declaredNames = DeclaredNames()
    /// The layouts that `foreignLayouts(of:)` has read, and their schema version.
    var knownLayouts: (version: Int64, layouts: [String: TableLayout])?
    /// The values of column defaults, by their declarations.
    var defaultValues: [String: SQLValue] = [:]
    var attachments: [Attachment] = []
    var schemaWatch = SchemaWatch()
    /// Whether double quotes may delimit a string literal, as in the triggers and views of a file made by other
    /// software.
    var allowsQuotedTexts = false
    /// A function that throws if the schema prevents writes to an entity.
    ///
    /// It is set on a connection that writes.
    var checkWriting: (() throws(RepositoryError) -> Void)?
    var failureNames = FailureNames()

    /// Opens `path`, which must have been checked by `DatabasePath`, and hardens the connection.
    init(path: String, options: ConnectionOptions) throws(RepositoryError) {
        self.path = path
        self.options = options
        monitor = ConnectionMonitor(options)
        cache = StatementCache(capacity: 128)
        handle = try Self.open(path, options)
        monitor.install(on: handle)
        do {
            try unlock()
            try harden()
            try checkKey()
            try installTextSearch()
            try installFunctions()
            try installIntegerChecks()
            try installValueChecks()
            try installSums()
            try installLocalizedOrders()
            try installCustomFunctions()
        } catch {
            close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Finalizes every statement, checkpoints if this is the writer, and closes the connection.
    func close() { confinement.during { closeHandle() } }

    private func closeHandle() {
        guard let handle else { return }
        // This does not use a `Statement`, which cannot be created while its connection is being deinitialized.
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
        cache.removeAll()
        monitor.remove(from: handle)
        moveLog(handle)
        self.handle = nil
        sqlite3_close_v2(handle)
        if isLogEmpty { ownership?.record(nil) }
        ownership?.release()
        ownership = nil
    }

    /// Checkpoints and empties the write-ahead log, even if the file or its log was moved or deleted.
    ///
    /// Commits that remained in a moved log would be lost, or SQLite would merge them into a new file at the path.
    private func moveLog(_ handle: OpaquePointer) {
        guard isWriter else { return }
        let isUnmoved = (try? checkFiles()) != nil
        if isUnmoved || identity?.isLogLost == true {
            let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
            isLogEmpty = code == SQLITE_OK
        }
        guard !isUnmoved else { return }
        // On closing, SQLite would remove the files now at the paths of the log, which may belong to another database.
        var now: Int32 = 0
        _ = csqlite_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &now)
    }

    /// Checkpoints, as far as readers allow, if the file or its log was moved or deleted.
    ///
    /// If the program is killed later, the checkpointed commits are not lost with the log.
    func saveLog() {
        guard isWriter, identity?.isLogLost == true else { return }
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    func checkFiles() throws(RepositoryError) {
        try identity?.check()
    }

    private static func open(
        _ path: String, _ options: ConnectionOptions
    ) throws(RepositoryError) -> OpaquePointer {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        switch (path, options.role) {
        case (":memory:", _): flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY
        case (_, .writer): flags |= SQLITE_OPEN_READWRITE
        case (_, .reader), (_, .immutable), (_, .inspector): flags |= SQLITE_OPEN_READONLY
        }
        var path = path
        if [.inspector(isUnused: true), .immutable].contains(options.role) {
            flags |= SQLITE_OPEN_URI
            path = immutable(path)
        }
        // An immutable file is attached by a URI.
        if !options.attached.isEmpty { flags |= SQLITE_OPEN_URI }
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "no memory"
            sqlite3_close_v2(handle)
            throw .failure(ResultCode(rawValue: code), message, path: path)
        }
        return handle
    }
}

extension Connection {
    /// Returns the URI that opens a file as immutable.
    static func immutable(_ path: String) -> String { "file:\(escaped(path))?immutable=1" }

    /// Returns the path as part of a URI: every byte except letters, digits and a few signs is percent-encoded.
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

    /// Returns the prepared statement for `sql`, reset and ready.
    ///
    /// The statement stays in the cache.
    ///
    /// The same text must not be requested again while its statement is being stepped.
    func cached(_ sql: String) throws(RepositoryError) -> Statement {
        if let statement = cache[sql] {
            statement.reset()
            return statement
        }
        let statement = try Statement(sql, on: self, persistent: true)
        cache[sql] = statement
        return statement
    }

    /// Returns the prepared statement for raw SQL, or throws if the program must not execute it.
    ///
    /// Every SQL text that is not entirely written by the library passes through this method.
    func guarded(_ sql: String) throws(RepositoryError) -> Statement {
        monitor.isGuarding = true
        defer { monitor.isGuarding = false }
        if allowsQuotedTexts, cache[sql] == nil { try checkQuotedNames(of: sql) }
        let statement = try cached(sql)
        // The cache may hold a statement with the same text that the library prepared for itself, without the check.
        if let refusal = statement.access.refusal { throw .misuse(detail: "\(refusal): \(sql.excerpt)") }
        return statement
    }

    func statement(_ sql: SQLText) throws(RepositoryError) -> Statement {
        try checkSize(sql)
        let statement = try guarded(sql.text)
        guard statement.parameterCount == sql.bindings.count else {
            throw .misuse(
                detail:
                    "\(sql.bindings.count.counted("value")) for "
                    + "\(statement.parameterCount.counted("parameter")) in: \(sql.text.excerpt)")
        }
        try statement.bind(sql.bindings)
        return statement
    }

    func prepared(_ sql: SQLText) throws(RepositoryError) -> Statement { try cached(sql.text) }

    func noteRewriting() { isRewritten = true }

    /// Returns whether the store was rewritten since the last call.
    func takeRewriting() -> Bool {
        defer { isRewritten = false }
        return isRewritten
    }

    func takeRecompilation() -> Bool {
        guard monitor.hasRecompiled else { return false }
        monitor.hasRecompiled = false
        return schemaWatch.hasChanged(on: self)
    }

    func forgetStatements() {
        schemaWatch.begin(on: self)
        cache.removeAll()
        declaredNames = DeclaredNames()
    }

    /// Replaces the names of tables with their declared spelling, and drops the names of common table expressions.
    ///
    /// If a statement reads no column of a table, SQLite reports the name as the statement spells it. It also reports
    /// the name of a common table expression.
    func declared(_ access: TableAccess) -> TableAccess {
        var access = access
        if declaredNames.lacks(access.read) {
            // Without this, the statement that `DeclaredNames` prepares would be mistaken for a recompiled one.
            monitor.access = TableAccess()
            defer { monitor.access = nil }
            declaredNames = DeclaredNames(handle)
        }
        access.read = declaredNames.declared(access.read).union(access.attached)
        return access
    }

    /// Runs one statement to its end, and ignores its rows.
    func execute(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) {
        let statement = try prepare(sql)
        try statement.bind(values)
        while try statement.step() {}
    }

    func rows(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) -> [[SQLValue]] {
        let statement = try prepare(sql)
        try statement.bind(values)
        var rows: [[SQLValue]] = []
        while try statement.step() { rows.append(try statement.values()) }
        return rows
    }

    /// Returns the first value of each row, except values that are not text.
    func texts(_ sql: String, _ values: [SQLValue] = []) throws(RepositoryError) -> [String] {
        try rows(sql, values).compactMap { row in if case .text(let text)? = row.first { text } else { nil } }
    }

    /// Returns the first value of the first row if it is an integer, or 0.
    func integer(_ sql: String) throws(RepositoryError) -> Int64 {
        guard case .integer(let value)? = try rows(sql).first?.first else { return 0 }
        return value
    }

    var changes: Int { Int(sqlite3_changes64(handle)) }

    var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

    /// The rowid of the row that was inserted last; a generated key is a rowid.
    var lastKey: Int64 { sqlite3_last_insert_rowid(handle) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    var isInWriteTransaction: Bool { sqlite3_txn_state(handle, nil) == SQLITE_TXN_WRITE }

    private func checkSize(_ sql: SQLText) throws(RepositoryError) {
        let mostValues = Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
        guard sql.bindings.count <= mostValues else {
            throw .tooBig(detail: "a statement with \(sql.bindings.count) values, at most \(mostValues) can be bound")
        }
        let maxBytes = Int(sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, -1))
        guard sql.text.utf8.count <= maxBytes else {
            throw .tooBig(detail: "a statement of \(sql.text.utf8.count) bytes, at most \(maxBytes) are allowed")
        }
    }

    /// Runs `body` with a cancellation flag, which SQLite checks about every thousand steps.
    func withCancellation<Result, Failure: Error>(
        _ flag: CancellationFlag?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = monitor.flag
        monitor.flag = flag
        defer { monitor.flag = outer }
        return try confinement.during(body)
    }
}

/// The operations on a store's history that VACUUM needs, and that are needed to undo a commit.
protocol UndoableHistory: AnyObject {
    /// The commit that the current transaction undoes.
    var undoes: UndoneCommit? { get set }
    /// Returns the rows that the current transaction has changed so far.
    func net() throws(RepositoryError) -> [TableHistory]
    /// Commits an entry which records that unknown rows changed. Must be called between two transactions.
    func appendUnknownRows() throws(RepositoryError)
}

/// A commit to undo, and its depth.
///
/// An original change has the depth 0, its undo has the depth 1, and the redo has the depth 2.
struct UndoneCommit: Sendable {
    let number: Int
    let depth: Int
}
