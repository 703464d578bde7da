import Foundation
import Signals
import SignalsTesting

@testable import RepositoryCore
@testable import SignalRepository

/// A live query that is followed, and a fresh read of the same query.
struct RandomQuery: Sendable {
    let text: String
    /// Whether a fresh read may examine more rows than an update, and so overflow where the live query does not.
    var hasSeveralTables = false
    /// Reads the query, and returns whether the last value differs.
    let isStale: @Sendable (ReadTransaction) throws -> Bool
    /// Waits for the value that a fresh read has; returns the difference if it does not come.
    let fault: @Sendable (any Repository) async throws -> String?
    /// Waits for the first value, and returns whether it came.
    let hasBegun: @Sendable () async -> Bool
    /// Waits for the end of a query that failed, and returns its error.
    let end: @Sendable () async -> RepositoryError?
    let cancel: @Sendable () -> Void

    init<Query: LiveRepositoryQuery>(
        _ text: String, _ query: Query, _ repository: any Repository,
        _ areSame: @escaping @Sendable (Query.Answer, Query.Answer) -> Bool
    ) {
        let sql = (query as? any RowsRepositoryQuery).flatMap { Self.sql($0) }
        let text = sql.map { "\(text): \($0.text) \($0.bindings)" } ?? "\(text): \(Query.self)"
        self.text = text
        let recorder = repository.follow(query).record()
        let isCurrent = { @Sendable (fresh: Query.Answer) in
            guard case .value(let last)? = recorder.state.withLock({ $0.log.last?.event }) else { return false }
            return areSame(last, fresh)
        }
        isStale = { store in !isCurrent(try query.answer(in: store)) }
        fault = { repository in
            let fresh = try await repository.fetch(query).value()
            await recorder.last(where: { areSame($0, fresh) })
            if isCurrent(fresh) { return nil }
            return "\(text): \(recorder.values.last as Any) \(recorder.completion as Any), not \(fresh)"
        }
        hasBegun = { await !recorder.values(1).isEmpty }
        end = { if case .failure(let error)? = await recorder.end() { error } else { nil } }
        cancel = { recorder.cancel() }
    }

    private static func sql(_ query: some RowsRepositoryQuery) -> SQLText? {
        try? query.rows.sql.text(in: SQLiteDialect())
    }

    init<Query: LiveRepositoryQuery>(_ text: String, _ query: Query, _ repository: any Repository)
    where Query.Answer: StoredValue {
        self.init(text, query, repository) { $0.isStored(like: $1) }
    }

    /// A query whose rows are tuples.
    init<each Value: StoredValue>(
        rows text: String, _ query: SelectQuery<(repeat each Value)>, _ repository: any Repository
    ) {
        self.init(text, query, repository) { left, right in
            left.count == right.count
                && zip(left, right).allSatisfy { left, right in
                    for (left, right) in repeat (each left, each right) {
                        if !left.isStored(like: right) { return false }
                    }
                    return true
                }
        }
    }
}

extension Bool: StoredValue {}
extension Date: StoredValue {}

/// Makes random queries of measures and findings.
struct QueryGenerator {
    let repository: any Repository
    let kind: StoreKind
    var random: SeededGenerator

    init(_ repository: any Repository, _ kind: StoreKind, seed: UInt64) {
        (self.repository, self.kind, random) = (repository, kind, SeededGenerator(seed: seed))
    }

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func generator<Root>(_ terms: RandomTerms<Root>) -> TermGenerator<Root> {
        TermGenerator(random: SeededGenerator(seed: random.next()), terms: terms, kind: kind)
    }

    /// Whether the last query reads more than one table.
    private var hasSeveralTables = false

    mutating func query() -> RandomQuery {
        hasSeveralTables = false
        var query = anyQuery()
        query.hasSeveralTables = hasSeveralTables
        return query
    }

