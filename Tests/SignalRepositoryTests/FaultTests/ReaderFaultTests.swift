import CSQLite
import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Readers whose locks and reads fail.
@Suite("R12 Readers on a failing disk", .timeLimit(.minutes(10))) struct ReaderFaultTests {
    private let disk: FaultyDisk
    private let repository: SQLiteRepository

    init() throws {
        disk = try FaultyDisk()
        var configuration = RepositoryConfiguration()
        configuration.lockTimeout = .milliseconds(5)
        repository = try SQLiteRepository(.file(disk.file), entities: [Film.self], configuration: configuration)
    }

    @Test("R12 A live signal whose first read meets a lock retries, and begins once the lock is gone")
    func firstRead() async throws {
        disk.fail(.lock, on: ".sqlite", count: .max, code: SQLITE_BUSY)
        let counts = repository.countSubscription(Film.self).record()
        // More attempts than a single read makes within its timeout.
        await disk.failures(40)
        #expect(counts.values.isEmpty && !counts.isEnded)
        disk.recover()
        #expect(await counts.values(1) == [0])
        try await repository.create(Film.numbered(1)).value()
        #expect(await counts.values(2) == [0, 1])
        counts.cancel()
        await closed(repository)
    }

    @Test("R12 R14 A live signal that meets a lock later retries, and misses nothing")
    func laterRead() async throws {
        // Arbitrary reads, which changed rows cannot update in place.
        let counts = repository.follow(LiveQuery { try $0.count(Film.self) }).map(\.value).record()
        let sums = repository.follow(LiveQuery { try $0.fetch(Film.all.sum(of: \.boxOffice)) }).map(\.value).record()
        #expect(await counts.values(1) == [0])
        #expect(await sums.values(1) == [0])
        disk.fail(.read, on: "-wal", count: 7, code: SQLITE_BUSY)
        try await repository.create(Film.numbered(1)).value()
        await disk.failures(7)
        #expect(await counts.values(2) == [0, 1])
        #expect(await sums.values(2) == [0, 1])
        try await repository.create(Film.numbered(2)).value()
        #expect(await counts.values(3) == [0, 1, 2])
        #expect(counts.breaches.isEmpty && sums.breaches.isEmpty && disk.failures == 7)
        counts.cancel()
        sums.cancel()
        await closed(repository)
    }

    @Test("R12 A read that gets no lock in time fails as .busy, whatever code SQLite reports, and can be retried")
    func busy() async throws {
        #expect(try await repository.count(Film.self).value() == 0)
        try await repository.create(Film.numbered(1)).value()
        // SQLite retries for about ten seconds, and then fails with SQLITE_PROTOCOL.
        disk.fail(.sharedMemoryLock, count: .max, code: SQLITE_BUSY)
        await expectFailure({ if case .busy = $0 { true } else { false } }) {
            try await repository.count(Film.self).value()
        }
        disk.recover()
        #expect(try await repository.count(Film.self).value() == 1)
        await closed(repository)
    }

    @Test("R12 An unreadable page ends a live signal as .io, and a later signal works")
    func inputOutput() async throws {
        let counts = repository.follow(LiveQuery { try $0.count(Film.self) }).map(\.value).record()
        #expect(await counts.values(1) == [0])
        disk.fail(.read, on: "-wal", code: SQLITE_IOERR | (1 << 8))
        try await repository.create(Film.numbered(1)).value()
        guard case .failure(.io(let diagnosis))? = await counts.end() else {
            return #expect(Bool(false), "\(counts.history)")
        }
        #expect(diagnosis.code == "266")
        #expect(counts.values == [0] && counts.breaches.isEmpty)
        #expect(try await repository.countSubscription(Film.self).value() == 1)
        await closed(repository)
    }
}
