import CSQLite

extension Connection {
    /// Applies the settings that protect against a file of unknown origin, and reads each setting back.
    ///
    /// The settings are read back because SQLite silently ignores an unknown setting. The schema is trusted with
    /// SQLite's built-in functions and tables, because some versions otherwise refuse JSON functions, FTS and R-trees
    /// in triggers, views and computed columns. A hostile schema gains nothing from this trust: extensions cannot be
    /// loaded, and even a trusted schema cannot call the functions of the library and of the program, because they are
    /// DIRECTONLY.
    func harden() throws(RepositoryError) {
        sqlite3_extended_result_codes(handle, 1)
        try require(SQLITE_DBCONFIG_DEFENSIVE, 1, "defensive")
        try require(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, "trusted_schema")
        try require(SQLITE_DBCONFIG_DQS_DML, 0, "dqs_dml")
        try require(SQLITE_DBCONFIG_DQS_DDL, 0, "dqs_ddl")
        try require(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, "load_extension", mayBeAbsent: true)
        try require(SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, "fts3_tokenizer", mayBeAbsent: true)
        try require(SQLITE_DBCONFIG_ENABLE_FKEY, 1, "foreign_keys")
        // A writer turns this setting off once it has accepted the file.
        try require(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, "no_ckpt_on_close")
        for (limit, value) in Self.limits {
            sqlite3_limit(handle, limit, value)
            guard sqlite3_limit(handle, limit, -1) <= value else { throw notAccepted("limit \(limit)") }
        }
        try require(pragma: "cell_size_check", 1)
        if path != ":memory:" { try require(pragma: "mmap_size", 0) }
        try require(pragma: "wal_autocheckpoint", 0)
        if options.role != .writer { try require(pragma: "query_only", 1) }
    }

    /// Makes this the connection that writes and checkpoints the file.
    ///
    /// `synchronous` is EXTRA while the connection switches to WAL mode. With a lower value, a power cut can bring back
    /// the journal of the file's creation, which then empties the file.
    func becomeWriter() throws(RepositoryError) {
        try require(pragma: "synchronous", 3)
        guard try switchToLog() == .text("wal") else { throw notAccepted("journal_mode = WAL") }
        try require(pragma: "synchronous", options.durability.synchronous)
        try require(pragma: "wal_autocheckpoint", 1000)
        try require(pragma: "journal_size_limit", 64 << 20)
        try require(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, "no_ckpt_on_close")
        isWriter = true
    }

    /// Makes this a connection that writes to a file made by other software.
    ///
    /// The journal mode of the file stays as it is.
    func becomeAdoptedWriter() throws(RepositoryError) {
        try require(pragma: "synchronous", options.durability.synchronous)
        try require(pragma: "wal_autocheckpoint", 1000)
        try require(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, "no_ckpt_on_close")
    }

    /// Allows string literals in double quotes in the triggers and views of a file made by other software, as SQLite
    /// does by default.
    ///
    /// In raw SQL, `checkQuotedNames(of:)` still rejects them.
    func allowDoubleQuotedStrings() throws(RepositoryError) {
        try require(SQLITE_DBCONFIG_DQS_DML, 1, "dqs_dml")
        allowsQuotedTexts = true
    }

    /// Throws if a name in double quotes is not a column, because SQLite would read it as a string literal.
    ///
    /// This method prepares the statement with backticks instead, because backticks never delimit a string literal.
    /// Other errors are ignored: they recur when the original statement is prepared, or come from a trigger or view
    /// with such a literal.
    func checkQuotedNames(of sql: String) throws(RepositoryError) {
        let words = DeclarationWord.words(of: Array(sql.utf8)).filter { $0.text.first == UInt8(ascii: "\"") }
        guard !words.isEmpty else { return }
        var text = Array(sql.utf8)
        for word in words.reversed() where !word.text.contains(UInt8(ascii: "`")) {
            let name = word.bareName.utf8
            text.replaceSubrange(word.range, with: [UInt8(ascii: "`")] + name + [UInt8(ascii: "`")])
        }
        do {
            _ = try prepare(String(decoding: text, as: UTF8.self))
        } catch .misuse(let detail) {
            let isOfSQL = words.contains { detail.contains("no such column: \($0.bareName)") }
            if isOfSQL { throw .misuse(detail: detail) }
        } catch {}
    }

