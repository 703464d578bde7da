import Foundation

/// A lock on a file, which all processes find by the file's path.
enum FileLock {
    /// The result of trying to take a lock.
    enum Outcome {
        /// The lock was taken; the descriptor holds it.
        case taken(Int32)
        case held
        /// The path names a different file by now, or none, so a lock on the opened file excludes no other process.
        case moved
    }

    /// Tries to lock the file at a path, and creates the file if it does not exist.
    static func take(_ path: String) throws(RepositoryError) -> Outcome {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: DatabasePath.reason(errno)) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            _ = close(descriptor)
            return .held
        }
        var (held, named) = (stat(), stat())
        guard fstat(descriptor, &held) == 0, stat(path, &named) == 0, held.st_dev == named.st_dev,
            held.st_ino == named.st_ino
        else {
            _ = close(descriptor)
            return .moved
        }
        return .taken(descriptor)
    }

    static func release(_ descriptor: Int32) {
        // Closing the descriptor is not enough: a forked child process keeps a copy of it, and the lock, until it
        // executes a program.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }
}