    private mutating func anyQuery() -> RandomQuery {
        let kind = roll(9)
        hasSeveralTables = kind > 2
        switch kind {
        case 0...1: return query("measures", Measure.all, measureTerms())
        case 2: return query("findings", Finding.all, findingTerms())
        case 3: return included()
        case 4:
            let (left, right) = Joined<Finding, Measure>.queryTerms
            return query(
                "findings joined", Finding.joined(to: Measure.self, on: \.measure),
                RandomTerms(left) + RandomTerms(right))
        case 5:
            let (left, right) = LeftJoined<Measure, Finding>.queryTerms
            let terms = RandomTerms(left) + RandomTerms(right)
            var tests = generator(terms + findings(of: left))
            let other = tests.condition(1)
            let condition = roll(3) == 0 ? tests.condition(1) && other : left.id == right.measure && other
            return query("measures left joined", Measure.leftJoined(to: Finding.self) { _, _ in condition }, terms)
        case 6:
            let (left, right) = Joined<Measure, Finding>.queryTerms
            let terms = RandomTerms(left) + RandomTerms(right)
            var tests = generator(terms + findings(of: left) + words(of: right))
            let condition = tests.condition(2)
            return query("any pairs", Measure.joined(to: Finding.self) { _, _ in condition }, terms)
        case 7:
            let (left, right) = LeftJoined<Finding, Measure>.queryTerms
            let terms = RandomTerms(left) + RandomTerms(right)
            return query("findings left joined", Finding.leftJoined(to: Measure.self, on: \.measure), terms)
        default:
            let (left, right) = Joined<Measure, Measure>.queryTerms
            let terms = RandomTerms(left) + RandomTerms(right)
            let condition = left.kind == right.kind && left.id < right.id
            return query("pairs of a kind", Measure.joined(to: Measure.self) { _, _ in condition }, terms)
        }
    }

    /// The terms of a measure, sometimes with conditions on its findings.
    private mutating func measureTerms() -> RandomTerms<Measure> {
        let terms = RandomTerms(Measure.queryTerms)
        guard roll(3) == 0 else { return terms }
        hasSeveralTables = true
        return terms + findings(of: Measure.queryTerms)
    }

    /// Terms that depend on the findings of a measure.
    private mutating func findings<Root>(of row: Columns<Root, Measure>) -> RandomTerms<Root> {
        let seeds = (random.next(), random.next())
        return RandomTerms(
            wholes: [row.count(of: Finding.self, by: \.measure) { condition(on: $0, seed: seeds.1) }.optional],
            tests: [row.exists(Finding.self, by: \.measure) { condition(on: $0, seed: seeds.0) }])
    }

    private mutating func words<Root>(of row: Columns<Root, Finding>) -> RandomTerms<Root> {
        RandomTerms(tests: [row.matches(["a", "zebra", "äpfel a"][roll(3)])])
    }

    private func condition(on row: Columns<Finding, Finding>, seed: UInt64) -> Condition<Finding> {
        var terms = TermGenerator(random: SeededGenerator(seed: seed), terms: RandomTerms(row), kind: kind)
        return terms.condition(1)
    }

    /// The terms of a finding, sometimes with a search.
    private mutating func findingTerms() -> RandomTerms<Finding> {
        let terms = RandomTerms(Finding.queryTerms)
        return roll(3) == 0 ? terms + words(of: Finding.queryTerms) : terms
    }

    private mutating func included() -> RandomQuery {
        var (measures, findings) = (
            generator(RandomTerms(Measure.queryTerms)), generator(RandomTerms(Finding.queryTerms))
        )
        let items = sorted(Measure.where(measures.condition(1)), &measures)
        let children = Finding.where(findings.condition(1))
        switch roll(4) {
        case 0:
            let many = sorted(children, &findings)
            return RandomQuery("measures with findings", items.including(many: many, by: \.measure), repository)
        case 1:
            let first = children.sorted { _ in findings.real(1) }
            return RandomQuery("measures with a finding", items.including(first: first, by: \.measure), repository)
        case 2: return RandomQuery("measures with counts", items.including(count: children, by: \.measure), repository)
        default:
            let parents = Measure.where(measures.condition(1))
            return RandomQuery(
                "findings with measures", sorted(children, &findings).including(parent: parents, by: \.measure),
                repository)
        }
    }

    private mutating func sorted<Root: Fetchable>(
        _ query: FetchQuery<Root>, _ terms: inout TermGenerator<Root>
    ) -> FetchQuery<Root> {
        var query = query
        for _ in 0..<roll(3) {
            let direction: Ordering<Root>.Direction = roll(2) == 0 ? .ascending : .descending
            query =
                switch roll(5) {
                case 0: query.sorted(direction) { _ in terms.whole(2) }
                case 1: query.sorted(direction) { _ in terms.real(1) }
                case 2: query.sorted(direction) { _ in terms.price(1) }
                case 3: query.sorted(direction) { _ in terms.text(1) }
                default: query.sorted(direction) { _ in terms.condition(0) }
                }
        }
        return roll(2) == 0 ? query.limit(1 + roll(6)).offset(roll(3)) : query
    }

