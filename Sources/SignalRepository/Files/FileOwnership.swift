import Foundation
import Signals

/// The right to write to one database file, held until `release()` or the end of the process.
///
/// In the SQLite of many systems, two connections that both write and checkpoint can corrupt the file. So one
/// connection does both, across all processes. A lock on a separate file elects this connection. The lock is never on
/// the database file, because closing any descriptor of that file would release SQLite's own locks.
final class FileOwnership {
    /// The paths that repositories of this process have open for writing; true while the repository is closing.
    private static let inThisProcess = Lock<[ExactText: Bool]>([:])
    /// How long to wait for a closing repository of this process to complete its work, in milliseconds.
    private static let closingTimeout = 10_000

    private let path: DatabasePath
    private var isEntered = false
    private var descriptor: Int32 = -1

    /// Acquires the right to write.
    ///
    /// Waits at most `milliseconds` for another owner, and longer for a repository in this process that is closing.
    init(_ path: DatabasePath, waiting milliseconds: Int) throws(RepositoryError) {
        self.path = path
        let start = DispatchTime.now()
        do {
            try enter(start, milliseconds)
            isEntered = true
            try lock(until: start + .milliseconds(milliseconds))
        } catch {
            release()
            throw error
        }
    }

    deinit {
        release()
    }

    /// Releases the right to write; does nothing if it is already released.
    ///
    /// The lock file stays. If it were removed, two processes could lock different files at the same path.
    func release() {
        if descriptor >= 0 { FileLock.release(descriptor) }
        descriptor = -1
        guard isEntered else { return }
        isEntered = false
        Self.inThisProcess.withLock { [path = ExactText(path.path)] paths in paths[path] = nil }
    }

    /// Announces that the right to write will be released as soon as the work in progress is done.
    func announceRelease() {
        let path = ExactText(path.path)
        Self.inThisProcess.withLock { paths in if paths[path] != nil { paths[path] = true } }
    }

    /// Acquires the right to write among the repositories of this process.
    private func enter(_ start: DispatchTime, _ milliseconds: Int) throws(RepositoryError) {
        try wait { [path = path.path] () throws(RepositoryError) in
            let isClosing = Self.inThisProcess.withLock { paths -> Bool? in
                if let isClosing = paths[ExactText(path)] { return isClosing }
                paths[ExactText(path)] = false
                return nil
            }
            guard let isClosing else { return true }
            let limit = isClosing ? max(milliseconds, Self.closingTimeout) : milliseconds
            guard DispatchTime.now() < start + .milliseconds(limit) else {
                throw .ownedElsewhere(path: path, detail: "another repository of this process has it open for writing")
            }
            return false
        }
    }

    private func lock(until deadline: DispatchTime) throws(RepositoryError) {
        try wait { () throws(RepositoryError) in
            if try tryLock() { return true }
            guard DispatchTime.now() < deadline else {
                throw .ownedElsewhere(path: path.path, detail: "another process\(holder()) has it open for writing")
            }
            return false
        }
    }

    /// Calls `succeeds` until it returns true or throws, with pauses, because waiting for a file lock has no timeout.
    private func wait(_ succeeds: () throws(RepositoryError) -> Bool) throws(RepositoryError) {
        var pause: Int32 = 1
        while try !succeeds() {
            poll(nil, 0, pause)
            pause = min(pause * 2, 20)
        }
    }

    private func tryLock() throws(RepositoryError) -> Bool {
        guard case .taken(let descriptor) = try FileLock.take(path.lockPath) else { return false }
        self.descriptor = descriptor
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size < 512 else {
            throw .cannotOpen(path: path.path, reason: "\(path.lockPath) is not its lock file: move it away")
        }
        // The previous owner's record of the log stays until the new owner has checked the log.
        write(LogOwner.line(of: path.lockPath))
        return true
    }

    /// Records the file to which the opened log belongs; the caller passes `nil` if there is no log.
    func record(_ owner: LogOwner?) {
        write(owner?.line ?? "")
    }

    /// Records that a store is being created; its file may be empty until the creation ends.
    func recordNewStore() { write(LogOwner.newStore) }

    private func write(_ line: String) {
        guard descriptor >= 0 else { return }
        let text = Array("\(getpid())\n\(line.isEmpty ? "" : line + "\n")".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    /// Returns the identifier of the process that holds the lock, in parentheses; empty if it is not recorded.
    private func holder() -> String {
        guard let number = Int(LogOwner.text(of: path.lockPath).split(separator: "\n").first ?? "") else { return "" }
        return " (\(number))"
    }
}
