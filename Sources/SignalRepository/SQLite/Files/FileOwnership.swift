import Foundation
import Signals

/// The right to write to one database file, held until `release()` or the end of the process.
///
/// In the SQLite of many systems, two connections that both write and checkpoint can corrupt the file, so one
/// connection does both, across all processes. It is elected by a lock on a file beside the database; never on the
/// database itself, because closing any descriptor of it would release SQLite's own locks.
final class FileOwnership {
    /// The files that a repository in this process writes to, and whether it is about to release them.
    private static let inThisProcess = Lock<[ExactText: Bool]>([:])
    /// How long to wait for a repository in this process that is closing, in milliseconds: its remaining work may take
    /// a while.
    private static let closingTimeout = 10_000

    private let path: DatabasePath
    private var isEntered = false
    private var descriptor: Int32 = -1

    /// Acquires the right, waiting for others at most this many milliseconds, and longer for a closing repository in
    /// this process.
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

    /// Releases the right.
    ///
    /// Idempotent. The lock file stays: removing it would let two processes each lock a different one.
    func release() {
        if descriptor >= 0 { FileLock.release(descriptor) }
        descriptor = -1
        guard isEntered else { return }
        isEntered = false
        Self.inThisProcess.withLock { [path = ExactText(path.path)] paths in paths[path] = nil }
    }

    /// Announces that the right will be released as soon as the work in progress is done.
    func announceRelease() {
        let path = ExactText(path.path)
        Self.inThisProcess.withLock { paths in if paths[path] != nil { paths[path] = true } }
    }

    /// Acquires the right among the repositories of this process.
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

    /// Tries until it succeeds or throws, with pauses: waiting for a lock cannot be limited in time.
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
            throw .cannotOpen(path: path.path, reason: "\(path.lockPath) is not its lock, but a file of something else")
        }
        // What the last one recorded stays until this one has looked at the log.
        write(LogOwner.line(of: path.lockPath))
        return true
    }

    /// Records whose the log is that the owner has opened; removes the record when no log is left that it is about.
    func record(_ owner: LogOwner?) {
        write(owner?.line ?? "")
    }

    /// Records that a store is being made, whose file is empty until it is.
    func recordBeginning() { write(LogOwner.beginning) }

    private func write(_ line: String) {
        guard descriptor >= 0 else { return }
        let text = Array("\(getpid())\n\(line.isEmpty ? "" : line + "\n")".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    /// The number of the process that holds the lock, as it recorded it, in parentheses; empty if it did not.
    private func holder() -> String {
        guard let number = Int(LogOwner.text(of: path.lockPath).split(separator: "\n").first ?? "") else { return "" }
        return " (\(number))"
    }
}
