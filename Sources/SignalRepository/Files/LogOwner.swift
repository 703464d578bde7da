import Foundation

/// The file that a store's log belongs to.
///
/// SQLite merges any log with the right name into the file. If a program was killed and its file replaced, for example
/// by a backup, SQLite would mix two databases. So a writer records in the lock file which file and which log it has
/// opened. The library refuses a log only if the log is known to belong to another file. If no owner is recorded, or
/// the recorded log is not the present one, as in a copy of the folder, SQLite decides whether the log is valid.
struct LogOwner: Sendable, Equatable {
    private let file: FileID
    private let log: FileID

    /// Identifies the file at a path and its log; `nil` if one of them does not exist.
    init?(of path: String) {
        guard let file = FileID(path), let log = FileID(path + "-wal") else { return nil }
        (self.file, self.log) = (file, log)
    }

    init?(recordedIn lockPath: String) {
        let numbers = Self.line(of: lockPath).split(separator: " ").compactMap { UInt64($0) }
        guard numbers.count == 4 else { return nil }
        file = FileID(device: numbers[0], number: numbers[1])
        log = FileID(device: numbers[2], number: numbers[3])
    }

    var line: String { "\(file.device) \(file.number) \(log.device) \(log.number)" }

    /// Throws if the log at a path belongs to another file, or if there is no file for the log.
    static func check(_ path: DatabasePath) throws(RepositoryError) {
        var status = stat()
        guard stat(path.path + "-wal", &status) == 0, status.st_size > 0 else { return }
        let way = "put back the file that it belongs to, or move the log away"
        // The program that created the log may also have created the file, after the path was checked.
        guard path.content == .file || path.hasContent else {
            throw .cannotOpen(
                path: path.path, reason: "\(path.path)-wal is the log of a file that no longer exists: \(way)")
        }
        guard let recorded = LogOwner(recordedIn: path.lockPath), let now = LogOwner(of: path.path) else { return }
        guard recorded.log == now.log, recorded.file != now.file else { return }
        throw .cannotOpen(
            path: path.path, reason: "its log, \(path.path)-wal, belongs to a file that it has replaced: \(way)")
    }

    /// The line that marks a store as being created; until the creation ends, its file may be empty.
    static let newStore = "new"

    /// Returns the second line of a lock file: the log's owner, or `newStore`.
    ///
    /// The first line is the identifier of the process that holds the lock.
    static func line(of lockPath: String) -> String {
        text(of: lockPath).split(separator: "\n").dropFirst().first.map(String.init) ?? ""
    }

    /// Throws if the file is empty, for example after a failed copy, unless a store is being created.
    static func checkContent(of path: DatabasePath) throws(RepositoryError) {
        guard path.content == .emptyFile, line(of: path.lockPath) != newStore else { return }
        // Another program that was creating the store may have finished after the path was checked.
        guard try DatabasePath.content(of: path.path) == .emptyFile else { return }
        throw .cannotOpen(path: path.path, reason: DatabasePath.emptiness)
    }

    /// Returns the first bytes of a lock file.
    static func text(of lockPath: String) -> String {
        let descriptor = open(lockPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return "" }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
    }
}
