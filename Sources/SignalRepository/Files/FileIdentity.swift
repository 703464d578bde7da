import Foundation

/// The identity of a store's files when they were opened.
///
/// A file can be deleted, replaced or moved while it is open. The system keeps writing to the opened file, so a commit
/// would be acknowledged and lost. Two programs could then use different locks, indexes or logs for the same path.
struct FileIdentity: Sendable {
    private let file: String
    /// The full path and the identity of each file.
    ///
    /// The full paths are stored, so that the check before every write need not build them.
    private let marks: [(path: String, mark: FileID)]

    /// Records the identity of the file at `path`, and of its existing files with these suffixes.
    init(_ path: String, sidecars suffixes: [String]) {
        file = path
        marks = ([""] + suffixes).compactMap { suffix in FileID(path + suffix).map { (path + suffix, $0) } }
    }

    /// Throws if one of the files is missing from its path, or a different file is there.
    func check() throws(RepositoryError) {
        for (path, mark) in marks where FileID(path) != mark { throw .fileMoved(path: path) }
    }

    /// Whether the file or its log is missing from its path, so that no other program finds the commits in the log.
    var isLogLost: Bool {
        marks.contains { [file, file + "-wal"].contains($0.path) && FileID($0.path) != $0.mark }
    }
}

/// The identity of a file, independent of the file's name.
struct FileID: Sendable, Equatable {
    let device: UInt64
    let number: UInt64

    init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }

    /// Identifies the file that is at a path now; `nil` if no file is there.
    init?(_ path: String) {
        guard let status = status(of: path) else { return nil }
        (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

/// The size and modification time of a file; if one of them differs, the file was changed.
struct FileChange: Equatable {
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the size and modification time of the file at a path; `nil` if no file is there.
    init?(_ path: String) {
        guard let status = status(of: path) else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        (size, seconds, nanoseconds) = (Int64(status.st_size), time.tv_sec, time.tv_nsec)
    }
}

/// Returns the system's information about the file that is at a path now, or `nil` if no file is there.
private func status(of path: String) -> stat? {
    var status = stat()
    // Passing the string directly would copy it into an array.
    return path.withCString({ stat($0, &status) }) == 0 ? status : nil
}
