import Foundation

/// Which file the log beside a store belongs to.
///
/// SQLite takes whatever log has the name for that of the file, and merges it. After a program was killed and its file
/// was replaced, as by a backup, that would mix two databases. So a writer records in the lock file which file and
/// which log it has opened. Only a log that is known to be another file's is refused: where nothing is recorded, or the
/// log is another one by now, as in a copy of the folder, it is SQLite's to judge.
struct LogOwner: Sendable, Equatable {
    private let file: FileMark
    private let log: FileMark

    /// The file at a path and the log beside it; `nil` when one of them does not exist.
    init?(of path: String) {
        guard let file = FileMark(path), let log = FileMark(path + "-wal") else { return nil }
        (self.file, self.log) = (file, log)
    }

    init?(recordedIn lockPath: String) {
        let numbers = Self.line(of: lockPath).split(separator: " ").compactMap { UInt64($0) }
        guard numbers.count == 4 else { return nil }
        file = FileMark(device: numbers[0], number: numbers[1])
        log = FileMark(device: numbers[2], number: numbers[3])
    }

    var line: String { "\(file.device) \(file.number) \(log.device) \(log.number)" }

    /// Throws when the log beside a file belongs to another, or to none that is there.
    static func check(_ path: DatabasePath) throws(RepositoryError) {
        var status = stat()
        guard stat(path.path + "-wal", &status) == 0, status.st_size > 0 else { return }
        let way = "put back the file that it belongs to, or move the log away"
        // Who made the log may have made the file as well, since its path was looked at.
        guard path.content == .file || path.hasContent else {
            throw .cannotOpen(
                path: path.path, reason: "the log of a file that is gone, \(path.path)-wal, is there: \(way)")
        }
        guard let recorded = LogOwner(recordedIn: path.lockPath), let now = LogOwner(of: path.path) else { return }
        guard recorded.log == now.log, recorded.file != now.file else { return }
        throw .cannotOpen(
            path: path.path, reason: "the log beside it, \(path.path)-wal, belongs to a file that it replaced: \(way)")
    }

    /// The line that says that a store is being made, so that its file may be empty.
    static let beginning = "new"

    /// The words that a lock file records after its process's number: whose the log is, or that a store is made.
    static func line(of lockPath: String) -> String {
        text(of: lockPath).split(separator: "\n").dropFirst().first.map(String.init) ?? ""
    }

    /// Throws for an empty file that is not the beginning of a store: a copy that failed has left it.
    static func checkContent(of path: DatabasePath) throws(RepositoryError) {
        guard path.content == .emptyFile, line(of: path.lockPath) != beginning else { return }
        // The program that makes it may have ended in between.
        guard try DatabasePath.content(of: path.path) == .emptyFile else { return }
        throw .cannotOpen(path: path.path, reason: DatabasePath.emptiness)
    }

    /// The first bytes of a lock file.
    static func text(of lockPath: String) -> String {
        let descriptor = open(lockPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return "" }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
    }
}
