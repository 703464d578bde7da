import CSQLite
import Foundation

extension Connection {
    static func checkLibrary() throws(RepositoryError) {
        guard sqlite3_libversion_number() >= 3_037_000 else {
            throw .misuse(detail: "SQLite \(String(cString: sqlite3_libversion())) is too old: 3.37 or later is needed")
        }
    }

    var isWritable: Bool { sqlite3_db_readonly(handle, "main") == 0 }

    /// Whether the file's header selects WAL mode, in which SQLite creates a log even to read.
    ///
    /// The header is read through SQLite's own file descriptor. Closing another descriptor of the file would release
    /// locks that a connection in this process may hold.
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

    /// Throws if reading the file requires a log that does not exist and cannot be created in its folder.
    static func checkLogFolder(_ file: DatabasePath) throws(RepositoryError) {
        guard !file.hasSidecar, isInLogMode(file.path), access(file.folder, W_OK | X_OK) != 0 else { return }
        throw .readOnly(
            detail: "the folder of \(file.path) cannot be written, and SQLite must create a log there to read the "
                + "file: open it as .immutable if no program changes it")
    }

    /// Removes an empty log and its index, unless another connection uses the file.
    ///
    /// SQLite itself removes them, under an exclusive lock, when the last connection closes, if that connection could
    /// write. This method therefore opens and closes such a connection. It does so only for an empty log, so that
    /// nothing is checkpointed.
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
