import Foundation

/// Holds one open file descriptor, and closes it when released, except for standard input.
package final class OpenFile: Sendable {
    let descriptor: Int32
    /// Whether it can be read twice: true for a regular file, but neither for a pipe nor for a device.
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

    /// Makes a file without a name that lasts as long as this object, for a pipe or an upload that must be read twice.
    package static func temporary() throws(PlaygroundError) -> OpenFile {
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array("\(folder)/playground-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw PlaygroundError("no temporary file can be made in \(folder): \(systemReason())")
        }
        unlink(template)
        return OpenFile(descriptor: descriptor, isSeekable: true, closes: true)
    }

    /// Writes bytes at the end.
    package func append(_ bytes: ArraySlice<UInt8>) throws(PlaygroundError) {
        var rest = bytes
        while !rest.isEmpty {
            let length = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if length < 0 && errno == EINTR { continue }
            guard length > 0 else {
                throw PlaygroundError("the input cannot be kept in a temporary file: \(Self.systemReason())")
            }
            rest = rest.dropFirst(length)
        }
    }

    /// Returns why the last system call failed, in the system's words.
    static func systemReason() -> String {
        String(cString: strerror(errno))
    }

    /// Returns the device and the inode of the regular file at a path; nil if no such file exists.
    static func identity(_ path: String) -> [UInt64]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    /// Whether two paths lead to one file, which need not exist yet.
    static func isSame(_ path: String, _ other: String) -> Bool {
        if let identity = identity(path) { return identity == Self.identity(other) }
        return place(path) == place(other)
    }

    /// Returns the path of the file that a path leads to, or will lead to once created: every link is followed.
    static func place(_ path: String) -> String {
        var path = path
        // At most 40 links, as many as Linux follows.
        for _ in 0..<40 {
            if let real = real(path) { return real }
            let (folder, name) = parts(path)
            guard let folder = real(folder) else { return path }
            let whole = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: whole) else { return whole }
            path = link.hasPrefix("/") ? link : "\(folder)/\(link)"
        }
        return path
    }

    /// Returns the folder of a path, and the name in it, which is empty if the path ends with a slash.
    static func parts(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[slash...].dropFirst()))
    }

    private static func real(_ path: String) -> String? {
        guard let buffer = realpath(path, nil) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }
}