    /// Switches to WAL mode, and waits while other connections use the file, because SQLite itself does not wait here.
    private func switchToLog() throws(RepositoryError) -> SQLValue? {
        var attempt: Int32 = 0
        while true {
            do {
                return try rows("PRAGMA journal_mode = WAL").first?.first
            } catch {
                guard case .busy = error, attempt < 1000, monitor.waits(attempt) else { throw error }
                attempt += 1
            }
        }
    }

    /// Checkpoints and removes the write-ahead log; throws `.busy` while another connection has the file open.
    func removeLog() throws(RepositoryError) {
        guard try rows("PRAGMA journal_mode = DELETE").first?.first == .text("delete") else {
            throw notAccepted("journal_mode = DELETE")
        }
    }

    /// Locks out all other connections until this connection is closed.
    ///
    /// The file must not have a log.
    func lockExclusively() throws(RepositoryError) {
        guard try rows("PRAGMA locking_mode = EXCLUSIVE").first?.first == .text("exclusive") else {
            throw notAccepted("locking_mode = EXCLUSIVE")
        }
        try execute("BEGIN EXCLUSIVE")
        try execute("COMMIT")
    }

    /// The values for SQLite's limits.
    ///
    /// The system's SQLite may have higher defaults.
    static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, Int32(SQLText.maxBytes)),
        (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_EXPR_DEPTH, 1000),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// Runs `body`, which may attach files.
    ///
    /// Attaching is otherwise forbidden.
    func withAttaching(_ body: () throws(RepositoryError) -> Void) throws(RepositoryError) {
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, .max)
        defer { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0) }
        try body()
    }

    /// Runs `body` in the open transaction while SQLite neither checks foreign keys nor applies their actions.
    ///
    /// The statements that `body` prepares do not apply the actions, so they are discarded afterwards.
    func withReferencesOff(
        _ session: Session, _ body: () throws(RepositoryError) -> Void
    ) throws(RepositoryError) {
        try enforceReferences(false)
        do throws(RepositoryError) {
            try body()
        } catch {
            session.forgetAllStatements()
            try enforceReferences(true)
            throw error
        }
        session.forgetAllStatements()
        try enforceReferences(true)
    }

    /// Turns enforcement of foreign keys on or off, even in a transaction, where `PRAGMA foreign_keys` does nothing.
    func enforceReferences(_ isOn: Bool) throws(RepositoryError) {
        try require(SQLITE_DBCONFIG_ENABLE_FKEY, isOn ? 1 : 0, "foreign_keys")
    }

    /// Sets a pragma that takes a number, and reads it back.
    func require(pragma name: String, _ value: Int64) throws(RepositoryError) {
        try execute("PRAGMA \(name) = \(value)")
        guard try integer("PRAGMA \(name)") == value else { throw notAccepted(name) }
    }

    /// Changes a setting, and reads it back.
    ///
    /// With `mayBeAbsent`, a build without the setting's feature is accepted.
    func require(
        _ setting: Int32, _ value: Int32, _ name: String, mayBeAbsent: Bool = false
    ) throws(RepositoryError) {
        var now: Int32 = -1
        let code = csqlite_db_config(handle, setting, value, &now)
        if mayBeAbsent, code == SQLITE_ERROR { return }
        guard code == SQLITE_OK, now == value else { throw notAccepted(name) }
    }

    func notAccepted(_ name: String) -> RepositoryError {
        .misuse(detail: "this build of SQLite (\(String(cString: sqlite3_libversion()))) does not accept \(name)")
    }
}

extension StoreDurability {
    /// The value of SQLite's `synchronous` setting.
    var synchronous: Int64 {
        switch self {
        case .normal: 1
        case .full: 2
        }
    }
}
