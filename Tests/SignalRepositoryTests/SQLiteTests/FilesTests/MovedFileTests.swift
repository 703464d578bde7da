import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("A file that is removed, moved or replaced while it is open", .timeLimit(.minutes(10))) struct MovedFileTests {
    /// An event that affects the files of an open store.
    enum Event: CaseIterable, Sendable {
        case deleted, moved, replaced, folderMoved, lockRemoved, indexRemoved, logRemoved
    }

    @Test("R19 A transaction whose body deletes the file fails")
    func inside() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let repository = try SQLiteRepository(.file(path), entities: Film.self)
        await expectFailure({ if case .fileMoved = $0 { true } else { false } }) {
            try await repository.transaction { store in
                try store.create(Film.numbered(1))
                unlink(path)
            }.value()
        }
        await closed(repository)
    }

    @Test("Two files whose names are equal in Swift are two stores")
    func twoForms() async throws {
        let folder = try TemporaryFolder()
        let repositories = try ["\u{E9}", "e\u{301}"].map { name in
            try SQLiteRepository(.file(folder.file(name + ".sqlite")), entities: Film.self)
        }
        try await repositories[0].create(Film.numbered(1)).value()
        #expect(try await repositories[1].count(Film.self).value() == 0)
        for repository in repositories { await closed(repository) }
    }

    @Test("Options outside their range are clamped to the nearest valid value")
    func configuration() async throws {
        let folder = try TemporaryFolder()
        var configuration = RepositoryConfiguration()
        configuration.readers = 0
        let forever = Duration.seconds(Int64.max)
        (configuration.lockTimeout, configuration.ownershipTimeout, configuration.watchInterval) = (
            forever, forever, forever
        )
        let path = folder.file("store.sqlite")
        let repository = try SQLiteRepository(.file(path), entities: Film.self, configuration: configuration)
        #expect(try await repository.count(Film.self).value() == 0)
        await closed(repository)
    }

    @Test("R19 A write fails once the file, its log, index or lock is no longer in place", arguments: Event.allCases)
    func refused(event: Event) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("sub"), withIntermediateDirectories: true)
        let path = folder.file("sub/store.sqlite")
        let repository = try SQLiteRepository(.file(path), entities: Film.self)
        try await repository.create(Film.numbered(1)).value()
        switch event {
        case .deleted: unlink(path)
        case .moved: rename(path, path + "-elsewhere")
        case .replaced:
            try RawDatabase(path + "-new").run("CREATE TABLE t(a)")
            rename(path + "-new", path)
        case .folderMoved: rename(folder.file("sub"), folder.file("other"))
        case .lockRemoved: unlink(path + "-lock")
        case .indexRemoved: unlink(path + "-shm")
        case .logRemoved: unlink(path + "-wal")
        }
        for number in 2...3 {
            await expectFailure({ if case .fileMoved = $0 { true } else { false } }) {
                try await repository.create(Film.numbered(number)).value()
            }
        }
        await closed(repository)
    }

    @Test("A reader that is opened after the file was replaced does not read the new file")
    func readers() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file()
        var configuration = RepositoryConfiguration()
        configuration.readers = 2
        let repository = try SQLiteRepository(.file(path), entities: Film.self, configuration: configuration)
        try await repository.create(Film.numbered(1)).value()
        let another = try SQLiteRepository(.file(path + "-new"), entities: Film.self)
        await closed(another)
        rename(path + "-new", path)
        await expectFailure({ if case .fileMoved = $0 { true } else { false } }) {
            try await repository.count(Film.self).value()
        }
        await closed(repository)
    }
}
