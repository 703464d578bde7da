import CSQLite
import Foundation

/// The file that a backup writes, which gets its name once it is complete.
///
/// Until then it is called `…-backup`, and locked, so that no two backups write the same file. A file that a killed
/// program has left is overwritten. The lock is on a separate descriptor, which outlives SQLite's.
final class BackupFile {
    /// The path at which the backup is written.
    let path: String
    private let target: DatabasePath
    private let isReplacing: Bool
    /// Whether the caller has locked everybody else out of the file to be replaced.
    private let isTargetLocked: Bool
    private var descriptor: Int32 = -1

    /// Creates the file, empty and accessible only to its owner.
    init(_ name: String, replacing isReplacing: Bool, isTargetLocked: Bool = false) throws(RepositoryError) {
        target = try DatabasePath(name, access: .readWrite)
        path = target.path + "-backup"
        (self.isReplacing, self.isTargetLocked) = (isReplacing, isTargetLocked)
        _ = try lockTarget()
        while try !lock() {}
        var status = stat()
        guard DatabasePath.sidecarSuffixes.allSatisfy({ lstat(path + $0, &status) != 0 }) else {
            leave()
            throw .cannotOpen(path: path, reason: "it is a store of that name, not an unfinished copy")
        }
        guard ftruncate(descriptor, 0) == 0 else { throw refusal(errno) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        unlink(path)
        leave()
    }

    /// Writes everything to the disk, and then gives the file its name.
    func publish() throws(RepositoryError) {
        guard fsync(descriptor) == 0 else { throw refusal(errno) }
        let lock = try lockTarget()
        try withExtendedLifetime(lock) { () throws(RepositoryError) in try rename() }
        try syncFolder()
        leave()
    }

    /// Renames the file in one step, so that a killed program leaves one name or the other.
    private func rename() throws(RepositoryError) {
        if !isReplacing {
            if csqlite_rename_new(path, target.path) == 0 { return }
            if errno == EEXIST { throw .cannotOpen(path: target.path, reason: Self.exists) }
        }
        // Replacing was requested, or the file system has no other way to rename.
        guard Foundation.rename(path, target.path) == 0 else { throw refusal(errno) }
    }

    private static let exists = "it exists: use replacing: true to replace it"

    /// Locks everybody else out of the file to be replaced.
    ///
    /// Throws if the name is taken, if another program uses the file, or if a log beside it would be merged into the
    /// backup.
    private func lockTarget() throws(RepositoryError) -> WholeFileLock? {
        let now = try DatabasePath(target.path, access: .readWrite)
        guard isReplacing || now.content == .nothing else {
            throw .cannotOpen(path: target.path, reason: Self.exists)
        }
        guard !now.hasSidecar else {
            throw .cannotOpen(path: target.path, reason: "it is open, or has a log or a journal beside it")
        }
        guard now.content != .nothing, !isTargetLocked else { return nil }
        guard let lock = WholeFileLock(target.path) else {
            throw .cannotOpen(path: target.path, reason: "another program has it open")
        }
        return lock
    }

    /// Locks the file at `path`; false if another file has taken that path.
    private func lock() throws(RepositoryError) -> Bool {
        switch try FileLock.take(path) {
        case .taken(let descriptor):
            self.descriptor = descriptor
            return true
        case .held: throw .ownedElsewhere(path: path, detail: "another backup to it is in progress")
        case .moved: return false
        }
    }

    private func syncFolder() throws(RepositoryError) {
        let folder = open(target.folder, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw refusal(errno) }
        defer { _ = close(folder) }
        guard fsync(folder) == 0 else { throw refusal(errno) }
    }

    private func leave() {
        FileLock.release(descriptor)
        descriptor = -1
    }

    private func refusal(_ number: Int32) -> RepositoryError {
        .cannotOpen(path: path, reason: DatabasePath.reason(number))
    }
}
