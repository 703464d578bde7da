import CSQLite
import Foundation

/// A change of the key of a store's file, or the removal of its encryption, while no connection has the file open.
///
/// The new key encrypts a copy, which then replaces the file in one step. Encrypting the file in place is not safe: if
/// the program were killed halfway, neither key would open the file.
struct KeyChange {
    private let file: DatabasePath
    private let key: EncryptionKey?
    private let options: ConnectionOptions

    /// Checks the key and the path; changes nothing.
    init(_ path: String, to key: EncryptionKey?, _ options: ConnectionOptions) throws(RepositoryError) {
        (self.key, self.options) = (key, options)
        try StoreKey.check(key)
        if let key, let missing = Self.settings(that: options.key?.current, has: key) {
            throw .misuse(detail: "the new key must specify \(missing), as the old one does")
        }
        file = try DatabasePath(path, access: .readWrite)
        guard file.content == .file else { throw .fileMoved(path: path) }
    }

    /// Returns the settings of the old key that the new key lacks; without them, the new key could not open the file.
    private static func settings(that old: EncryptionKey?, has new: EncryptionKey) -> String? {
        let missing = (old?.settings.map(\.key) ?? []).filter { !new.settings.map(\.key).contains($0) }
        return missing.isEmpty ? nil : missing.joined(separator: " and ")
    }

    func perform() throws(RepositoryError) {
        let ownership = try FileOwnership(file, waiting: options.ownershipTimeout)
        defer { ownership.release() }
        let connection = try Connection(path: file.path, options: options.with(.writer))
        defer { connection.close() }
        try requireStore(connection)
        try connection.becomeWriter()
        // Without a log, the whole store is in the file. The lock prevents other connections from starting to read the
        // file, which is about to be replaced.
        try connection.removeLog()
        try connection.lockExclusively()
        try connection.begin(.read)
        let copy = try Backup(
            of: connection, to: BackupFile(file.path, replacing: true, isTargetLocked: true),
            CancellationFlag(),
            finish: { copy throws(RepositoryError) in
                try encrypt(copy.path)
                try copy.publish()
            })
        _ = try copy.run()
        options.key?.current = key
        // The lock file must not name the owner of a log, because the new file has none.
        ownership.record(nil)
    }

    /// Encrypts the copy, and checks that the new key opens it.
    private func encrypt(_ path: String) throws(RepositoryError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var code = sqlite3_open_v2(path, &handle, flags, nil)
        defer { sqlite3_close(handle) }
        if code == SQLITE_OK, let old = options.key?.current { code = Connection.give(old, to: handle) }
        if code == SQLITE_OK { code = sqlite3_exec(handle, "PRAGMA journal_mode = MEMORY", nil, nil, nil) }
        if code == SQLITE_OK { code = Connection.replaceKey(with: key, of: handle) }
        guard code == SQLITE_OK else {
            throw .failure(ResultCode(rawValue: code), String(cString: sqlite3_errmsg(handle)), path: path)
        }
        var options = options.with(.reader)
        options.key = StoreKey(key)
        let connection = try Connection(path: path, options: options)
        defer { connection.close() }
        try requireStore(connection)
    }

    private func requireStore(_ connection: Connection) throws(RepositoryError) {
        guard try connection.isOfStore() else {
            throw .misuse(detail: "\(file.path) is not a store of this library")
        }
    }
}