    private mutating func query<Root: Fetchable & Equatable & StoredValue>(
        _ name: String, _ base: FetchQuery<Root>, _ terms: RandomTerms<Root>
    ) -> RandomQuery {
        var terms = generator(terms)
        let condition = terms.condition(2)
        let query = base.where(condition)
        switch roll(8) {
        case 0...1: return RandomQuery(name, sorted(query, &terms), repository)
        case 2: return selection(name, query, &terms)
        case 3...4: return groups(name, query, &terms)
        case 5:
            let (whole, real, part) = (terms.whole(1), terms.summand(), terms.condition(1))
            return RandomQuery(
                rows: name,
                query.aggregate { _ in (whole.sum(where: part), real.sum(), real.average(), whole.count(distinct: true))
                }, repository)
        case 6: return RandomQuery(name, sorted(query, &terms).count, repository)
        default:
            if roll(2) == 0 { return RandomQuery(name, query.exists, repository) }
            return RandomQuery(name, sorted(query, &terms).last, repository)
        }
    }

    private mutating func selection<Root: Fetchable>(
        _ text: String, _ query: FetchQuery<Root>, _ terms: inout TermGenerator<Root>
    ) -> RandomQuery {
        let (whole, words, real, price) = (terms.whole(2), terms.text(1), terms.real(1), terms.price(1))
        let isDistinct = roll(2) == 0
        switch roll(3) {
        case 0:
            // Distinct rows can be sorted only by selected columns.
            let column = terms.column
            let one =
                isDistinct
                ? query.sorted { _ in column }.select { _ in column } : sorted(query, &terms).select { _ in whole }
            return RandomQuery(rows: text, isDistinct ? one.distinct().limit(1 + roll(9)) : one, repository)
        case 1:
            let two = (isDistinct ? query : sorted(query, &terms)).select { _ in (words, price) }
            return RandomQuery(rows: text, isDistinct ? two.distinct() : two, repository)
        default:
            let three = (isDistinct ? query : sorted(query, &terms)).select { _ in (real, whole, words) }
            return RandomQuery(rows: text, isDistinct ? three.distinct() : three, repository)
        }
    }

    private mutating func groups<Root: Fetchable>(
        _ text: String, _ query: FetchQuery<Root>, _ terms: inout TermGenerator<Root>
    ) -> RandomQuery {
        let (whole, words, real, price) = (terms.whole(1), terms.text(1), terms.summand(), terms.price(1))
        let (part, few) = (terms.condition(1), roll(2))
        switch roll(3) {
        case 0:
            let key = terms.whole(1)
            let groups = ordered(query.grouped { _ in key }, whole)
            return RandomQuery(
                rows: text,
                groups.having { _ in whole.count() >= few }
                    .aggregate { _ in (whole.sum(where: part), real.average(), price.max(), words.min(where: part)) },
                repository)
        case 1:
            let key = terms.text(1)
            return RandomQuery(
                rows: text,
                ordered(query.grouped { _ in (key, part) }, whole)
                    .aggregate { _ in (price.sum(), whole.average(where: part), words.count(distinct: true)) },
                repository)
        default:
            let key = terms.real(1)
            let groups = query.grouped { _ in key }
            let sorted = few == 0 ? groups.sorted(.descending) { _ in whole.max() } : ordered(groups, whole)
            let rows = sorted.aggregate { _ in (real.sum(), words.max()) }
            return RandomQuery(rows: text, few == 0 ? rows.distinct().limit(4) : rows, repository)
        }
    }

    private mutating func ordered<Root, each Key>(
        _ groups: GroupedQuery<Root, repeat each Key>, _ whole: Term<Root, Int?>
    ) -> GroupedQuery<Root, repeat each Key> {
        let sorted = roll(2) == 0 ? groups.sorted(.descending) { _ in whole.max() } : groups
        return roll(2) == 0 ? sorted.limit(1 + roll(4)).offset(roll(2)) : sorted
    }
}
