import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Checkpoints", .timeLimit(.minutes(10))) struct CheckpointsTests {
    @Test("The log stays near its bound during writes, and is gone after closing")
    func bounded() async throws {
        let folder = try TemporaryFolder()
        var options = RepositoryConfiguration()
        options.checkpointPages = 20
        let repository = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, configuration: options.with(durability: .normal))
        var longest = 0
        for number in 0..<400 {
            try await repository.create(Film.numbered(number)).value()
            longest = max(longest, Self.size(folder.file("store.sqlite-wal")))
        }
        // The bound plus a few commits from before the checkpoint ran, far less than the 1,200 pages written.
        #expect(longest < 100 * 4120)
        await closed(repository)
        #expect(Self.size(folder.file("store.sqlite-wal")) == 0)
        let again = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        let count = try await again.count(Film.self).value()
        #expect(count == 400)
        await closed(again)
    }

    @Test("A closed connection reports no number of external commits")
    func closedConnection() throws {
        let folder = try TemporaryFolder()
        let raw = try RawDatabase(folder.file())
        try raw.run("PRAGMA journal_mode = WAL; CREATE TABLE a (b)")
        let connection = try Connection(path: folder.file(), options: ConnectionOptions().with(.writer))
        let checkpoints = Checkpoints(connection, bound: 20)
        try connection.execute("INSERT INTO a VALUES (1)")
        #expect(checkpoints.externalCommits != nil)
        connection.close()
        #expect(checkpoints.externalCommits == nil)
    }

    @Test("A reader that holds an old state keeps the log, and reads the old values until it ends")
    func heldByReader() async throws {
        let folder = try TemporaryFolder()
        var options = RepositoryConfiguration()
        options.checkpointPages = 5
        let repository = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, configuration: options.with(durability: .normal))
        let (entered, release) = (Gate(), Gate())
        let old = repository.read { store in
            let before = try store.count(Film.self)
            entered.open()
            release.wait()
            return [before, try store.count(Film.self)]
        }.record()
        await entered.opened()
        for number in 0..<100 { _ = try await repository.create(Film.numbered(number)).value() }
        release.open()
        #expect(await old.values(1) == [[0, 0]])
        let count = try await repository.count(Film.self).value()
        #expect(count == 100)
        await closed(repository)
    }

    /// The size of a file from its directory entry, because a test must not open the files of an open store.
    private static func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
