import CSQLite

/// How far a backup has come.
public struct BackupProgress: Sendable, Hashable {
    /// The pages that are copied.
    public let copied: Int
    /// The pages of the store.
    public let total: Int

    /// From 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(copied) / Double(total) }
}

/// A copy of one state of a store, page by page, by SQLite's backup interface.
///
/// The reading transaction of its session lasts from the first page to the last: what others commit meanwhile is not in
/// the copy, and does not make it begin again.
///
/// Used by one thread at a time.
final class Backup {
    /// Two megabytes: what is copied between two looks at whether the backup is still wanted.
    private static let portion: Int32 = 512

    private let file: BackupFile
    /// What is done with the copy once it is whole, and closed.
    private let finish: () throws(RepositoryError) -> Void
    private let cancellation: CancellationFlag
    /// The connection that writes the copy, without a journal: until the copy is whole, nobody knows it.
    private var target: OpaquePointer?
    private var handle: OpaquePointer?
    private var isDone = false

    /// Begins to copy what a session reads in its transaction; `finish` gives the copy its name, once it is whole.
    init(
        of session: Session, to file: BackupFile, _ cancellation: CancellationFlag,
        finish: @escaping (BackupFile) throws(RepositoryError) -> Void = { file throws(RepositoryError) in
            try file.publish()
        }
    ) throws(RepositoryError) {
        (self.file, self.cancellation) = (file, cancellation)
        self.finish = { () throws(RepositoryError) in try finish(file) }
        let source = try Connection.of(session)
        // Only what is read begins the transaction.
        _ = try source.integer("SELECT count(*) FROM sqlite_schema")
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        try check(sqlite3_open_v2(file.path, &target, flags, nil))
        if let key = source.options.key?.current { try check(Connection.give(key, to: target)) }
        try check(sqlite3_exec(target, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", nil, nil, nil))
        handle = sqlite3_backup_init(target, "main", source.handle, "main")
        guard handle != nil else { throw failure(sqlite3_errcode(target)) }
    }

    deinit {
        close()
    }

    /// Copies the next pages, and returns how far it has come; after the last ones the file has its name, and there is
    /// nothing more.
    func next() throws(RepositoryError) -> BackupProgress? {
        if isDone { return nil }
        if let reason = cancellation.reason { throw reason }
        let code = sqlite3_backup_step(handle, Self.portion)
        let total = Int(sqlite3_backup_pagecount(handle))
        let progress = BackupProgress(copied: total - Int(sqlite3_backup_remaining(handle)), total: total)
        if code == SQLITE_OK { return progress }
        guard code == SQLITE_DONE else { throw failure(code) }
        isDone = true
        try check(sqlite3_backup_finish(handle.take()))
        try check(sqlite3_close(target.take()))
        try finish()
        return progress
    }

    func run() throws(RepositoryError) -> BackupProgress {
        var last = BackupProgress(copied: 0, total: 0)
        while let progress = try next() { last = progress }
        return last
    }

    /// Ends it; a copy that is not whole goes with its file.
    func close() {
        sqlite3_backup_finish(handle.take())
        sqlite3_close(target.take())
    }

    private func check(_ code: Int32) throws(RepositoryError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> RepositoryError {
        let message = target == nil ? String(cString: sqlite3_errstr(code)) : String(cString: sqlite3_errmsg(target))
        return .failure(ResultCode(rawValue: code), message, path: file.path)
    }
}
