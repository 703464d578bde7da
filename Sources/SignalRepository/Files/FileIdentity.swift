import Foundation

/// The files of a store as they were opened, even if other files have their names now.
///
/// A file can be deleted, replaced or moved while it is open. The system keeps writing to the opened file, so a commit
/// would be acknowledged and lost, and two programs would each have their own lock, index or log.
struct FileIdentity: Sendable {
    private let file: String
    /// The files by their full paths, which are stored because every write checks them.
    private let marks: [(path: String, mark: FileID)]

    /// Remembers the file at `path`, and the existing files with these suffixes.
    init(_ path: String, sidecars suffixes: [String]) {
        file = path
        marks = ([""] + suffixes).compactMap { suffix in FileID(path + suffix).map { (path + suffix, $0) } }
    }

    /// Throws if one of the files no longer exists, or another file has its name.
    func check() throws(RepositoryError) {
        for (path, mark) in marks where FileID(path) != mark { throw .fileMoved(path: path) }
    }

    /// Whether the file or its log has lost its name, so that no other program finds the commits in the log.
    var isLogLost: Bool {
        marks.contains { [file, file + "-wal"].contains($0.path) && FileID($0.path) != $0.mark }
    }
}

/// The identity of a file, which does not depend on its name.
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

/// The size of a file and the time of its last change, by which a change is detected.
struct FileChange: Equatable {
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the last change of the file that is at a path now; `nil` if no file is there.
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
    // Passing the path directly would copy it into an array.
    return path.withCString({ stat($0, &status) }) == 0 ? status : nil
}
