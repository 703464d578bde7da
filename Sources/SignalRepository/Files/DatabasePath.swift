import Foundation

/// The path of a database file, checked before SQLite sees it.
///
/// SQLite would wait forever on a pipe, open a device, treat a zero-length file as a database, and read `file:` as the
/// beginning of a URI. The checked path is absolute and free of symbolic links, so that each file has one path.
struct DatabasePath: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        case nothing
        case emptyFile
        case file
    }

    /// The absolute path without symbolic links.
    let path: String
    let content: Content

    var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/" }

    /// The path of the file whose lock decides which process writes.
    var lockPath: String { path + "-lock" }

    /// Checks a path as given by the user.
    init(_ name: String, access: StoreAccess) throws(RepositoryError) {
        guard !name.isEmpty else { throw .cannotOpen(path: name, reason: "the path is empty") }
        guard !name.utf8.contains(0) else {
            throw .cannotOpen(path: name.replacing("\0", with: "\\0"), reason: "the path contains NUL")
        }
        var status = stat()
        if lstat(name, &status) == 0 {
            path = try Self.real(name, of: name)
            try Self.checkName(path)
            content = try Self.content(of: path)
        } else {
            guard errno == ENOENT else { throw .cannotOpen(path: name, reason: Self.reason(errno)) }
            path = try Self.futurePath(name)
            try Self.checkName(path)
            content = .nothing
        }
        if access != .immutable { try checkFileSystem() }
        switch access {
        case .readWrite: try checkWriting()
        case .readOnly: try checkReading()
        case .immutable:
            try checkReading()
            guard !hasSidecar else {
                throw .cannotOpen(
                    path: path, reason: "it has a log or a journal: a program uses it, or did not close it")
            }
        }
        try LogOwner.check(self)
    }

    /// Creates the file, empty and accessible only to its owner.
    func create() throws(RepositoryError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: Self.reason(errno)) }
        _ = Foundation.close(descriptor)
    }

    /// Removes the files that a failed creation of a store left.
    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    /// The suffixes of a store's files other than the database file.
    static let sidecarSuffixes = ["-wal", "-shm", "-journal", "-lock"]

    /// Whether the file has a log or a journal.
    ///
    /// If so, a program is using the file, or was stopped while using it.
    var hasSidecar: Bool {
        var status = stat()
        return ["-wal", "-shm", "-journal"].contains { lstat(path + $0, &status) == 0 }
    }

    static let emptiness = "it is empty, as after a failed copy: replace it with a copy, or remove it"

    /// Whether the file exists now and is not empty.
    var hasContent: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    static func reason(_ number: Int32) -> String {
        switch number {
        case ENOENT: "the folder does not exist"
        case EACCES, EPERM: "permission is denied"
        case ELOOP: "its symbolic links form a loop"
        case ENOTDIR: "a part of the path is not a folder"
        default: String(cString: strerror(number)).lowercased()
        }
    }
}

extension DatabasePath {
    private static func real(_ name: String, of original: String) throws(RepositoryError) -> String {
        guard let buffer = realpath(name, nil) else {
            let reason = errno == ENOENT && name == original ? "it is a link to a missing file" : reason(errno)
            throw .cannotOpen(path: original, reason: reason)
        }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    private static func futurePath(_ name: String) throws(RepositoryError) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.last, !last.isEmpty, last != ".", last != ".." else {
            throw .cannotOpen(path: name, reason: "it names a folder")
        }
        let folder = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/") + "/"
        var status = stat()
        guard stat(folder, &status) == 0 else { throw .cannotOpen(path: name, reason: reason(errno)) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .cannotOpen(path: name, reason: reason(ENOTDIR)) }
        let real = try real(folder, of: name)
        return real == "/" ? "/\(last)" : "\(real)/\(last)"
    }

    static func content(of path: String) throws(RepositoryError) -> Content {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .cannotOpen(path: path, reason: reason(errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            // SQLite names the log after the file. With two names there would be two logs, and a program would miss the
            // commits in the other program's log.
            guard status.st_nlink <= 1 else {
                throw .cannotOpen(path: path, reason: "it has a second name (a hard link)")
            }
            if status.st_size == 0 { return .emptyFile }
            // A page has at least 512 bytes. SQLite would treat a smaller file as empty, and overwrite its content.
            guard status.st_size >= 512 else { throw .notADatabase(path: path) }
            return .file
        case S_IFDIR: throw .cannotOpen(path: path, reason: "it is a folder")
        case S_IFIFO: throw .cannotOpen(path: path, reason: "it is a pipe")
        case S_IFSOCK: throw .cannotOpen(path: path, reason: "it is a socket")
        default: throw .cannotOpen(path: path, reason: "it is a device")
        }
    }

    /// Throws if an existing store uses the path for its log or lock file, because that store would overwrite or remove
    /// a file there.
    private static func checkName(_ path: String) throws(RepositoryError) {
        for suffix in sidecarSuffixes where path.hasSuffix(suffix) {
            let other = String(path.dropLast(suffix.count))
            var status = stat()
            guard !other.hasSuffix("/"), stat(other, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            throw .cannotOpen(path: path, reason: "it has the name of a file that belongs to \(other)")
        }
    }

    private func checkFileSystem() throws(RepositoryError) {
        guard let network = NetworkFolder.name(of: content == .nothing ? folder : path) else { return }
        throw .cannotOpen(
            path: path,
            reason: "it is on a network file system (\(network)), which can damage a store: keep it on this machine, "
                + "or use a PostgreSQL server")
    }

    private func checkReading() throws(RepositoryError) {
        switch content {
        case .nothing: throw .cannotOpen(path: path, reason: "the file does not exist")
        case .emptyFile where LogOwner.line(of: lockPath) == LogOwner.newStore:
            throw .cannotOpen(path: path, reason: "another program is creating it")
        case .emptyFile: try LogOwner.checkContent(of: self)
        case .file: break
        }
        guard access(path, R_OK) == 0 else { throw .cannotOpen(path: path, reason: Self.reason(errno)) }
    }

    /// Throws if the file, its log or its folder is not writable.
    ///
    /// The folder must hold the log and the lock file.
    private func checkWriting() throws(RepositoryError) {
        if content == .nothing {
            guard access(folder, W_OK | X_OK) == 0 else {
                throw .cannotOpen(path: path, reason: "no file can be created in its folder: \(Self.reason(errno))")
            }
            return
        }
        guard access(path, R_OK) == 0 else { throw .cannotOpen(path: path, reason: Self.reason(errno)) }
        guard access(path, W_OK) == 0 else {
            throw .readOnly(detail: "the file \(path) cannot be written: \(Self.reason(errno))")
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw .readOnly(detail: "the folder of \(path) cannot be written: \(Self.reason(errno))")
        }
        // If another user has read the store, these files may belong to that user, and the first write would fail. A
        // missing file is fine, because SQLite creates it; the last connection that closes removes both files.
        for file in ["-wal", "-shm"].map({ path + $0 }) where access(file, W_OK) != 0 && errno != ENOENT {
            throw .readOnly(
                detail: "\(file), which belongs to the store, cannot be written: \(Self.reason(errno)); remove that "
                    + "file if no program has the store open and the log is empty")
        }
    }
}
