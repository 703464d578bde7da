import CSQLite
import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Commits that the disk does not make durable.
@Suite("R12 Commits on a failing disk", .timeLimit(.minutes(10))) struct CommitFaultTests {
    private let disk: FaultyDisk

    init() throws {
        disk = try FaultyDisk()
    }

    @Test("R4 R7 R12 After a failed sync the outcome is unknown, until a read or a live signal shows it")
    func sync() async throws {
        let repository = try SQLiteRepository(.file(disk.file), entities: Film.self)
        try await repository.create(Film.numbered(0)).value()
        let counts = repository.countSubscription(Film.self).record()
        #expect(await counts.values(1) == [1])
        disk.fail(.sync, on: "-wal", code: SQLITE_IOERR | (4 << 8))
        await expectFailure(
            { if case .commitOutcomeUnknown(let diagnosis) = $0 { diagnosis.code == "1034" } else { false } },
            { try await repository.insert((1...30).map { Film.numbered($0) }).value() })
        #expect(disk.failures == 1)
        let count = try await repository.count(Film.self).value()
        #expect(count == 1 || count == 31)
        try await repository.create(Film.numbered(99)).value()
        await counts.values(until: { $0 == count + 1 })
        #expect(counts.values == (count == 1 ? [1, 2] : [1, 31, 32]) && counts.breaches.isEmpty && !counts.isEnded)
        counts.cancel()
        await closed(repository)
        let again = try SQLiteRepository(.file(disk.file), entities: Film.self)
        #expect(try await again.count(Film.self).value() == count + 1)
        #expect(try await again.read(Film.self, id: Film.id(99)).value() == Film.numbered(99))
        try await expectIntegrity(again)
        await closed(again)
    }

    @Test("R12 changes() reports a commit with an unknown outcome as one of unknown rows")
    func unknownChanges() async throws {
        let repository = try SQLiteRepository(.file(disk.file), entities: Film.self)
        let changes = repository.changes().record()
        try await repository.create(Film.numbered(1)).value()
        disk.fail(.sync, on: "-wal", code: SQLITE_IOERR | (4 << 8))
        await expectFailure({ if case .commitOutcomeUnknown = $0 { true } else { false } }) {
            try await repository.create(Film.numbered(2)).value()
        }
        try await repository.create(Film.numbered(3)).value()
        #expect(await changes.values(3).map(\.extent) == [.rows, .unknown(.otherConnection), .rows])
        #expect(changes.values.map(\.commit) == [1, 2, 3])
        changes.cancel()
        await closed(repository)
    }

    @Test("R6 A failed commit gets no number")
    func numbers() async throws {
        let repository = try SQLiteRepository(.file(disk.file), entities: Film.self)
        let changes = repository.changes().record()
        try await repository.create(Film.numbered(1)).value()
        disk.fail(.write, on: "-wal", count: .max, code: SQLITE_FULL)
        for number in 2...4 {
            await expectFailure({ if case .full = $0 { true } else { false } }) {
                try await repository.create(Film.numbered(number)).value()
            }
        }
        disk.recover()
        try await repository.create(Film.numbered(5)).value()
        #expect(await changes.values(2).map(\.commit) == [1, 2])
        changes.cancel()
        await closed(repository)
    }

    @Test("R12 After a crash, a commit with an unknown outcome is stored whole or not at all")
    func crash() async throws {
        let repository = try SQLiteRepository(.file(disk.file), entities: Film.self)
        try await repository.create(Film.numbered(0)).value()
        disk.fail(.sync, on: "-wal", count: .max, code: SQLITE_IOERR | (4 << 8))
        await expectFailure({ if case .commitOutcomeUnknown = $0 { true } else { false } }) {
            try await repository.insert((1...30).map { Film.numbered($0) }).value()
        }
        // From here on, nothing reaches the disk, not even what closing writes.
        disk.fail(.changes, count: .max, code: SQLITE_IOERR)
        await closed(repository)
        disk.recover()
        let again = try SQLiteRepository(.file(disk.file), entities: Film.self)
        let count = try await again.count(Film.self).value()
        #expect(count == 1 || count == 31)
        try await expectIntegrity(again)
        await closed(again)
    }

    @Test("R12 On a full disk, a commit fails as .full and stores nothing", arguments: StoreDurability.all)
    func full(durability: StoreDurability) async throws {
        let repository = try SQLiteRepository(
            .file(disk.file), entities: Film.self, configuration: RepositoryConfiguration(durability: durability))
        try await repository.create(Film.numbered(0)).value()
        let counts = repository.countSubscription(Film.self).record()
        #expect(await counts.values(1) == [1])
        disk.fail(.write, on: "-wal", first: 2, count: .max, code: SQLITE_FULL)
        for number in 1...3 {
            await expectFailure({ if case .full = $0 { true } else { false } }) {
                try await repository.create(Film.numbered(number)).value()
            }
        }
        #expect(try await repository.fetch(Film.all).value() == [Film.numbered(0)])
        disk.recover()
        try await repository.create(Film.numbered(4)).value()
        #expect(await counts.values(2) == [1, 2])
        counts.cancel()
        await closed(repository)
    }
}

extension StoreDurability {
    static let all: [StoreDurability] = [.full, .normal]
}

/// Expects that SQLite finds nothing wrong with a store.
func expectIntegrity(_ repository: SQLiteRepository, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let report = try await repository.read { try $0.rows("PRAGMA integrity_check") }.value()
    #expect(report == [[.text("ok")]], sourceLocation: sourceLocation)
}
