import Foundation

/// The files that a store is made of: those that were there when it was opened, not those that have their names now.
///
/// A file can be deleted, replaced or moved while it is open. The system goes on writing to what was opened, so a
/// commit would be acknowledged and lost; and two programs would each have their own lock, index or log.
struct FileIdentity: Sendable {
    private struct Mark: Sendable {
        let path: String
        let device: UInt64
        let number: UInt64
    }

    private let path: String
    private let marks: [Mark]

    /// Remembers the file at `path`, and those of the files beside it that exist.
    init(_ path: String, beside suffixes: [String]) {
        self.path = path
        marks = ([""] + suffixes).compactMap { suffix in Self.mark(path + suffix) }
    }

    /// Throws when one of the files no longer exists, or another has its name.
    func check() throws(RepositoryError) {
        for mark in marks {
            guard let now = Self.mark(mark.path), now.number == mark.number, now.device == mark.device else {
                throw .fileMoved(path: mark.path)
            }
        }
    }

    private static func mark(_ path: String) -> Mark? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Mark(path: path, device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
