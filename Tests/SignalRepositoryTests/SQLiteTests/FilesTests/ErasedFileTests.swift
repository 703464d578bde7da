import Foundation
import SignalRepository
import Signals
import Testing

/// An entity before and after a change that cannot be inferred.
private struct Before: Entity, Equatable {
    let id: Int
    var name: String

    static let entityName = "Thing"
    static let schema = Schema(Column("id", \Before.id), Column("name", \.name), make: Before.init)
}

private struct After: Entity, Equatable {
    let id: Int
    var name: Int

    static let entityName = "Thing"
    static let schema = Schema(Column("id", \After.id), Column("name", \.name), make: After.init)
}

/// The use that another program makes of a file.
private enum Hold: String, CaseIterable, Sendable {
    case nothing, atRest, reading, writing
}

@Suite("Erasing a store", .timeLimit(.minutes(10))) struct ErasedFileTests {
    private let folder: TemporaryFolder
    private var configuration = RepositoryConfiguration()

    init() throws {
        folder = try TemporaryFolder()
        configuration.lockTimeout = .zero
    }

    private func makeStore(_ path: String, rows: Int = 5) async throws {
        let repository = try SQLiteRepository(.file(path), entities: Before.self)
        try await repository.insert((0..<rows).map { Before(id: $0, name: "\($0)") }).value()
        await closed(repository)
    }

    private func erase(_ path: String) throws -> SQLiteRepository {
        try SQLiteRepository(.file(path), entities: After.self, erasingIfChanged: true, configuration: configuration)
    }

    @Test(
        "S-H2 S-H3 A store is not erased while another program uses it, through a link or by its own name",
        arguments: Hold.allCases, ["WAL", "DELETE"])
    fileprivate func held(hold: Hold, journal: String) async throws {
        for isLinked in [false, true] {
            let path = folder.file("\(isLinked)")
            try await makeStore(path)
            let name = isLinked ? folder.file("link") : path
            if isLinked { try #require(symlink(path, name) == 0) }
            let other = try OtherProgram(path)
            try other.run("PRAGMA journal_mode = \(journal)")
            if hold != .nothing { #expect(try other.run("SELECT count(*) FROM Thing") == "[(5,)]") }
            switch hold {
            case .nothing, .atRest: break
            case .reading:
                try other.run("BEGIN")
                try other.run("SELECT count(*) FROM Thing")
            case .writing:
                try other.run("BEGIN IMMEDIATE")
                try other.run("INSERT INTO Thing VALUES (7, '7')")
            }
            // Without a log, an idle connection holds no lock on the file.
            let isSeen = hold == .reading || hold == .writing || journal == "WAL"
            guard isSeen else {
                let repository = try erase(name)
                try await repository.create(After(id: 1, name: 1)).value()
                // The other program still has the same file open, so it reads the new row.
                #expect(try other.run("SELECT * FROM Thing") == "[(1, 1)]")
                await closed(repository)
                #expect(
                    try FileManager.default.attributesOfItem(atPath: name)[.type] as? FileAttributeType
                        == (isLinked ? .typeSymbolicLink : .typeRegular))
                continue
            }
            await expectFailure({ error in
                if case .ownedElsewhere(let owned, _) = error { owned == path } else { false }
            }) {
                try erase(name)
            }
            if hold == .reading || hold == .writing { #expect(try other.run("COMMIT") == "[]") }
            let count = hold == .writing ? 6 : 5
            #expect(try other.run("SELECT count(*) FROM Thing") == "[(\(count),)]")
            let repository = try SQLiteRepository(.file(name), entities: Before.self)
            #expect(try await repository.count(Before.self).value() == count)
            await closed(repository)
        }
    }

    @Test("S-H2 A store is not erased while a read-only repository has it open")
    func read() async throws {
        try await makeStore(folder.file())
        let reader = try SQLiteRepository(
            .file(folder.file()), entities: Before.self, configuration: RepositoryConfiguration(access: .readOnly))
        #expect(try await reader.count(Before.self).value() == 5)
        await expectFailure({ if case .ownedElsewhere = $0 { true } else { false } }) { try erase(folder.file()) }
        #expect(try await reader.count(Before.self).value() == 5)
        await closed(reader)
        let repository = try erase(folder.file())
        #expect(try await repository.count(After.self).value() == 0)
        await closed(repository)
    }

    @Test("S-H3 A store with the log of a killed program is erased through a link, again and again")
    func linked() async throws {
        try await makeStore(folder.file())
        try #require(symlink(folder.file(), folder.file("link")) == 0)
        let other = try OtherProgram(folder.file())
        try other.run("INSERT INTO Thing VALUES (7, '7')")
        // A killed program leaves the files as they are while it runs.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.file() + suffix, toPath: folder.file("left") + suffix)
        }
        try #require(symlink(folder.file("left"), folder.file("second")) == 0)
        for _ in 0..<2 {
            let repository = try erase(folder.file("second"))
            try await repository.upsert(After(id: 1, name: 1)).value()
            #expect(try await repository.fetch(After.all).value() == [After(id: 1, name: 1)])
            await closed(repository)
            let back = try SQLiteRepository(
                .file(folder.file("second")), entities: Before.self, erasingIfChanged: true,
                configuration: configuration)
            #expect(try await back.count(Before.self).value() == 0)
            await closed(back)
        }
        #expect(try folder.contents().keys.filter { $0.hasPrefix("left") }.sorted() == ["left", "left-lock"])
    }

    @Test("S-L11 A store with a history that is not configured, or of a newer program, is not erased")
    func others() async throws {
        let step = Migration("newer")
        let newer = try SQLiteRepository(.file(folder.file("newer")), entities: Before.self, migrations: [step])
        await closed(newer)
        let kept = StoreHistory.kept(for: .seconds(1_000_000))
        let history = try SQLiteRepository(
            .file(folder.file("history")), entities: Before.self, configuration: RepositoryConfiguration(history: kept))
        try await history.create(Before(id: 1, name: "a")).value()
        await closed(history)
        try await makeStore(folder.file("later"))
        let later = try RawDatabase(folder.file("later"))
        try later.run("PRAGMA user_version = 2; PRAGMA journal_mode = DELETE")
        later.close()
        let before = try folder.contents().filter { !$0.key.hasSuffix("-lock") }
        for name in ["newer", "history", "later"] {
            await expectFailure({ if case .schemaMismatch = $0 { true } else { false } }) {
                try erase(folder.file(name))
            }
        }
        #expect(try folder.contents().filter { !$0.key.hasSuffix("-lock") } == before)
        await closed(
            try SQLiteRepository(
                .file(folder.file("newer")), entities: After.self, migrations: [step], erasingIfChanged: true))
        for choice in [kept, .dropped] {
            await closed(
                try SQLiteRepository(
                    .file(folder.file("history")), entities: choice == kept ? After.self : Before.self,
                    erasingIfChanged: true, configuration: RepositoryConfiguration(history: choice)))
        }
    }

    @Test("R-L7 A file that another program truncates while it is open is .corrupt, not a misuse")
    func truncated() async throws {
        for length in [0, 512, 4_096] {
            let path = folder.file("\(length)")
            try await makeStore(path, rows: 500)
            let repository = try SQLiteRepository(.file(path), entities: Before.self)
            #expect(try await repository.count(Before.self).value() == 500)
            try #require(truncate(path, off_t(length)) == 0)
            let calls: [Signal<Int, RepositoryError>] = [
                repository.count(Before.self), repository.fetch(Before.all).map(\.count),
                repository.stream(Before.all).map(\.id), repository.create(Before(id: 600, name: "x")).map(\.id),
            ]
            for call in calls {
                await expectFailure({ error in
                    if case .corrupt = error { true } else { false }
                }) {
                    try await call.last().value()
                }
            }
            await closed(repository)
        }
    }

    @Test("S-M9 A file that belongs to a store does not become a store, and a file that is not a lock stays")
    func names() async throws {
        try await makeStore(folder.file())
        try #require(symlink(folder.path, folder.file("folder")) == 0)
        for suffix in ["-wal", "-shm", "-journal", "-lock"] {
            for name in [folder.file() + suffix, folder.file("folder/store.sqlite") + suffix] {
                await expectFailure({ "\($0)".contains("it has the name of a file that belongs to \(folder.file())") })
                {
                    try SQLiteRepository(.file(name), entities: Before.self)
                }
            }
        }
        let store = try SQLiteRepository(.file(folder.file()), entities: Before.self)
        #expect(try await store.count(Before.self).value() == 5)
        for name in ["store.sqlite-wal", "store.sqlite-lock"] {
            await expectFailure({ "\($0)".contains("belongs to") }) {
                try await store.backup(to: folder.file(name), replacing: true).last().value()
            }
        }
        await closed(store)
        // Another file already has the name of the lock.
        let text = Data(repeating: 65, count: 2_000)
        try text.write(to: URL(fileURLWithPath: folder.file("new-lock")))
        await expectFailure({ "\($0)".contains("is not its lock") }) {
            try SQLiteRepository(.file(folder.file("new")), entities: Before.self)
        }
        #expect(try folder.contents()["new-lock"] == text)
        // A store that has the name of an unfinished backup.
        try await makeStore(folder.file("copy-backup"))
        let before = try folder.contents()["copy-backup"]
        await expectFailure({ "\($0)".contains("it is a store of that name") }) {
            try await SQLiteRepository(.file(folder.file()), entities: Before.self)
                .backup(to: folder.file("copy")).last().value()
        }
        #expect(try folder.contents()["copy-backup"] == before)
    }

    @Test("S-L13 An empty file in place of a store is refused, unless an unfinished opening has left it")
    func empty() async throws {
        try await makeStore(folder.file())
        try Data().write(to: URL(fileURLWithPath: folder.file()))
        try Data().write(to: URL(fileURLWithPath: folder.file("fresh")))
        let before = try folder.contents()
        for name in ["store.sqlite", "fresh"] {
            for access in [StoreAccess.readWrite, .readOnly, .immutable] {
                await expectFailure({ "\($0)".contains("it is empty, as after a failed copy") }) {
                    try SQLiteRepository(
                        .file(folder.file(name)), entities: Before.self,
                        configuration: RepositoryConfiguration(access: access))
                }
            }
            await expectFailure({ "\($0)".contains("it is empty") }) {
                try SQLiteRepository(adopting: folder.file(name), entities: Before.self)
            }
        }
        #expect(try folder.contents() == before)
        // As left by a program that was killed before it created the tables of a new store.
        try Data("1\nnew\n".utf8).write(to: URL(fileURLWithPath: folder.file("fresh-lock")))
        let repository = try SQLiteRepository(.file(folder.file("fresh")), entities: Before.self)
        #expect(try await repository.count(Before.self).value() == 0)
        await closed(repository)
        try Data().write(to: URL(fileURLWithPath: folder.file("fresh")))
        await expectFailure({ "\($0)".contains("it is empty") }) {
            try SQLiteRepository(.file(folder.file("fresh")), entities: Before.self)
        }
    }
}
