import Foundation

/// The files that a store is made of: those that were there when it was opened, not those that have their names now.
///
/// A file can be deleted, replaced or moved while it is open. The system goes on writing to what was opened, so a
/// commit would be acknowledged and lost; and two programs would each have their own lock, index or log.
struct FileIdentity: Sendable {
    private let path: String
    private let marks: [(suffix: String, mark: FileMark)]

    /// Remembers the file at `path`, and those of the files beside it that exist.
    init(_ path: String, beside suffixes: [String]) {
        self.path = path
        marks = ([""] + suffixes).compactMap { suffix in FileMark(path + suffix).map { (suffix, $0) } }
    }

    /// Throws when one of the files no longer exists, or another has its name.
    func check() throws(RepositoryError) {
        for (suffix, mark) in marks where FileMark(path + suffix) != mark { throw .fileMoved(path: path + suffix) }
    }

    /// Whether the file and its log do not stand side by side any more, so that nobody else finds what the log holds.
    var isLogLost: Bool {
        marks.contains { ["", "-wal"].contains($0.suffix) && FileMark(path + $0.suffix) != $0.mark }
    }
}

/// What tells a file from every other, whatever their names are.
struct FileMark: Sendable, Equatable {
    let device: UInt64
    let number: UInt64

    init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }

    /// The file that has a name now; `nil` when none has.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
