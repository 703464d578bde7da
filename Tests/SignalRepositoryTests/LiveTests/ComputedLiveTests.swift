import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Live queries of every shape, with random conditions, orders, groups and terms, while random commits change the rows.
///
/// After each commit, each has the value that a fresh query reads, or has failed as that fails. `COMMITS` is the number
/// of commits for each seed, `QUERIES` the number of seeds, and `HISTORY` the first seed.
@Suite("Live queries of random terms", .timeLimit(.minutes(isSoak ? 600 : 20))) struct ComputedLiveTests {
    private static let commits = HistoryTests.number("COMMITS")
    private static let first = UInt64(HistoryTests.number("HISTORY") ?? 0)
    private static let seeds = first..<first + UInt64(HistoryTests.number("QUERIES") ?? 4)
    private static let kinds = StoreKind.allCases.filter { kind in
        ProcessInfo.processInfo.environment["STORE"].map { $0 == kind.rawValue } ?? true
    }

    @Test(
        "R4 R17 R20 After each commit, a random live query equals a fresh one, and fails when that does",
        arguments: kinds, seeds)
    func random(kind: StoreKind, seed: UInt64) async throws {
        try await withRepository(kind, [Measure.self, Finding.self]) { repository async throws in
            var game = RandomGame(repository, kind, seed: seed)
            try await game.begin()
            for _ in 0..<(Self.commits ?? (kind == .postgres ? 12 : 40)) {
                try await game.refill()
                try await game.write()
                try await game.compare()
            }
            game.end()
            #expect(game.failures == [])
            let counts = repository.statistics
            let updates = counts.updatedInPlace + counts.rereadByKey + counts.refilled
            #expect(updates > 0)
            // Rows with numbers at the ends of their types overflow, and are read again.
            if !game.isExtreme { #expect(counts.reread <= updates / 100 + 1, "\(counts)") }
        }
    }
}

/// Random commits, and the random queries that follow them.
private struct RandomGame {
    let repository: any Repository
    let kind: StoreKind
    /// Whether the rows have numbers at the ends of their types.
    let isExtreme: Bool
    /// The number of keys; with many rows, lists with a limit hold only a part, and must be refilled.
    private let keyCount: Int
    private var random: SeededGenerator
    private var generator: QueryGenerator
    private var live: [RandomQuery] = []
    private(set) var failures: [String] = []

    init(_ repository: any Repository, _ kind: StoreKind, seed: UInt64) {
        (self.repository, self.kind, isExtreme) = (repository, kind, seed % 4 == 3)
        keyCount = seed % 4 == 1 ? 45 : 14
        random = SeededGenerator(seed: seed)
        generator = QueryGenerator(repository, kind, seed: seed + 100)
    }

    private mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func measure() -> Measure {
        let id = roll(keyCount)
        if isExtreme { return Measure.extreme(id, &random, kind) }
        var row = Measure.random(id, &random)
        row.whole /= 4
        return row
    }

    private mutating func finding() -> Finding { Finding.random(roll(keyCount), &random) }

    mutating func begin() async throws {
        let measures = (0..<keyCount).map { _ in measure() }
        let findings = (0..<keyCount).map { _ in finding() }
        try await repository.transaction { store in
            for measure in measures { try store.upsert(measure) }
            for finding in findings { try store.upsert(finding) }
        }.value()
    }

    /// Follows more queries in place of the ended ones, and sometimes another in place of the oldest.
    mutating func refill() async throws {
        if live.count == 8, roll(20) == 0 { live.removeFirst().cancel() }
        for _ in 0..<40 where live.count < 8 {
            let query = generator.query()
            if await query.hasBegun() {
                live.append(query)
            } else if let error = await query.end(), !["overflow", "decoding"].contains(Self.kind(error)) {
                failures.append("\(query.text) did not begin: \(error)")
            }
        }
    }

    /// The name of an error's case.
    private static func kind(_ error: RepositoryError) -> String? { Mirror(reflecting: error).children.first?.label }

    mutating func write() async throws {
        let (row, other, finding, next, number) = (measure(), measure(), finding(), finding(), roll(9) - 4)
        let body: @Sendable (WriteTransaction) throws -> Void =
            switch roll(9) {
            case 0...1: { try $0.upsert(row) }
            case 2...3: { try $0.upsert(finding) }
            case 4: { try $0.delete(Measure.self) { $0.id == row.id } }
            case 5: { try $0.delete(Finding.self) { $0.id == finding.id } }
            case 6: { try $0.update(Finding.self, set: [.set(\.measure, to: next.measure)]) { $0.whole == number } }
            case 7: { try $0.update(Measure.self, set: [.set(\.kind, to: other.kind)]) { $0.isDone == row.isDone } }
            default:
                { store in
                    try store.delete(Finding.self) { $0.measure == row.id }
                    try store.upsert(row)
                    try store.upsert(other)
                    try store.upsert(next)
                }
            }
        try await repository.transaction(body).value()
    }

    /// Notes the queries that differ from a fresh one, and forgets those that failed as it did.
    mutating func compare() async throws {
        let queries = live
        let isDoubtful = try await repository.read { store in
            queries.map { query in (try? query.isStale(store)) ?? true }
        }.value()
        guard isDoubtful.contains(true) else { return }
        var left: [RandomQuery] = []
        for (query, isDoubtful) in zip(queries, isDoubtful) {
            guard isDoubtful else {
                left.append(query)
                continue
            }
            do {
                if let fault = try await query.fault(repository) { failures.append(fault) } else { left.append(query) }
            } catch let error as RepositoryError {
                let expected = Self.kind(error)
                if query.hasSeveralTables, expected == "overflow" {
                    query.cancel()
                    continue
                }
                let end = await query.end()
                if end.flatMap(Self.kind) != expected {
                    failures.append("\(query.text) ended with \(end as Any), not with \(error)")
                }
            }
        }
        live = left
    }

    mutating func end() {
        for query in live { query.cancel() }
        live = []
    }
}
