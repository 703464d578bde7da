import Foundation
import Signals
import Synchronization
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Paths") struct DatabasePathTests {
    private func refusal(_ path: String, _ access: StoreAccess = .readWrite) throws -> RepositoryError {
        try thrown { () throws(RepositoryError) in
            try OpenedStore(.file(path), access: access, entities: [Box<Int>.self])
        }
    }

    @Test("A path that cannot be a database is refused at once, and nothing is created or changed")
    func refused() throws {
        let folder = try TemporaryFolder()
        let other = folder.path
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
        try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
        try #require(symlink(folder.file("loop"), folder.file("loop")) == 0)
        try #require(symlink(folder.file("nothing"), folder.file("dangling")) == 0)
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("file")))
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("twice")))
        try #require(link(folder.file("twice"), folder.file("again")) == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: other).sorted()
        let cases: [(path: String, reason: String)] = [
            ("", "the path is empty"), ("a\0b", "the path contains NUL"), (folder.file("folder"), "it is a folder"),
            (folder.file("new/"), "it names a folder"), (folder.file("."), "it is a folder"),
            (folder.file("pipe"), "it is a pipe"), ("/dev/zero", "it is a device"), ("/dev/null", "it is a device"),
            (folder.file("loop"), "its symbolic links form a loop"),
            (folder.file("dangling"), "it is a link to a missing file"),
            (folder.file("again"), "it has a second name (a hard link)"),
            (folder.file("missing/a.sqlite"), "the folder does not exist"),
            (folder.file("file/a.sqlite"), "a part of the path is not a folder"),
            (folder.file(String(repeating: "n", count: 300)), "file name too long"),
        ]
        for example in cases {
            for access in [StoreAccess.readWrite, .readOnly] {
                let error = try refusal(example.path, access)
                guard case .cannotOpen(_, let reason) = error else { return #expect(Bool(false), "\(error)") }
                #expect(reason == example.reason, "\(example.path)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).sorted() == before)
    }

    @Test("Reading requires a file that exists and is not empty")
    func readOnly() throws {
        let folder = try TemporaryFolder()
        guard case .cannotOpen(_, "the file does not exist") = try refusal(folder.file(), .readOnly) else {
            return #expect(Bool(false))
        }
        _ = FileManager.default.createFile(atPath: folder.file(), contents: nil)
        guard case .cannotOpen(folder.file(), DatabasePath.emptiness) = try refusal(folder.file(), .readOnly) else {
            return #expect(Bool(false))
        }
        #expect(try folder.contents() == ["store.sqlite": Data()])
    }

    @Test(
        "Names that SQLite would interpret are plain file names here",
        arguments: [
            "file:a.sqlite", "file:a.sqlite?mode=memory", ":memory:", " ", "-x", "a?b#c%20", "é", "--", "a'b\"c",
        ])
    func names(_ name: String) throws {
        let folder = try TemporaryFolder()
        let store = try OpenedStore(.file(folder.file(name)), entities: [Box<Int>.self])
        #expect(try folder.contents().keys.contains(name))
        store.writer?.close()
        #expect(try folder.contents().keys.sorted() == [name, name + "-lock"].sorted())
    }

    @Test("Links and relative components resolve to one path")
    func oneName() throws {
        let folder = try TemporaryFolder()
        _ = FileManager.default.createFile(atPath: folder.file("real"), contents: Data(count: 512))
        try #require(symlink(folder.file("real"), folder.file("link")) == 0)
        let real = try DatabasePath(folder.file("real"), access: .readWrite)
        #expect(try DatabasePath(folder.file("link"), access: .readWrite) == real)
        #expect(try DatabasePath(folder.file("./../") + folder.name + "/real", access: .readWrite) == real)
        #expect(try DatabasePath(folder.file("./new"), access: .readWrite).path == folder.file("new"))
    }

    @Test("Only its owner may access a new file, its log and its lock")
    func permissions() throws {
        let folder = try TemporaryFolder()
        let store = try OpenedStore(.file(folder.file()), entities: [Box<Int>.self])
        try store.writer?.execute("INSERT INTO Box VALUES (1, 2)")
        let names = try folder.contents().keys.sorted()
        #expect(names == ["", "-lock", "-shm", "-wal"].map { "store.sqlite" + $0 })
        for name in names { #expect(try folder.permissions(name) & 0o777 == 0o600, "\(name)") }
    }

    @Test("Creating a file does not leave it open")
    func created() throws {
        let folder = try TemporaryFolder()
        let path = try DatabasePath(folder.file(), access: .readWrite)
        try path.create()
        var made = stat()
        try #require(lstat(folder.file(), &made) == 0)
        let isOpen = (Int32(0)..<1_024).contains { descriptor in
            var other = stat()
            return fstat(descriptor, &other) == 0 && other.st_ino == made.st_ino && other.st_dev == made.st_dev
        }
        #expect(!isOpen)
    }

    @Test("A log and an index that disappear during the check are not refused: another connection has closed")
    func closedMeanwhile() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file()
        try DatabasePath(path, access: .readWrite).create()
        let isDone = Atomic(false)
        let refusals = Lock<[String]>([])
        await onThreads(2) { thread in
            if thread == 0 {
                for _ in 0..<20_000 {
                    do { _ = try DatabasePath(path, access: .readWrite) } catch {
                        refusals.withLock { $0.append("\(error)") }
                    }
                }
                isDone.store(true, ordering: .relaxed)
            }
            while thread == 1, !isDone.load(ordering: .relaxed) {
                for file in ["-wal", "-shm"].map({ path + $0 }) {
                    close(open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
                    unlink(file)
                }
            }
        }
        #expect(refusals.withLock { $0 } == [])
    }
}

extension TemporaryFolder {
    /// The last component of the path.
    fileprivate var name: String { String(path.split(separator: "/").last ?? "") }
}
