import Foundation
import SignalRepository
import Signals
import SignalsTesting
import TestTraits
import Testing

@Suite("Files beside a read-only store", .timeLimit(.minutes(10))) struct ReadOnlyFilesTests {
    private func makeStore(_ folder: TemporaryFolder) async throws {
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await repository.insert([Film.numbered(1), .numbered(2)]).value()
        await closed(repository)
    }

    @Test("Reading leaves the file unchanged, and nothing beside it")
    func nothing() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(folder)
        let before = try folder.contents()
        for _ in 0..<3 {
            let reading = try SQLiteRepository(
                .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
            let counts = reading.countSubscription(Film.self).record()
            #expect(await counts.values(1) == [2])
            #expect(try await reading.fetch(Film.all).value().count == 2)
            await closed(reading)
            #expect(try folder.contents() == before)
        }
    }

    @Test("Closing a reader leaves the files that other repositories use, and they keep working")
    func used() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(folder)
        let first = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
        #expect(try await first.count(Film.self).value() == 2)
        let second = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
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

    @Test("An immutable file is read without any file beside it, and cannot be written")
    func immutable() async throws {
        let folder = try TemporaryFolder()
        try await makeStore(folder)
        unlink(folder.file() + "-lock")
        let before = try folder.contents()
        let open = { () throws(RepositoryError) -> SQLiteRepository in
            try SQLiteRepository(
                .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(access: .immutable))
        }
        let (first, second) = (try open(), try open())
        for repository in [first, second] {
            let counts = repository.countSubscription(Film.self).record()
            #expect(await counts.values(1) == [2])
            #expect(try await repository.stream(Film.all).collect().value().count == 2)
            await expectFailure(\.isReadOnly) { try await repository.create(Film.numbered(3)).value() }
            #expect(try folder.contents() == before)
        }
        await closed(first)
        await closed(second)
        #expect(try folder.contents() == before)
        let plain = try RawDatabase(folder.file("plain"))
        try plain.run(
            "CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY, Name TEXT); INSERT INTO Artist VALUES (1, 'a')")
        plain.close()
        let adopted = try SQLiteRepository(
            adopting: folder.file("plain"), entities: Artist.self,
            configuration: RepositoryConfiguration(access: .immutable))
        #expect(try await adopted.fetch(Artist.all).value() == [Artist(id: 1, name: "a")])
        await closed(adopted)
        let writing = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        await expectFailure(\.isCannotOpen) { try open() }
        await closed(writing)
        await closed(try open())
        await expectFailure(\.isMisuse) {
            try SQLiteRepository(
                .inMemory, entities: Film.self, configuration: RepositoryConfiguration(access: .immutable))
        }
    }

    @Test("In a folder that cannot be written, a file opens as immutable, and is refused otherwise", .prompt)
    func folder() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let folder = try TemporaryFolder()
            let writing = try SQLiteRepository(.file(folder.file()), entities: Film.self)
            try await writing.create(Film.numbered(1)).value()
            await closed(writing)
            chmod(folder.file(), 0o444)
            chmod(folder.path, 0o555)
            if getuid() == 0 { guard setgid(65_534) == 0, setuid(65_534) == 0 else { _exit(2) } }
            do {
                _ = try SQLiteRepository(
                    .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly)
                )
                _exit(3)
            } catch {
                guard case .readOnly(let detail)? = error as? RepositoryError, detail.contains(".immutable") else {
                    _exit(4)
                }
            }
            let reading = try SQLiteRepository(
                .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(access: .immutable))
            guard try await reading.fetch(Film.all).value() == [Film.numbered(1)] else { _exit(5) }
            await closed(reading)
            _exit(7)
        }
    }

    @Test("A log or an index of another user is named when the store opens, not by the first write", .prompt)
    func othersFiles() async throws {
        // Root may write every file, so the child process runs as the user nobody.
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
