import CSQLite

/// SQLite's exclusive lock on a whole file, whatever the file contains.
///
/// Taking the lock fails while another connection, of any program, is in a transaction on the file or uses it with a
/// log. While the lock is held, no other connection reads or writes. An idle connection to a file without a log holds
/// no lock and is not detected. At its next transaction, it notices that the file was changed or is missing from its
/// path.
final class WholeFileLock {
    private let path: String
    private var handle: OpaquePointer?
    private var file: UnsafeMutablePointer<sqlite3_file>?

    /// Takes the lock on the file at a path; `nil` if the file is in use.
    init?(_ path: String) {
        self.path = path
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK,
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let lock = file.pointee.pMethods?.pointee.xLock,
            [SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE].allSatisfy({ lock(file, $0) == SQLITE_OK }
            )
        else {
            release()
            return nil
        }
    }

    deinit { release() }

    /// Empties the file; to SQLite, an empty file is an empty database.
    func truncate() throws(RepositoryError) {
        guard let file, let methods = file.pointee.pMethods?.pointee else { return }
        var code = methods.xTruncate?(file, 0) ?? SQLITE_IOERR
        if code == SQLITE_OK { code = methods.xSync?(file, SQLITE_SYNC_FULL) ?? SQLITE_OK }
        guard code == SQLITE_OK else {
            throw .failure(ResultCode(rawValue: code), String(cString: sqlite3_errstr(code)), path: path)
        }
    }

    private func release() {
        if let file { _ = file.pointee.pMethods?.pointee.xUnlock?(file, SQLITE_LOCK_NONE) }
        file = nil
        sqlite3_close_v2(handle)
        handle = nil
    }
}
