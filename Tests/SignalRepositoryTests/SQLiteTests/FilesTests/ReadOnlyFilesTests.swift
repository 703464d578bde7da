import Foundation
import SignalRepository
import Signals
import SignalsTesting
import TestTraits
import Testing

@Suite("Files beside a store that is only read", .timeLimit(.minutes(10))) struct ReadOnlyFilesTests {
    private func makeStore(_ folder: TemporaryFolder) async throws {
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await repository.insert([Film.numbered(1), .numbered(2)]).value()
        await closed(repository)
    }

    @Test("Reading leaves nothing behind, and the file as it was")
    func nothing() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(folder)
        let before = try folder.contents()
        for _ in 0..<3 {
            let reading = try SQLiteRepository(.file(folder.file()), entities: Film.self, access: .readOnly)
            let counts = reading.countSubscription(Film.self).record()
            #expect(await counts.values(1) == [2])
            #expect(try await reading.fetch(Film.all).value().count == 2)
            await closed(reading)
            #expect(try folder.contents() == before)
        }
    }

    @Test("What others use stays, and they go on")
    func used() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(folder)
        let first = try SQLiteRepository(.file(folder.file()), entities: Film.self, access: .readOnly)
        #expect(try await first.count(Film.self).value() == 2)
        let second = try SQLiteRepository(.file(folder.file()), entities: Film.self, access: .readOnly)
        #expect(try await second.count(Film.self).value() == 2)
        await closed(first)
        let writing = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await writing.create(Film.numbered(3)).value()
        #expect(try await second.count(Film.self).value() == 3)
        await closed(second)
        try await writing.create(Film.numbered(4)).value()
        #expect(try await writing.count(Film.self).value() == 4)
        await closed(writing)
    }

    @Test("An index that belongs to another user is named when the store is opened, not by the first write", .prompt)
    func othersFiles() async throws {
        // Root may write everything: a child that is nobody does what an owner would.
        await #expect(processExitsWith: .exitCode(7)) {
            if getuid() == 0 { guard setgid(65_534) == 0, setuid(65_534) == 0 else { _exit(2) } }
            let folder = try TemporaryFolder()
            let writing = try SQLiteRepository(.file(folder.file()), entities: Film.self)
            await closed(writing)
            for suffix in ["-wal", "-shm"] {
                _ = FileManager.default.createFile(
                    atPath: folder.file() + suffix, contents: Data(), attributes: [.posixPermissions: 0o444])
                do {
                    let again = try SQLiteRepository(.file(folder.file()), entities: Film.self)
                    await closed(again)
                    _exit(3)
                } catch {
                    guard case .readOnly(let detail)? = error as? RepositoryError else { _exit(5) }
                    guard detail.contains(folder.file() + suffix) else { _exit(4) }
                }
                unlink(folder.file() + suffix)
            }
            let again = try SQLiteRepository(.file(folder.file()), entities: Film.self)
            try await again.create(Film.numbered(1)).value()
            await closed(again)
            _exit(7)
        }
    }
}
