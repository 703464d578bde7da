import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Live queries with random computed conditions, orders and groups, over numbers at the ends of their types.
///
/// After each commit, each has the value that a fresh query reads, or has failed as that fails.
@Suite("Live queries of random terms", .timeLimit(.minutes(20))) struct ComputedLiveTests {
    @Test(
        "R4 R20 After each commit, a live query of random terms equals a fresh one, and fails when that does",
        arguments: StoreKind.allCases, 0..<4)
    func random(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        try await withRepository(kind, [Measure.self]) { repository async throws in
            try await repository.insert((0..<12).map { Measure.extreme($0, &random, kind) }).value()
            var queries = RandomQueries(repository, kind, seed: UInt64(seed + 100))
            for _ in 0..<(isSoak ? 400 : kind == .postgres ? 12 : 40) {
                try await queries.refill()
                let ids = (Int.random(in: 0..<16, using: &random), Int.random(in: 0..<16, using: &random))
                try await queries.write(Measure.extreme(ids.0, &random, kind), Measure.extreme(ids.1, &random, kind))
                // A new query gets its first value after the pass that handles the commit.
                let pass = repository.follow(LiveQuery { try $0.count(Measure.self) }).record()
                _ = await pass.values(1)
                pass.cancel()
                try await queries.compare()
            }
            #expect(queries.failures.isEmpty, "\(queries.failures.prefix(3))")
            #expect(repository.statistics.updatedInPlace > 0)
            for query in queries.live { query.recorder.cancel() }
        }
    }
}

/// A live query, and a fresh read of the same query.
private struct RandomQuery: Sendable {
    let text: String
    let live: Signal<[String], RepositoryError>
    let fresh: Signal<[String], RepositoryError>
    let recorder: Recorder<[String], RepositoryError>

    init(_ text: String, live: Signal<[String], RepositoryError>, fresh: Signal<[String], RepositoryError>) {
        (self.text, self.live, self.fresh, recorder) = (text, live, fresh, Recorder())
    }

    /// The last value, which may still be on its way.
    func last(_ fresh: [String]) async -> [String]? {
        var values = recorder.values
        while !values.last.isStored(like: fresh), !recorder.isEnded {
            let more = await recorder.values(values.count + 1)
            // Nothing more came in time.
            if more.count == values.count { break }
            values = more
        }
        return values.last
    }
}

private struct RandomQueries {
    let repository: any Repository
    private var expressions: ExpressionGenerator
    private(set) var live: [RandomQuery] = []
    private(set) var failures: [String] = []

    init(_ repository: any Repository, _ kind: StoreKind, seed: UInt64) {
        self.repository = repository
        expressions = ExpressionGenerator(random: SeededGenerator(seed: seed), kind: kind)
    }

    /// Follows more queries in place of the failed ones, and waits for their first values.
    mutating func refill() async throws {
        for _ in 0..<40 where live.count < 8 {
            let query = expressions.roll(3) == 0 ? groups() : items()
            guard (try? await query.fresh.value()) != nil else { continue }
            query.live.attach(query.recorder.sink)
            if await query.recorder.values(1).isEmpty {
                failures.append("\(query.text) did not begin: \(query.recorder.history)")
            } else {
                live.append(query)
            }
        }
    }

    private mutating func items() -> RandomQuery {
        let condition = expressions.condition(2)
        var (query, text) = (Measure.where(condition.term), condition.text)
        let direction: Ordering<Measure>.Direction = expressions.roll(2) == 0 ? .ascending : .descending
        switch expressions.roll(6) {
        case 0:
            let key = expressions.whole(2)
            (query, text) = (query.sorted(direction) { _ in key.term }, text + " by \(key.text)")
        case 1:
            let key = expressions.price(2)
            (query, text) = (query.sorted(direction) { _ in key.term }, text + " by \(key.text)")
        case 2:
            let key = expressions.real(2)
            (query, text) = (query.sorted(direction) { _ in key.term }, text + " by \(key.text)")
        case 3:
            let key = expressions.text(2)
            (query, text) = (query.sorted(direction) { _ in key.term }, text + " by \(key.text)")
        case 4:
            let key = expressions.condition(1)
            (query, text) = (query.sorted(direction) { _ in key.term }, text + " by \(key.text)")
        default: break
        }
        if expressions.roll(2) == 0 { query = query.limit(1 + expressions.roll(4)).offset(expressions.roll(3)) }
        return RandomQuery(
            text, live: repository.fetchSubscription(query).map { $0.map { "\($0)" } },
            fresh: repository.fetch(query).map { $0.map { "\($0)" } })
    }

    private mutating func groups() -> RandomQuery {
        let (condition, part, key) = (expressions.condition(1), expressions.condition(1), expressions.whole(1))
        let (whole, price, text) = (expressions.whole(2), expressions.price(1), expressions.text(1))
        let few = expressions.roll(2)
        var groups = Measure.where(condition.term).grouped { _ in key.term }.having { $0.id.count() > few }
        if expressions.roll(2) == 0 { groups = groups.sorted(.descending) { _ in whole.term.max() } }
        if expressions.roll(2) == 0 { groups = groups.limit(1 + expressions.roll(4)).offset(expressions.roll(2)) }
        let query = groups.aggregate {
            (
                $0.id.count(), whole.term.sum(where: part.term), whole.term.min(), price.term.sum(),
                text.term.max(where: part.term), $0.small.average(), whole.term.count()
            )
        }
        let name = "\(key.text), \(whole.text), \(price.text), \(text.text) for \(part.text) of \(condition.text)"
        return RandomQuery(
            name, live: repository.fetchSubscription(query).map { $0.map { "\($0)" } },
            fresh: repository.fetch(query).map { $0.map { "\($0)" } })
    }

    /// Stores or deletes a row, and stores another, in one commit.
    mutating func write(_ row: Measure, _ other: Measure) async throws {
        let isDeletion = expressions.roll(2) == 0
        try await repository.transaction { store in
            if isDeletion { try store.delete(Measure.self) { $0.id == row.id } } else { try store.upsert(row) }
            try store.upsert(other)
        }.value()
    }

    /// Notes the queries that differ from a fresh one, and forgets those that failed as it did.
    mutating func compare() async throws {
        var left: [RandomQuery] = []
        for query in live {
            do {
                let fresh = try await query.fresh.value()
                let last = await query.last(fresh)
                if query.recorder.completion == nil, last.isStored(like: fresh) {
                    left.append(query)
                } else {
                    failures.append("\(query.text): \(query.recorder.completion as Any) \(last as Any), not \(fresh)")
                }
            } catch RepositoryError.overflow {
                guard case .failure(.overflow)? = await query.recorder.end() else {
                    failures.append("\(query.text) goes on, and should have failed")
                    continue
                }
            }
        }
        live = left
    }
}
