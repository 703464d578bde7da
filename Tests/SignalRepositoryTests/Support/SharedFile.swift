import Foundation

/// A file that a test and the processes it starts find by the test's process id.
struct SharedFile {
    let path: String

    /// The file in the process of the test, which must remove it.
    static func own(_ name: String) -> SharedFile { SharedFile(name, of: getpid()) }

    /// The same file in a process that the test started.
    static func parents(_ name: String) -> SharedFile { SharedFile(name, of: getppid()) }

    private init(_ name: String, of process: Int32) {
        path = FileManager.default.temporaryDirectory.path + "/SignalRepository-\(process)-\(name).sqlite"
    }

    func remove() {
        for suffix in ["", "-lock", "-wal", "-shm"] { unlink(path + suffix) }
    }
}
