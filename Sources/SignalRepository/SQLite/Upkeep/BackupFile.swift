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
    private var descriptor: Int32 = -1

    /// Creates the file, empty and accessible only to its owner.
    init(_ name: String, replacing isReplacing: Bool) throws(RepositoryError) {
        target = try DatabasePath(name, access: .readWrite)
        path = target.path + "-backup"
        self.isReplacing = isReplacing
        try checkTarget()
        while try !lock() {}
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
        try checkTarget()
        // A link fails where something has the name by now; some systems of files know no links.
        if !isReplacing, link(path, target.path) == 0 {
            unlink(path)
        } else if !isReplacing, errno == EEXIST {
            throw .cannotOpen(path: target.path, reason: Self.exists)
        } else if rename(path, target.path) != 0 {
            throw refusal(errno)
        }
        try syncFolder()
        leave()
    }

    private static let exists = "it exists, and replacing was not asked for"

    /// Throws when the name is taken, or a log beside it would be merged into the backup.
    private func checkTarget() throws(RepositoryError) {
        let now = try DatabasePath(target.path, access: .readWrite)
        guard isReplacing || now.content == .nothing else {
            throw .cannotOpen(path: target.path, reason: Self.exists)
        }
        guard !now.hasSidecar else {
            throw .cannotOpen(path: target.path, reason: "it is open, or has a log or a journal beside it")
        }
    }

    /// Locks the file that has the name; false when another one has it by now.
    private func lock() throws(RepositoryError) -> Bool {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard opened >= 0 else { throw refusal(errno) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            _ = close(opened)
            throw .ownedElsewhere(path: path, detail: "another backup to it is in progress")
        }
        var (held, named) = (stat(), stat())
        guard fstat(opened, &held) == 0, stat(path, &named) == 0, held.st_ino == named.st_ino else {
            _ = close(opened)
            return false
        }
        descriptor = opened
        return true
    }

    private func syncFolder() throws(RepositoryError) {
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw refusal(errno) }
        defer { _ = close(folder) }
        guard fsync(folder) == 0 else { throw refusal(errno) }
    }

    private func leave() {
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
        descriptor = -1
    }

    private func refusal(_ number: Int32) -> RepositoryError {
        .cannotOpen(path: path, reason: DatabasePath.reason(number))
    }
}
