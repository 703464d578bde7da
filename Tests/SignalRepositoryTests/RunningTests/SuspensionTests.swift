import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("R11 Suspending a repository", .timeLimit(.minutes(5))) struct SuspensionTests {
    /// The descriptors that this process has of files in a folder.
    private func descriptors(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.contains((folder.path as NSString).lastPathComponent) }
    }

    private func isBusy(_ error: RepositoryError) -> Bool { if case .busy = error { true } else { false } }

    @Test("A suspended repository holds nothing, another may write, and everything resumes, twice")
    func released() async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        let counts = repository.countSubscription(Film.self).record()
        let lists = repository.fetchSubscription(Film.all.sorted(by: \.title).limit(3)).map { $0.map(\.title) }.record()
        let changes = repository.changes().record()
        #expect(await counts.values(1) == [0])
        _ = try await repository.fetch(Film.all).value()
        for round in 1...2 {
            try await repository.create(Film.numbered(2 * round)).value()
            #expect(await counts.last(where: { $0 == 3 * round - 2 }) == 3 * round - 2)
            #expect(try !descriptors(folder).isEmpty)
            try await repository.suspend().value()
            // Suspending twice does no harm.
            try await repository.suspend().value()
            #expect(try descriptors(folder) == [])
            #expect(!FileManager.default.fileExists(atPath: folder.file() + "-wal"))
            let other = try SQLiteRepository(.file(folder.file()), entities: Film.self)
            try await other.create(Film.numbered(2 * round + 1)).value()
            // Work that is attached now starts after the resume, in order.
            let waiting = repository.create(Film.numbered(100 * round)).record()
            let after = repository.count(Film.self).record()
            let late = repository.countSubscription(Film.self).record()
            let stream = repository.stream(Film.all).collect().map(\.count).record()
            await expectFailure({ if case .ownedElsewhere = $0 { true } else { false } }) {
                try await repository.resume().value()
            }
            #expect(!waiting.isEnded && !after.isEnded && late.values.isEmpty && !stream.isEnded)
            await closed(other)
            try await repository.resume().value()
            try await repository.resume().value()
            #expect(await waiting.values(1).count == 1)
            #expect(await late.last(where: { $0 == 3 * round }) == 3 * round)
            #expect(await counts.last(where: { $0 == 3 * round }) == 3 * round)
            let (read, streamed) = await (after.values(1), stream.values(1))
            #expect(read.count == 1 && streamed.count == 1)
            try await repository.delete(Film.self, id: Film.id(100 * round)).value()
            try await repository.create(Film.numbered(300 + round)).value()
        }
        let titles = try await repository.fetch(Film.all.sorted(by: \.title).limit(3)).value().map(\.title)
        #expect(await lists.last(where: { $0 == titles }) == titles)
        #expect(changes.values.contains { $0.extent == .unknown(.otherConnection) })
        await closed(repository)
        let ends = await (counts.end(), lists.end(), changes.end())
        #expect(ends.0 == .failure(.closed) && ends.1 == .failure(.closed) && ends.2 == .failure(.closed))
        #expect(try descriptors(folder) == [])
    }

    @Test("Running work is done first; streams and waiting threads fail with .busy", arguments: StoreKind.local)
    func inProgress(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(
            kind == .memory ? .inMemory : .file(folder.file()), entities: Film.self)
        try await repository.insert((0..<3_000).map { Film.numbered($0) }).value()
        let gate = Gate()
        let write = repository.transaction { store in
            gate.wait()
            try store.delete(Film.self, id: Film.id(1))
        }.record()
        let stream = repository.stream(Film.all).record(demand: .max(1))
        if kind == .file { _ = await stream.values(1) }
        let suspended = repository.suspend().record()
        gate.open()
        #expect(await suspended.values(1).count == 1)
        #expect(await write.values(1).count == 1)
        if kind == .file {
            guard case .failure(let error)? = await stream.end() else {
                Issue.record("no failure")
                return
            }
            #expect(isBusy(error))
        }
        let waited = await withCheckedContinuation { (continuation: CheckedContinuation<RepositoryError?, Never>) in
            Thread { continuation.resume(returning: error(of: repository.count(Film.self))) }.start()
        }
        #expect(waited.map(isBusy) == true)
        let reading = repository.count(Film.self).record()
        try await repository.resume().value()
        #expect(await reading.values(1) == [2_999])
        stream.cancel()
        await closed(repository)
    }

    @Test(
        "R11 S-L1 A suspended repository can be closed: waiting reads, writes and live signals fail with .closed",
        arguments: StoreKind.local)
    func closedWhileSuspended(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(
            kind == .memory ? .inMemory : .file(folder.file()), entities: Film.self)
        let counts = repository.countSubscription(Film.self).record()
        _ = await counts.values(1)
        try await repository.suspend().value()
        let create = repository.create(Film.numbered(1)).record()
        let read = repository.fetch(Film.all).record()
        await closed(repository)
        let ends = await (create.end(), read.end())
        guard case (.failure(.closed)?, .failure(.closed)?) = ends else {
            Issue.record("\(ends)")
            return
        }
        await expectFailure({ $0 == .closed }) { try await repository.suspend().value() }
        await expectFailure({ $0 == .closed }) { try await repository.resume().value() }
        #expect(await counts.end() == .failure(.closed))
    }

    @Test("A repository whose file is missing, or was migrated by another, does not resume")
    func changedMeanwhile() async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await repository.create(Film.numbered(1)).value()
        try await repository.suspend().value()
        try FileManager.default.moveItem(atPath: folder.file(), toPath: folder.file("away"))
        await expectFailure({ if case .fileMoved = $0 { true } else { false } }) {
            try await repository.resume().value()
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file()))
        try FileManager.default.moveItem(atPath: folder.file("away"), toPath: folder.file())
        let newer = try SQLiteRepository(
            .file(folder.file()), entities: Film.self,
            migrations: [Migration("later") { try $0.execute("CREATE TABLE Other (x)") }])
        await closed(newer)
        await expectFailure({ if case .schemaMismatch = $0 { true } else { false } }) {
            try await repository.resume().value()
        }
        await closed(repository)
    }

    @Test("A read-only repository, and one that adopted its file, release it too")
    func others() async throws {
        let folder = try TemporaryFolder()
        await closed(try SQLiteRepository(.file(folder.file()), entities: Film.self))
        let reader = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, configuration: RepositoryConfiguration(access: .readOnly))
        let raw = try RawDatabase(folder.file("other"))
        try raw.run("CREATE TABLE Word (id TEXT PRIMARY KEY, count INTEGER NOT NULL)")
        raw.close()
        let guest = try SQLiteRepository(adopting: folder.file("other"), entities: Diary.Word.self)
        #expect(try await reader.count(Film.self).value() == 0)
        try await guest.create(Diary.Word(id: "a", count: 1)).value()
        for repository in [reader, guest] { try await repository.suspend().value() }
        #expect(try descriptors(folder) == [])
        let other = try RawDatabase(folder.file("other"))
        try other.run("INSERT INTO Word VALUES ('b', 2)")
        other.close()
        for repository in [reader, guest] { try await repository.resume().value() }
        #expect(try await reader.count(Film.self).value() == 0)
        try await guest.create(Diary.Word(id: "c", count: 3)).value()
        #expect(try await guest.sum(of: \Diary.Word.count).value() == 6)
        for repository in [reader, guest] { await closed(repository) }
    }

    @Test("Suspending and resuming during reads and writes loses nothing")
    func storm() async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        let counts = repository.countSubscription(Film.self).record()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    for number in 0..<60 {
                        try await repository.create(Film.numbered(1_000 * writer + number)).value()
                        _ = try await repository.fetch(Film.all.limit(3)).value()
                    }
                }
            }
            group.addTask {
                for _ in 0..<15 {
                    try await repository.suspend().value()
                    try await repository.resume().value()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await repository.count(Film.self).value() == 180)
        #expect(await counts.last(where: { $0 == 180 }) == 180)
        let seen = counts.values
        #expect(seen == seen.sorted())
        await closed(repository)
    }
}

/// Waits for a signal on the calling thread.
private func error<Value>(of signal: Signal<Value, RepositoryError>) -> RepositoryError? {
    do throws(RepositoryError) {
        _ = try signal.wait()
        return nil
    } catch {
        return error
    }
}
