import CSQLite
import Foundation
import Signals
import SignalsTesting
import TestTraits
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Backup", .timeLimit(.minutes(10))) struct BackupTests {
    /// The number of films, enough for several steps.
    private static let count = 40_000

    /// Films with titles of 200 bytes.
    private static func films() -> [Film] {
        (0..<count).map { Film.numbered($0, title: String(repeating: "x", count: 200), boxOffice: 1) }
    }

    private func filled(_ path: String) async throws -> SQLiteRepository {
        let repository = try SQLiteRepository(
            .file(path), entities: Film.self, configuration: RepositoryConfiguration(durability: .normal))
        try await repository.insert(Self.films()).value()
        return repository
    }

    /// The films in a file, after another program has checked its integrity.
    private func stored(in path: String) async throws -> [Film] {
        #expect(try RawDatabase(path).rows("PRAGMA integrity_check") == ["ok"])
        let copy = try SQLiteRepository(.file(path), entities: Film.self)
        let films = try await copy.fetch(Film.all.sorted(by: \.id)).value()
        await closed(copy)
        return films
    }

    @Test("A backup has the same films, and is a store itself", arguments: StoreKind.local, [0, 1, 3, 1000])
    func whole(kind: StoreKind, count: Int) async throws {
        try await withRepository(kind) { repository in
            let repository = try #require(repository as? SQLiteRepository)
            let films = (0..<count).map { Film.numbered($0, title: TextZoo.texts[$0 % TextZoo.texts.count]) }
            try await repository.insert(films).value()
            let folder = try TemporaryFolder()
            let progress = repository.backup(to: folder.file("copy")).record()
            #expect(await progress.end() == .finished)
            #expect(progress.values.last?.fraction == 1)
            #expect(try folder.contents().keys.sorted() == ["copy"])
            #expect(try await stored(in: folder.file("copy")) == repository.fetch(Film.all.sorted(by: \.id)).value())
            try await repository.backup().value().write(to: URL(fileURLWithPath: folder.file("bytes")))
            #expect(try await stored(in: folder.file("bytes")).count == count)
        }
    }

    @Test("A backup copies one state despite concurrent writes, at the pace of the sink")
    func besideAWriter() async throws {
        let folder = try TemporaryFolder()
        let repository = try await filled(folder.file())
        let before = try await repository.fetch(Film.all.sorted(by: \.id)).value()
        let progress = repository.backup(to: folder.file("copy")).record(demand: .max(1))
        var (count, numbers) = (
            1, [Int]()
        )
        while await progress.values(count).count == count {
            numbers.append(progress.values[count - 1].copied)
            // Every page is changed between two steps.
            try await repository.update(Film.self, set: [.set(\.title, to: "changed")]) { _ in .true }.value()
            try await repository.delete(Film.self, id: Film.id(count)).value()
            if progress.values[count - 1].fraction == 1 { break }
            count += 1
            progress.request(.max(1))
        }
        #expect(await progress.end() == .finished)
        #expect(count > 2 && numbers == numbers.sorted() && Set(numbers).count == count)
        #expect(try await stored(in: folder.file("copy")) == before)
        await closed(repository)
    }

    @Test("An existing file is replaced only on request, and the second backup has the newer state")
    func existing() async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        _ = try await repository.backup(to: folder.file("copy")).last().value()
        try await repository.create(Film.numbered(1)).value()
        await expectFailure(\.isCannotOpen) { try await repository.backup(to: folder.file("copy")).last().value() }
        #expect(try await stored(in: folder.file("copy")).isEmpty)
        unlink(folder.file("copy-lock"))
        _ = try await repository.backup(to: folder.file("copy"), replacing: true).last().value()
        #expect(try await stored(in: folder.file("copy")) == [Film.numbered(1)])
        // A text file is replaced too, on request; a folder never is.
        try Data(repeating: 65, count: 1000).write(to: URL(fileURLWithPath: folder.file("text")))
        await expectFailure(\.isCannotOpen) { try await repository.backup(to: folder.file("text")).last().value() }
        _ = try await repository.backup(to: folder.file("text"), replacing: true).last().value()
        #expect(try await stored(in: folder.file("text")) == [Film.numbered(1)])
        for name in [folder.path, "", folder.file("none/copy")] {
            await expectFailure(\.isCannotOpen) {
                try await repository.backup(to: name, replacing: true).last().value()
            }
        }
        await closed(repository)
    }

    @Test("A backup replaces neither an open store, its own or another, nor a file with a log")
    func open() async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await repository.create(Film.numbered(1)).value()
        let other = try SQLiteRepository(.file(folder.file("other")), entities: Film.self)
        try await other.create(Film.numbered(2)).value()
        for name in [folder.file(), folder.file("other")] {
            await expectFailure(\.isCannotOpen) {
                try await repository.backup(to: name, replacing: true).last().value()
            }
        }
        try Data([1]).write(to: URL(fileURLWithPath: folder.file("gone-wal")))
        await expectFailure(\.isCannotOpen) { try await repository.backup(to: folder.file("gone")).last().value() }
        #expect(try await repository.fetch(Film.all).value() == [Film.numbered(1)])
        #expect(try await other.fetch(Film.all).value() == [Film.numbered(2)])
        await closed(repository)
        await closed(other)
        #expect(try !folder.contents().keys.contains { $0.hasSuffix("-backup") })
    }

    @Test(
        "S-L4 A file without a log is not replaced while another program reads or writes it", arguments: [false, true])
    func used(isWriting: Bool) async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await repository.create(Film.numbered(1)).value()
        let other = try OtherProgram(folder.file("other"))
        try other.run("CREATE TABLE t (a)")
        try other.run("INSERT INTO t VALUES (1)")
        try #require(symlink(folder.file("other"), folder.file("link")) == 0)
        try other.run(isWriting ? "BEGIN IMMEDIATE" : "BEGIN")
        try other.run("SELECT * FROM t")
        if isWriting { try other.run("INSERT INTO t VALUES (2)") }
        for name in ["other", "link"] {
            await expectFailure(\.isCannotOpen) {
                try await repository.backup(to: folder.file(name), replacing: true).last().value()
            }
        }
        #expect(try other.run("COMMIT") == "[]")
        #expect(try other.run("SELECT count(*) FROM t") == (isWriting ? "[(2,)]" : "[(1,)]"))
        // A link stays, and its target is replaced. An idle connection notices that its file is gone.
        _ = try await repository.backup(to: folder.file("link"), replacing: true).last().value()
        #expect(try await stored(in: folder.file("other")) == [Film.numbered(1)])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link")) == folder.file("other"))
        #expect(try other.run("INSERT INTO t VALUES (3)").hasPrefix("error: "))
        await closed(repository)
        #expect(try !folder.contents().keys.contains { $0.hasSuffix("-backup") })
    }

    @Test("A backup that is cancelled or closed leaves nothing; two backups cannot write the same file")
    func ended() async throws {
        let folder = try TemporaryFolder()
        let repository = try await filled(folder.file())
        let first = repository.backup(to: folder.file("copy")).record(demand: .max(1))
        _ = await first.values(1)
        await expectFailure({ if case .ownedElsewhere = $0 { true } else { false } }) {
            try await repository.backup(to: folder.file("copy")).last().value()
        }
        first.cancel()
        // The first backup's file is removed once its connection closes.
        while FileManager.default.fileExists(atPath: folder.file("copy-backup")) { await Task.yield() }
        _ = try await repository.backup(to: folder.file("copy")).last().value()
        let second = repository.backup(to: folder.file("second")).record(demand: .max(1))
        _ = await second.values(1)
        await closed(repository)
        #expect(await second.end() == .failure(.closed))
        #expect(try Set(folder.contents().keys) == ["store.sqlite", "store.sqlite-lock", "copy"])
        #expect(try await stored(in: folder.file("copy")).count == Self.count)
        await expectFailure(\.isClosed) { try await repository.backup(to: folder.file("third")).last().value() }
    }

    @Test("A read-only repository can be backed up too")
    func readOnly() async throws {
        let folder = try TemporaryFolder()
        await closed(try await filled(folder.file()))
        let reading = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
        _ = try await reading.backup(to: folder.file("copy")).last().value()
        await closed(reading)
        #expect(
            try await stored(in: folder.file("copy")) == Self.films().sorted { $0.id.uuidString < $1.id.uuidString })
    }

    @Test("If the disk is full, the backup fails and leaves nothing", .prompt)
    func full() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let folder = try TemporaryFolder()
            let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
            try await repository.insert(Self.films()).value()
            limitFileSize(to: 3 << 20)
            do {
                _ = try await repository.backup(to: folder.file("copy")).last().value()
                _exit(1)
            } catch {
                guard (error as? RepositoryError)?.isOfDisk == true else { _exit(2) }
            }
            guard try !folder.contents().keys.contains(where: { $0.hasPrefix("copy") }) else { _exit(3) }
            guard try await repository.count(Film.self).value() == Self.count else { _exit(4) }
            _exit(7)
        }
    }

    @Test("After a kill, no file has the name of the copy, and the next backup replaces the remains", .prompt)
    func killed() async throws {
        let rounds = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 2
        let (store, copy) = (SharedFile.own("backed"), SharedFile.own("copy"))
        defer {
            store.remove()
            copy.remove()
        }
        await closed(try await filled(store.path))
        for _ in 0..<rounds {
            await #expect(processExitsWith: .exitCode(7)) {
                let repository = try SQLiteRepository(.file(SharedFile.parents("backed").path), entities: Film.self)
                // Without more demand, the copy goes no further.
                let steps = Int.random(in: 1...3)
                let progress = repository.backup(to: SharedFile.parents("copy").path).record(demand: .max(steps))
                _ = await progress.values(steps)
                _exit(7)
            }
            #expect(!FileManager.default.fileExists(atPath: copy.path))
        }
        let repository = try SQLiteRepository(.file(store.path), entities: Film.self)
        _ = try await repository.backup(to: copy.path).last().value()
        #expect(!FileManager.default.fileExists(atPath: copy.path + "-backup"))
        #expect(try await stored(in: copy.path).count == Self.count)
        await closed(repository)
    }
}

extension RepositoryError {
    fileprivate var isOfDisk: Bool {
        switch self {
        case .io, .full: true
        default: false
        }
    }
}
