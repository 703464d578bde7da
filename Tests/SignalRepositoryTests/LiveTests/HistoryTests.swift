import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Random writes of every kind from several threads, while live queries of every kind come and go.
///
/// The values are compared with the states that the writer's own connection saw at each commit, and with the change
/// sets. `HISTORIES` is the number of histories, and `HISTORY` is the first seed:
/// `HISTORY=17 swift test --filter HistoryTests` repeats one, as far as threads repeat anything.
@Suite("Random histories", .timeLimit(.minutes(isSoak ? 600 : 10))) struct HistoryTests {
    private static let first = number("HISTORY")
    private static let count = number("HISTORIES") ?? (first == nil ? 100 : 1)
    private static let batchSize = 25
    private static let totals = Lock((commits: 0, updatedInPlace: 0, rereadByKey: 0, refilled: 0, reread: 0))

    static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// The seeds of a test that plays a few by default.
    static func seeds(_ few: Int) -> Range<Int> {
        let first = number("HISTORY") ?? 0
        return first..<first + (number("HISTORIES") ?? (number("HISTORY") == nil ? few : 1))
    }

    private static let batches = stride(from: first ?? 0, to: (first ?? 0) + count, by: batchSize).map { start in
        start..<min(start + batchSize, (first ?? 0) + count)
    }

    @Test(
        "R3 R4 R5 R6 R7 R8 R11 R14 V1 V2 V3 V5 S-H1 S-M1 A5 Live values equal fresh reads, in order, none twice",
        arguments: batches)
    func histories(seeds: Range<Int>) async throws {
        for seed in seeds {
            let (folder, kind) = (try TemporaryFolder(), HistoryKind(seed))
            let base = try kind.open(folder.file())
            let repository = HistoryRepository(base: base, log: HistoryLog())
            let faults = try await history(repository, kind, folder.file())
            await closed(base)
            Self.note(base.statistics, commits: repository.number)
            guard let fault = faults.first else { continue }
            Issue.record("HISTORY=\(seed): \(fault); \(faults.count) faults in all")
        }
    }

    /// Adds up how values were brought up to date; a long run prints the totals.
    private static func note(_ statistics: LiveStatistics, commits: Int) {
        let totals = totals.withLock { totals in
            totals.commits += commits
            totals.updatedInPlace += statistics.updatedInPlace
            totals.rereadByKey += statistics.rereadByKey
            totals.refilled += statistics.refilled
            totals.reread += statistics.reread
            return totals
        }
        if isSoak, totals.commits % 64 == 0 { print(totals) }
    }

    /// Plays one history, and returns its faults.
    private func history(
        _ repository: HistoryRepository, _ kind: HistoryKind, _ path: String
    ) async throws -> [String] {
        var random = SeededGenerator(seed: UInt64(kind.seed))
        // While changes are observed, statements are prepared differently, and rows are reported one by one.
        let changes = Int.random(in: 0..<4, using: &random) == 0 ? repository.base.changes().record() : nil
        let seeds = (0..<Int.random(in: 2...4, using: &random)).map { _ in random.next() }
        let failures = ReceivedTexts()
        let followers = Lock(HistoryFollowers(repository, seed: random.next()))
        let unknownTables = kind.isShared ? [random.next(), random.next()] : []
        var faults = try await kind.faults(repository.base) {
            await onThreads(seeds.count + 1 + unknownTables.count) { thread in
                if thread < seeds.count {
                    var writer = HistoryWriter(repository, kind, seed: seeds[thread], failures: failures)
                    writer.write(60 / seeds.count)
                } else if thread == seeds.count {
                    followers.withLock { $0.comeAndGo(20) }
                } else {
                    ForeignWriter(path, seed: unknownTables[thread - seeds.count - 1]).write(25)
                }
            }
            // The last commit, and an empty transaction, which records its state. At its beginning, a transaction also
            // notices the commits of others.
            let last = Piece(id: 500, title: "last", price: 500, weight: 500, studio: "last")
            try await repository.create(last).value()
            try await repository.transaction { _ in }.value()
            let end = followers.withLock { $0 }
            for follower in end.followers { follower.request(.unlimited) }
            // A new query gets its first value once the pass after the last commit is over.
            try await repository.countSubscription(Piece.self).value()
            return try await Self.unrest(repository, kind)
        }
        let state = try await repository.base.read { try HistoryState($0) }.value()
        await closed(repository.base)
        let end = followers.withLock { $0 }
        for follower in end.followers { await follower.end() }
        faults += failures.all
        if kind.isShared { return faults + end.followers.flatMap { $0.stale(state) } }
        return faults + end.followers.flatMap { $0.faults(repository.log, repository.number) }
            + end.reads.flatMap { $0.faults(repository.log) }
            + (try changes.map { try HistoryChanges($0.values).faults(repository.log) } ?? [])
    }

    /// Returns a fault if queries are read again though nothing is written.
    ///
    /// After a change of the schema's version, as by another program's VACUUM, a query is read once more a few
    /// milliseconds later. So if another program writes, it is enough that the reads end.
    private static func unrest(_ repository: HistoryRepository, _ kind: HistoryKind) async throws -> [String] {
        for _ in 0..<(kind.isShared ? 100 : 1) {
            let reread = repository.base.statistics.reread
            for _ in 0..<(kind.isShared ? 100 : 3) { try await repository.countSubscription(Piece.self).value() }
            if repository.base.statistics.reread == reread { return [] }
        }
        return ["Queries are read again though nothing was written"]
    }
}

/// Runs work on `count` threads at once, and waits for all of them.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) async {
    await withCheckedContinuation { continuation in
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread {
                work(index)
                group.leave()
            }.start()
        }
        group.notify(queue: .global()) { continuation.resume() }
    }
}

/// Runs blocking work on a new thread, which no task uses.
func onThread<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result(catching: work)) }.start()
    }
}

/// Whether a long run was asked for, which may take hours.
let isSoak = ["HISTORIES", "COMMITS"].contains { ProcessInfo.processInfo.environment[$0] != nil }
