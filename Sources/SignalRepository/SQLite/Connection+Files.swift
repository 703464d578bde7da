import CSQLite
import Foundation

#if !OwnSQLite
    // Links the system's SQLite; with the trait, the program links its own.
    import CSystemSQLite
#endif

extension Connection {
    static func checkLibrary() throws(RepositoryError) {
        guard sqlite3_libversion_number() >= 3_037_000 else {
            throw .misuse(detail: "SQLite \(String(cString: sqlite3_libversion())) is too old; 3.37 is needed")
        }
    }

    var isWritable: Bool { sqlite3_db_readonly(handle, "main") == 0 }

    /// Whether the header says that the file is used with a log: SQLite would create one just to read it.
    ///
    /// The header is read through SQLite's own descriptor. Closing another one would release locks that a connection in
    /// this process may hold.
    static func isInLogMode(_ path: String) -> Bool {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            return false
        }
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let read = file.pointee.pMethods?.pointee.xRead
        else { return false }
        var version: UInt8 = 0
        return read(file, &version, 1, 18) == SQLITE_OK && version == 2
    }

    /// Throws when SQLite could not create what it keeps beside a file while that is read, and nobody else has.
    static func checkBeside(_ file: DatabasePath) throws(RepositoryError) {
        guard !file.hasSidecar, isInLogMode(file.path), access(file.folder, W_OK | X_OK) != 0 else { return }
        throw .readOnly(
            detail: "the folder of \(file.path) cannot be written, where SQLite keeps what it needs to read the file: "
                + "open it as .immutable if nobody changes it meanwhile")
    }

    /// Removes an empty log and its index, unless somebody uses the file.
    ///
    /// SQLite does this when a connection that could write is the last one to close: it takes the lock that keeps
    /// everybody else out. Only an empty log is considered, so that nothing is checkpointed.
    static func removeEmptyLog(of path: String, _ key: EncryptionKey?) {
        var status = stat()
        guard stat(path + "-wal", &status) == 0, status.st_size == 0, access(path, W_OK) == 0 else { return }
        var handle: OpaquePointer?
        if sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            key.map({ give($0, to: handle) }) ?? SQLITE_OK == SQLITE_OK
        {
            sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema", nil, nil, nil)
        }
        sqlite3_close(handle)
    }
}
