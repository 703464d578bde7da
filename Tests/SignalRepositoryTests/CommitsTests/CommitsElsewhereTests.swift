import Foundation
import SignalRepository
import Signals
import SignalsTesting
import TestTraits
import Testing

@Suite("External commits", .timeLimit(.minutes(10))) struct CommitsElsewhereTests {
    private static let insertion = "INSERT INTO Film VALUES (randomblob(16), 'by another', 0.0, 10000, NULL)"

    /// Options with a short watch interval, so that the tests wait less than a program would.
    private static var configuration: RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = .milliseconds(10)
        return configuration
    }

    @Test(
        "R14 A commit by another connection of this process is noticed",
        arguments: [.milliseconds(10), .zero, .nanoseconds(-1)] as [Duration])
    func connection(interval: Duration) async throws {
        let folder = try TemporaryFolder()
        var configuration = Self.configuration
        configuration.watchInterval = interval
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self, configuration: configuration)
        let counts = repository.countSubscription(Film.self).record()
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        _ = await (counts.values(1), sums.values(1))
        let other = try RawDatabase(folder.file())
        for number in 1...5 {
            try other.run(Self.insertion)
            #expect(await counts.values(number + 1).last == number)
            #expect(await sums.values(number + 1).last == Decimal(number))
        }
        other.close()
        await closed(repository)
    }

    @Test("R14 A commit by another process is noticed at the default interval", .prompt)
    func process() async throws {
        let file = SharedFile.own("elsewhere")
        defer { file.remove() }
        let repository = try SQLiteRepository(.file(file.path), entities: Film.self)
        let counts = repository.countSubscription(Film.self).record()
        #expect(await counts.values(1) == [0])
        await #expect(processExitsWith: .exitCode(7)) { try Self.recordExternalCommit(Self.insertion) }
        #expect(await counts.values(2) == [0, 1])
        await #expect(processExitsWith: .exitCode(7)) { try Self.recordExternalCommit("DELETE FROM Film") }
        #expect(await counts.values(3) == [0, 1, 0])
        await closed(repository)
    }

    /// Changes the file of the test that started this process, and exits.
    private static func recordExternalCommit(_ sql: String) throws {
        let database = try RawDatabase(SharedFile.parents("elsewhere").path)
        try database.run("PRAGMA busy_timeout = 5000; \(sql)")
        database.close()
        _exit(7)
    }

    @Test("R4 R14 An external commit between our own commits is not missed, whatever tables ours touch")
    func between() async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, Measure.self, configuration: Self.configuration)
        let films = repository.countSubscription(Film.self).record()
        let measures = repository.countSubscription(Measure.self).record()
        _ = await (films.values(1), measures.values(1))
        let other = try RawDatabase(folder.file())
        var random = SeededGenerator(seed: 3)
        for number in 1...50 {
            let ours = repository.create(Measure.random(number, &random)).record()
            try other.run("PRAGMA busy_timeout = 5000; \(Self.insertion)")
            _ = await ours.end()
        }
        await films.values(until: { $0 == 50 })
        await measures.values(until: { $0 == 50 })
        #expect(films.values == films.values.sorted() && measures.values == measures.values.sorted())
        other.close()
        await closed(repository)
    }

    @Test("R14 An external commit right before our own commit is not mistaken for ours")
    func rightBefore() async throws {
        let folder = try TemporaryFolder()
        var configuration = RepositoryConfiguration()
        // The store polls only once, at the start, so only the writer can notice the commit.
        configuration.watchInterval = .seconds(3600)
        let repository = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, Measure.self, configuration: configuration)
        let films = repository.countSubscription(Film.self).record()
        _ = await films.values(1)
        let other = try RawDatabase(folder.file())
        var random = SeededGenerator(seed: 4)
        for number in 1...3 {
            try other.run("PRAGMA busy_timeout = 5000; \(Self.insertion)")
            try await repository.create(Measure.random(number, &random)).value()
            #expect(await films.values(number + 1) == Array(0...number))
        }
        films.cancel()
        other.close()
        await closed(repository)
    }

    @Test("R14 A rejected write notices an external commit")
    func rightBeforeRejection() async throws {
        let folder = try TemporaryFolder()
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = .seconds(3600)
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self, configuration: configuration)
        let films = repository.countSubscription(Film.self).record()
        _ = await films.values(1)
        let other = try RawDatabase(folder.file())
        try other.run("PRAGMA busy_timeout = 5000; \(Self.insertion)")
        unlink(folder.file() + "-lock")
        await expectFailure({ if case .fileMoved = $0 { true } else { false } }) {
            try await repository.create(Film.numbered(1)).value()
        }
        #expect(await films.values(2) == [0, 1])
        films.cancel()
        other.close()
        await closed(repository)
    }

    @Test("R6 R14 A read-only repository follows the one that writes")
    func readOnly() async throws {
        let folder = try TemporaryFolder()
        let writing = try SQLiteRepository(.file(folder.file()), entities: Film.self)
        try await writing.create(Film.numbered(0)).value()
        let reading = try SQLiteRepository(
            .file(folder.file()), entities: Film.self, configuration: Self.configuration.with(access: .readOnly))
        let counts = reading.follow(LiveQuery { try $0.count(Film.self) }).record()
        let sums = reading.follow(LiveQuery { try $0.fetch(Film.all.sum(of: \.boxOffice)) }).record()
        _ = await (counts.values(1), sums.values(1))
        for number in 1...30 { _ = try await writing.create(Film.numbered(number, boxOffice: 1)).value() }
        await counts.values(until: { $0.value == 31 })
        await sums.values(until: { $0.value == 30 })
        let countAt = Dictionary(counts.values.map { ($0.commit, $0.value) }) { first, _ in first }
        for sum in sums.values { #expect(countAt[sum.commit].map { Decimal($0 - 1) } ?? sum.value == sum.value) }
        await expectFailure({ if case .readOnly = $0 { true } else { false } }) {
            try await reading.create(Film.numbered(99)).value()
        }
        await closed(reading)
        await closed(writing)
    }

    @Test("R12 A transaction waits for another connection's lock, fails after the timeout, and can be retried")
    func busy() async throws {
        let folder = try TemporaryFolder()
        var configuration = Self.configuration
        configuration.lockTimeout = .milliseconds(50)
        let repository = try SQLiteRepository(.file(folder.file()), entities: Film.self, configuration: configuration)
        let counts = repository.countSubscription(Film.self).record()
        _ = await counts.values(1)
        let other = try RawDatabase(folder.file())
        try other.run("BEGIN IMMEDIATE; \(Self.insertion)")
        await expectFailure({ if case .busy = $0 { true } else { false } }) {
            try await repository.create(Film.numbered(1)).value()
        }
        let seen = try await repository.count(Film.self).value()
        #expect(seen == 0)
        try other.run("COMMIT")
        try await repository.create(Film.numbered(1)).value()
        await counts.values(until: { $0 == 2 })
        #expect(counts.completion == nil)
        other.close()
        await closed(repository)
    }
}
