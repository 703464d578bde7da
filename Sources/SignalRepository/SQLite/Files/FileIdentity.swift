import Foundation

/// The files that a store is made of: those that were there when it was opened, not those that have their names now.
///
/// A file can be deleted, replaced or moved while it is open. The system goes on writing to what was opened, so a
/// commit would be acknowledged and lost; and two programs would each have their own lock, index or log.
struct FileIdentity: Sendable {
    private let file: String
    /// The paths as a whole, because each write looks at them.
    private let marks: [(path: String, mark: FileMark)]

    /// Remembers the file at `path`, and those of the files beside it that exist.
    init(_ path: String, beside suffixes: [String]) {
        file = path
        marks = ([""] + suffixes).compactMap { suffix in FileMark(path + suffix).map { (path + suffix, $0) } }
    }

    /// Throws when one of the files no longer exists, or another has its name.
    func check() throws(RepositoryError) {
        for (path, mark) in marks where FileMark(path) != mark { throw .fileMoved(path: path) }
    }

    /// Whether the file and its log do not stand side by side any more, so that nobody else finds what the log holds.
    var isLogLost: Bool {
        marks.contains { [file, file + "-wal"].contains($0.path) && FileMark($0.path) != $0.mark }
    }
}

/// What tells a file from every other, whatever their names are.
struct FileMark: Sendable, Equatable {
    let device: UInt64
    let number: UInt64

    init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }

    /// The file that has a name now; `nil` when none has.
    init?(_ path: String) {
        guard let status = status(of: path) else { return nil }
        (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

/// What a file has been changed by, as far as the system tells: its size, and when it was last written.
struct FileChange: Equatable {
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// The last change of the file that has a name now; `nil` when none has.
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

/// What the system says of the file that has a name now; `nil` when none has.
private func status(of path: String) -> stat? {
    var status = stat()
    // A path that is passed as it is would be copied into an array.
    return path.withCString({ stat($0, &status) }) == 0 ? status : nil
}
