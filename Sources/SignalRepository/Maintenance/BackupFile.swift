import CSQLite
import Foundation

/// The file that a backup writes; it gets its final name once the backup is complete.
///
/// Until then, its name ends in `-backup`, and a lock prevents two backups from writing it. A file that a killed
/// program left behind is overwritten. A separate descriptor holds the lock, because SQLite closes its own descriptor
/// before the file gets its final name.
final class BackupFile {
    /// The path at which the backup is written.
    let path: String
    private let target: DatabasePath
    private let isReplacing: Bool
    /// Whether the caller already holds an exclusive lock on the file to be replaced.
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

    /// Flushes the file to the disk, and then gives it its final name.
    func publish() throws(RepositoryError) {
        guard fsync(descriptor) == 0 else { throw refusal(errno) }
        let lock = try lockTarget()
        try withExtendedLifetime(lock) { () throws(RepositoryError) in try rename() }
        try syncFolder()
        leave()
    }

    /// Renames the file atomically: if the program is killed, the file has either the old or the new name.
    private func rename() throws(RepositoryError) {
        if !isReplacing {
            if csqlite_rename_new(path, target.path) == 0 { return }
            if errno == EEXIST { throw .cannotOpen(path: target.path, reason: Self.exists) }
        }
        // Replacing was requested, or the file system cannot rename without replacing.
        guard Foundation.rename(path, target.path) == 0 else { throw refusal(errno) }
    }

    private static let exists = "it exists: use replacing: true to replace it"

    /// Takes an exclusive lock on the file to be replaced; `nil` if no such file exists, or the caller holds that lock.
    ///
    /// Throws if the file exists and may not be replaced, if another program uses it, or if it has a log, which SQLite
    /// would merge into the backup.
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

    /// Locks the file at `path`; returns false if that path names a different file by now.
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
