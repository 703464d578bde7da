import CSQLite

/// The progress of a backup.
public struct BackupProgress: Sendable, Hashable {
    /// The number of pages copied so far.
    public let copied: Int
    /// The number of pages of the store.
    public let total: Int

    /// The copied fraction of the store, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(copied) / Double(total) }
}

/// A running backup, which copies one state of a store page by page with SQLite's backup interface.
///
/// The connection's read transaction lasts from the first page to the last. Commits during that time are not in the
/// copy, and do not restart it.
///
/// One thread at a time uses a backup.
final class Backup {
    /// The number of pages copied between two checks for cancellation: usually two megabytes.
    private static let pagesPerStep: Int32 = 512

    private let file: BackupFile
    /// Runs once the copy is complete and closed.
    private let finish: () throws(RepositoryError) -> Void
    private let cancellation: CancellationFlag
    /// The connection that writes the copy.
    ///
    /// It needs no journal, because no program uses an incomplete copy.
    private var target: OpaquePointer?
    private var handle: OpaquePointer?
    private var isDone = false

    /// Begins to copy the state that `source` reads in its transaction; `finish` gives the complete copy its name.
    init(
        of source: Connection, to file: BackupFile, _ cancellation: CancellationFlag,
        finish: @escaping (BackupFile) throws(RepositoryError) -> Void = { file throws(RepositoryError) in
            try file.publish()
        }
    ) throws(RepositoryError) {
        (self.file, self.cancellation) = (file, cancellation)
        self.finish = { () throws(RepositoryError) in try finish(file) }
        // The transaction begins with the first read.
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

    /// Copies the next pages and returns the progress; `nil` after the copy was completed and got its name.
    func next() throws(RepositoryError) -> BackupProgress? {
        if isDone { return nil }
        if let reason = cancellation.reason { throw reason }
        let code = sqlite3_backup_step(handle, Self.pagesPerStep)
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

    /// Ends the copying; `BackupFile` removes an incomplete copy.
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
