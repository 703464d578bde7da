import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Reader connections", .timeLimit(.minutes(10))) struct ReaderPoolTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func makeRepository(readers: Int) throws -> SQLiteRepository {
        var configuration = RepositoryConfiguration()
        configuration.readers = readers
        return try SQLiteRepository(.file(folder.file()), entities: Film.self, configuration: configuration)
    }

    @Test("R12 A reader that could not be opened frees its slot", arguments: [1, 2])
    func failedOpening(readers: Int) async throws {
        let repository = try makeRepository(readers: readers)
        try await repository.create(Film.numbered(1)).value()
        rename(folder.file(), folder.file("elsewhere"))
        for _ in 0..<3 {
            let count = repository.count(Film.self).record()
            _ = await count.end()
            try #require(count.isEnded && count.values.isEmpty, "\(count.history)")
        }
        rename(folder.file("elsewhere"), folder.file())
        let counts = (0..<4).map { _ in repository.count(Film.self).record() }
        for count in counts {
            _ = await count.end()
            try #require(count.values == [1])
        }
        await closed(repository)
    }

    @Test("R12 Waiting reads run in the order of their attaches, however many wait")
    func queue() async throws {
        let repository = try makeRepository(readers: 1)
        // Earlier reads, so that the queue does not start at its first slot.
        for _ in 0..<5 { _ = try await repository.count(Film.self).value() }
        for round in 1...3 {
            let (isReading, mayGo) = (Gate(), Gate())
            let held = repository.read { _ in
                isReading.open()
                mayGo.wait()
            }.record()
            await isReading.opened()
            let done = Lock<[Int]>([])
            let reads = (0..<1000 * round).map { number in
                repository.read { _ in done.withLock { $0.append(number) } }.record()
            }
            mayGo.open()
            _ = await held.end()
            for read in reads {
                _ = await read.end()
                try #require(read.isEnded)
            }
            #expect(done.withLock { $0 } == Array(0..<1000 * round))
        }
        await closed(repository)
    }

    // Higher counts could use up the 64 delivery threads, which all concurrent tests share.
    @Test("R1 R11 A blocked sink of a read holds no connection", arguments: [1, 2], [1, 2, 3, 12])
    func blockedSinks(readers: Int, count: Int) async throws {
        let repository = try makeRepository(readers: readers)
        let blocked = BlockedSinks(count, of: repository.count(Film.self))
        await blocked.arrived(count)
        try await repository.create(Film.numbered(1)).value()
        // First one after another, then more at once than there are connections.
        for _ in 0..<3 { #expect(try await repository.count(Film.self).value() == 1) }
        let counts = (0..<10).map { _ in repository.count(Film.self).record() }
        for count in counts { #expect(await count.values(1) == [1]) }
        await closed(repository)
        blocked.release()
        blocked.cancel()
    }
}
