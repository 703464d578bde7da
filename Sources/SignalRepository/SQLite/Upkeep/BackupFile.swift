import CSQLite
import Foundation

/// The file that a backup is written to: it has its name once it is whole.
///
/// Until then it is called `…-backup`, and locked, so that two backups do not write the same one; what a program that
/// was killed has left is taken over. The lock is on another descriptor than SQLite's, and goes after it.
final class BackupFile {
    /// Where the backup is written.
    let path: String
    private let target: DatabasePath
    private let isReplacing: Bool
    /// Whether the caller keeps everybody else out of the file that is replaced.
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
        guard DatabasePath.besides.allSatisfy({ lstat(path + $0, &status) != 0 }) else {
            leave()
            throw .cannotOpen(path: path, reason: "it is a store of that name, and no copy that was left unfinished")
        }
        guard ftruncate(descriptor, 0) == 0 else { throw refusal(errno) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        unlink(path)
        leave()
    }

    /// Gives the file its name, once everything is on the disk.
    func publish() throws(RepositoryError) {
        guard fsync(descriptor) == 0 else { throw refusal(errno) }
        let lock = try lockTarget()
        try withExtendedLifetime(lock) { () throws(RepositoryError) in try rename() }
        try syncFolder()
        leave()
    }

    /// In one step, so that a program that is killed leaves one name or the other.
    private func rename() throws(RepositoryError) {
        if !isReplacing {
            if csqlite_rename_new(path, target.path) == 0 { return }
            if errno == EEXIST { throw .cannotOpen(path: target.path, reason: Self.exists) }
        }
        // Replacing was asked for, or the system of files knows no other way.
        guard Foundation.rename(path, target.path) == 0 else { throw refusal(errno) }
    }

    private static let exists = "it exists, and replacing was not asked for"

    /// Keeps everybody else out of the file that is replaced; throws when the name is taken, when another program uses
    /// the file, and when a log beside it would be merged into the backup.
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

    /// Locks the file that has the name; false when another one has it by now.
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
