import Foundation
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Ownership") struct FileOwnershipTests {
    private func open(_ path: String, wait: Int = 0, _ access: StoreAccess = .readWrite) throws(RepositoryError)
        -> OpenedStore
    {
        var options = ConnectionOptions()
        options.ownershipTimeout = wait
        return try OpenedStore(.file(path), access: access, entities: [Box<Int>.self], options: options)
    }

    @Test("A second repository in this process is refused after the timeout, whichever name of the file it uses")
    func sameProcess() throws {
        let folder = try TemporaryFolder()
        let first = try open(folder.file())
        try #require(symlink(folder.file(), folder.file("link")) == 0)
        for name in ["store.sqlite", "link", "./store.sqlite"] {
            let error = try thrown { () throws(RepositoryError) in try open(folder.file(name), wait: 30) }
            guard case .ownedElsewhere(_, let detail) = error else { return #expect(Bool(false), "\(error)") }
            #expect(detail == "another repository of this process has it open for writing")
        }
        first.writer?.close()
        try open(folder.file("link")).writer?.close()
    }

    @Test("Opening waits for another repository of this process until the timeout, and not much longer")
    func statedTime() throws {
        let folder = try TemporaryFolder()
        let first = try open(folder.file())
        let start = ContinuousClock.now
        _ = try thrown { () throws(RepositoryError) in try open(folder.file(), wait: 2_600) }
        let waited = ContinuousClock.now - start
        #expect(waited >= .milliseconds(2_600) && waited < .seconds(5))
        first.writer?.close()
    }

    #if os(Linux)
        @Test("A closed file can be opened at once, even while a starting child process has a copy of its lock")
        func inherited() throws {
            let folder = try TemporaryFolder()
            let first = try open(folder.file())
            let locks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
                return target?.hasSuffix(folder.file() + "-lock") == true
            }
            let copies = locks.compactMap { Int32($0) }.map { dup($0) }
            defer { for copy in copies { close(copy) } }
            try #require(copies.count == 1)
            first.writer?.close()
            try open(folder.file()).writer?.close()
        }
    #endif

    @Test("Reading needs no ownership, and sees the committed values")
    func readers() throws {
        let folder = try TemporaryFolder()
        let writer = try #require(try open(folder.file()).writer)
        try writer.execute("INSERT INTO Box VALUES (1, 2)")
        let reader = try open(folder.file(), .readOnly).makeReader()
        #expect(try reader.integer("SELECT value FROM Box") == 2)
        try writer.execute("UPDATE Box SET value = 3")
        #expect(try reader.integer("SELECT value FROM Box") == 3)
    }

    @Test("Another process that writes is named after the timeout, and no store is created")
    func otherProcess() async throws {
        let folder = try TemporaryFolder()
        // A lock on a separate descriptor acts like the lock of another process.
        let other = try ForeignLock(folder.file() + "-lock")
        let error = try thrown { () throws(RepositoryError) in try open(folder.file(), wait: 30) }
        guard case .ownedElsewhere(folder.file(), let detail) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == "another process (4711) has it open for writing")
        #expect(try folder.contents().keys.sorted() == ["store.sqlite-lock"])
        other.release()
        try open(folder.file()).writer?.close()
    }

    @Test("A lock that is released during the wait is taken")
    func waiting() async throws {
        let folder = try TemporaryFolder()
        let other = try ForeignLock(folder.file() + "-lock")
        DispatchQueue.global().async { other.release() }
        let store = try open(folder.file(), wait: 30_000)
        #expect(store.writer != nil)
    }

    @Test("A process that ends, however it ends, frees the file, and a running one keeps it", .prompt)
    func processes() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            // In the child: the store is opened, written, and never closed.
            let path = SharedFile.parents("owned").path
            let store = try OpenedStore(.file(path), entities: [Box<Int>.self])
            try store.writer?.execute("INSERT OR REPLACE INTO Box VALUES (1, 41)")
            _exit(7)
        }
        let file = SharedFile.own("owned")
        defer { file.remove() }
        let store = try open(file.path)
        #expect(try store.writer?.integer("SELECT value FROM Box") == 41)
        await #expect(processExitsWith: .exitCode(8)) {
            let path = SharedFile.parents("owned").path
            let error = try thrown { () throws(RepositoryError) in
                try OpenedStore(.file(path), entities: [Box<Int>.self])
            }
            guard case .ownedElsewhere(_, let detail) = error else { _exit(1) }
            guard detail == "another process (\(getppid())) has it open for writing" else { _exit(2) }
            let reader = try OpenedStore(.file(path), access: .readOnly, entities: [Box<Int>.self]).makeReader()
            _exit(try reader.integer("SELECT value FROM Box") == 41 ? 8 : 3)
        }
        #expect(try store.writer?.integer("SELECT value FROM Box") == 41)
    }

    @Test("A lock file that is a symbolic link is not followed")
    func linkedLock() throws {
        let folder = try TemporaryFolder()
        try #require(symlink(folder.file("elsewhere"), folder.file() + "-lock") == 0)
        let error = try thrown { () throws(RepositoryError) in try open(folder.file()) }
        guard case .cannotOpen = error else { return #expect(Bool(false), "\(error)") }
        #expect(try folder.contents().keys.sorted() == ["store.sqlite-lock"])
    }
}

/// The lock file of a store, held as process 4711 would hold it.
private final class ForeignLock: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        try #require(pwrite(descriptor, "4711\n", 5, 0) == 5)
    }

    func release() {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
