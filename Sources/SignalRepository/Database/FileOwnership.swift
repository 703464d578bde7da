import Foundation
import Signals

/// The right to write to one database file, held until `release()` or the end of the process.
///
/// Two connections that write and move the log into the file can destroy it in the SQLite of many systems, so one
/// connection does both, in all processes. It is elected by a lock on a file beside the database; never on the database
/// itself, because closing any descriptor of it would release SQLite's own locks.
final class FileOwnership {
    /// The files that a repository of this process writes to.
    private static let inThisProcess = Lock<Set<String>>([])

    private let path: DatabasePath
    private var isEntered = false
    private var descriptor: Int32 = -1

    /// Takes the right, waiting for another process at most so many milliseconds.
    init(_ path: DatabasePath, waiting milliseconds: Int) throws(RepositoryError) {
        self.path = path
        guard Self.inThisProcess.withLock({ $0.insert(path.path).inserted }) else {
            throw .ownedElsewhere(path: path.path, detail: "another repository of this process has it open for writing")
        }
        isEntered = true
        do {
            try lock(until: DispatchTime.now() + .milliseconds(milliseconds))
        } catch {
            release()
            throw error
        }
    }

    deinit {
        release()
    }

    /// Gives the right back.
    ///
    /// Idempotent. The lock file stays: to remove it would let two processes hold two of them.
    func release() {
        if descriptor >= 0 {
            // To close it is not enough: a child process that is being started holds a copy until it runs its program.
            _ = flock(descriptor, LOCK_UN)
            _ = close(descriptor)
        }
        descriptor = -1
        guard isEntered else { return }
        isEntered = false
        Self.inThisProcess.withLock { [path = path.path] paths in _ = paths.remove(path) }
    }

    private func lock(until deadline: DispatchTime) throws(RepositoryError) {
        var pause: Int32 = 1
        while true {
            if try tryLock() { return }
            guard DispatchTime.now() < deadline else {
                throw .ownedElsewhere(path: path.path, detail: "another process\(holder()) has it open for writing")
            }
            // Waits without a file to wait for: the lock cannot be waited for with a limit.
            poll(nil, 0, pause)
            pause = min(pause * 2, 20)
        }
    }

    private func tryLock() throws(RepositoryError) -> Bool {
        let descriptor = open(path.lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw .cannotOpen(path: path.lockPath, reason: DatabasePath.reason(errno))
        }
        var (held, named) = (stat(), stat())
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            // A lock on a file that was removed meanwhile keeps nobody out.
            fstat(descriptor, &held) == 0, stat(path.lockPath, &named) == 0, held.st_ino == named.st_ino
        else {
            _ = close(descriptor)
            return false
        }
        self.descriptor = descriptor
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
        return true
    }

    /// The number of the process that holds the lock, as it wrote it down.
    private func holder() -> String {
        let descriptor = open(path.lockPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return "" }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return "" }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        guard let number = Int(text.split(separator: "\n").first ?? "") else { return "" }
        return " (\(number))"
    }
}
