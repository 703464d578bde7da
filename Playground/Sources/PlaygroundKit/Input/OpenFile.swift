import Foundation

/// Holds one open file descriptor and closes it when released.
final class OpenFile: Sendable {
    let descriptor: Int32
    /// True for what can be read twice: a file, but neither a pipe nor a device.
    let isSeekable: Bool
    private let closes: Bool

    private init(descriptor: Int32, isSeekable: Bool, closes: Bool) {
        self.descriptor = descriptor
        self.isSeekable = isSeekable
        self.closes = closes
    }

    deinit {
        if closes { close(descriptor) }
    }

    static let standardInput = OpenFile(descriptor: STDIN_FILENO, isSeekable: false, closes: false)

    /// Opens a file to read, and refuses a directory.
    static func reading(_ path: String) throws(PlaygroundError) -> OpenFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw PlaygroundError("\(Escaping.visible(path)) cannot be read: \(systemReason())")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = systemReason()
            close(descriptor)
            throw PlaygroundError("\(Escaping.visible(path)) cannot be read: \(reason)")
        }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else {
            close(descriptor)
            throw PlaygroundError("\(Escaping.visible(path)) is a directory, not a file of films")
        }
        return OpenFile(descriptor: descriptor, isSeekable: kind == S_IFREG, closes: true)
    }

    /// Makes a file without a name that lasts as long as this object: where a pipe is kept that must be read twice.
    static func temporary() throws(PlaygroundError) -> OpenFile {
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array("\(folder)/playground-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw PlaygroundError("no temporary file can be made in \(folder): \(systemReason())")
        }
        unlink(template)
        return OpenFile(descriptor: descriptor, isSeekable: true, closes: true)
    }

    /// Tells why the last system call failed, in the system's words.
    static func systemReason() -> String {
        String(cString: strerror(errno))
    }

    /// Tells which regular file a path leads to; nil when there is none.
    static func identity(_ path: String) -> [UInt64]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
}
