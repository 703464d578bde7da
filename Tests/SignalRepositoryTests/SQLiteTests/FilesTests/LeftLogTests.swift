import Foundation
import SignalRepository
import Signals
import TestTraits
import Testing

@Suite("The log of a file that was moved or replaced", .timeLimit(.minutes(10))) struct LeftLogTests {
    private static let count = 100

    /// Opens a store, stores items that stay in its log, and returns it open.
    private func filled(_ path: String) async throws -> SQLiteRepository {
        let repository = try SQLiteRepository(
            .file(path), entities: Film.self, configuration: RepositoryConfiguration(durability: .normal))
        for number in 0..<Self.count { try await repository.create(Film.numbered(number)).value() }
        return repository
    }

    private func count(_ path: String) async throws -> Int {
        let repository = try SQLiteRepository(.file(path), entities: Film.self)
        let count = try await repository.count(Film.self).value()
        await closed(repository)
        return count
    }

    /// Makes a closed store of a few other items, like a backup.
    private func makeBackup(_ path: String) async throws {
        let backup = try SQLiteRepository(.file(path), entities: Film.self)
        try await backup.insert((1000..<1007).map { Film.numbered($0) }).value()
        await closed(backup)
    }

    private func integrity(_ path: String) throws -> String? {
        try RawDatabase(path).text("PRAGMA integrity_check")
    }

    @Test(
        "R19 Once its repository has closed, a moved file has every acknowledged commit",
        arguments: [0, 1, 3])
    func moved(writes: Int) async throws {
        let folder = try TemporaryFolder()
        let (old, new) = (folder.file("x.sqlite"), folder.file("y.sqlite"))
        let repository = try await filled(old)
        try #require(rename(old, new) == 0)
        for _ in 0..<writes {
            await expectFailure(\.isFileMoved) { try await repository.create(Film.numbered(500)).value() }
        }
        await closed(repository)
        #expect(try await count(new) == Self.count)
        #expect(try integrity(new) == "ok")
        // A store created under the old name is a separate one.
        #expect(try await count(old) == 0)
        #expect(try await count(new) == Self.count)
    }

    @Test("R19 A file that was moved and moved back works again, and has everything")
    func movedBack() async throws {
        let folder = try TemporaryFolder()
        let (old, new) = (folder.file("x.sqlite"), folder.file("y.sqlite"))
        let repository = try await filled(old)
        try #require(rename(old, new) == 0)
        await expectFailure(\.isFileMoved) { try await repository.create(Film.numbered(500)).value() }
        try #require(rename(new, old) == 0)
        try await repository.create(Film.numbered(501)).value()
        await closed(repository)
        #expect(try await count(old) == Self.count + 1)
    }

    @Test("R19 A backup that replaces an open file stays as it is", arguments: [0, 1, 3])
    func replaced(writes: Int) async throws {
        let folder = try TemporaryFolder()
        let (path, backup) = (folder.file("x.sqlite"), folder.file("backup.sqlite"))
        try await makeBackup(backup)
        let repository = try await filled(path)
        try #require(rename(backup, path) == 0)
        for _ in 0..<writes {
            await expectFailure(\.isFileMoved) { try await repository.create(Film.numbered(500)).value() }
        }
        await closed(repository)
        #expect(try await count(path) == 7)
        #expect(try integrity(path) == "ok")
    }

    @Test("R19 If the log of an open file is removed, the file has everything after closing")
    func logRemoved() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("x.sqlite")
        let repository = try await filled(path)
        unlink(path + "-wal")
        await expectFailure(\.isFileMoved) { try await repository.create(Film.numbered(500)).value() }
        await closed(repository)
        #expect(try await count(path) == Self.count)
    }

    @Test("R19 If a process is killed after its file was moved, the file and its log can be reunited", .prompt)
    func killedAfterMove() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let path = SharedFile.parents("moved").path
            let repository = try SQLiteRepository(.file(path), entities: Film.self)
            for number in 0..<100 { try await repository.create(Film.numbered(number)).value() }
            rename(path, path + "-y")
            _exit(7)
        }
        let file = SharedFile.own("moved")
        let moved = file.path + "-y"
        defer {
            file.remove()
            for suffix in ["", "-lock", "-wal", "-shm"] { unlink(moved + suffix) }
        }
        // No new store is created over the log.
        await expectFailure({ error in
            if case .cannotOpen(_, let reason) = error { reason.contains("-wal") } else { false }
        }) {
            try SQLiteRepository(.file(file.path), entities: Film.self)
        }
        try #require(rename(file.path + "-wal", moved + "-wal") == 0)
        #expect(try await count(moved) == 100)
        #expect(try integrity(moved) == "ok")
    }

    @Test(
        "R19 If a process is killed after it noticed the move, the moved file has everything", .prompt
    )
    func killedAfterNotice() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let path = SharedFile.parents("noticed").path
            let repository = try SQLiteRepository(.file(path), entities: Film.self)
            for number in 0..<100 { try await repository.create(Film.numbered(number)).value() }
            rename(path, path + "-y")
            do { try await repository.create(Film.numbered(500)).value() } catch { _exit(7) }
            _exit(1)
        }
        let file = SharedFile.own("noticed")
        let moved = file.path + "-y"
        defer {
            file.remove()
            for suffix in ["", "-lock", "-wal", "-shm"] { unlink(moved + suffix) }
        }
        #expect(try await count(moved) == 100)
    }

    @Test("R19 The log of a killed process is not merged into a file that replaced the original", .prompt)
    func killedAfterReplace() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let path = SharedFile.parents("replaced").path
            let repository = try SQLiteRepository(.file(path), entities: Film.self)
            for number in 0..<100 { try await repository.create(Film.numbered(number)).value() }
            _exit(7)
        }
        let file = SharedFile.own("replaced")
        let backup = file.path + "-backup"
        defer {
            file.remove()
            for suffix in ["", "-lock", "-wal", "-shm"] { unlink(backup + suffix) }
        }
        try await makeBackup(backup)
        try #require(rename(backup, file.path) == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: file.path))
        for access in [StoreAccess.readWrite, .readOnly, .readWrite] {
            await expectFailure({ error in
                if case .cannotOpen(_, let reason) = error { reason.contains("-wal") } else { false }
            }) {
                try SQLiteRepository(
                    .file(file.path), entities: Film.self, configuration: RepositoryConfiguration(access: access))
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == before)
        // Once the log is moved away, the file opens as it was.
        try #require(rename(file.path + "-wal", file.path + "-kept") == 0)
        defer { unlink(file.path + "-kept") }
        #expect(try await count(file.path) == 7)
        #expect(try integrity(file.path) == "ok")
    }

    @Test("The log of a killed process belongs to its file, in another folder too", .prompt)
    func killed() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let path = SharedFile.parents("kept").path
            let repository = try SQLiteRepository(.file(path), entities: Film.self)
            for number in 0..<100 { try await repository.create(Film.numbered(number)).value() }
            _exit(7)
        }
        let file = SharedFile.own("kept")
        defer { file.remove() }
        let folder = try TemporaryFolder()
        for suffix in ["", "-lock", "-wal"] {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: folder.file("x.sqlite") + suffix)
        }
        #expect(try await count(folder.file("x.sqlite")) == 100)
        #expect(try await count(file.path) == 100)
    }
}

extension RepositoryError {
    fileprivate var isFileMoved: Bool { if case .fileMoved = self { true } else { false } }
}
