import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Terms that live queries compute in memory have the value that the store computes, of the same class.
@Suite("Terms in memory and in the store", .timeLimit(.minutes(20))) struct RowTermTests {
    /// The number of rounds for each seed, of up to ten terms each; `TERMS` sets another number.
    private static func count(_ kind: StoreKind) -> Int {
        isSoak ? 3_000 : kind == .postgres ? 40 : HistoryTests.number("TERMS") ?? 80
    }

    @Test(
        "R4 Random terms and conditions have the same values in memory as in the store, for rows of every kind",
        arguments: [StoreKind.memory, .postgres], 0..<8)
    func measures(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = (0..<14).map { Measure.extreme($0, &random, kind) }
        try await withRepository(kind, [Measure.self]) { repository async throws in
            try await repository.insert(rows).value()
            var terms = RowTermGenerator(random: SeededGenerator(seed: UInt64(seed + 100)), kind: kind)
            var trial = RowTermTrial<Measure>(repository, kind, count: rows.count)
            for _ in 0..<Self.count(kind) { try await trial.compare(try terms.next()) }
            trial.expect()
        }
    }

    @Test(
        "R4 Random arithmetic at the ends of 64 bits has the same result in memory as in the store, or is left to it",
        arguments: [StoreKind.memory, .postgres], 0..<8)
    func amounts(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = (0..<14).map { Amount.random($0, &random) }
        try await withRepository(kind, [Amount.self]) { repository async throws in
            try await repository.insert(rows).value()
            var generator = ExactGenerator(random: SeededGenerator(seed: UInt64(seed + 100)))
            var trial = RowTermTrial<Amount>(repository, kind, count: rows.count)
            for round in 0..<Self.count(kind) {
                let (one, other) = (generator.decimal(1 + round % 2), generator.decimal(1))
                let (left, right) = (generator.whole(1 + round % 3), generator.whole(1))
                try await trial.compare([
                    try one.term.value().term, try left.term.value().term,
                    .test(try (one.term < other.term).stored()), .test(try (left.term != right.term).stored()),
                    .test(try (one.term >= other.term && left.term == right.term || left.term == nil).stored()),
                ])
            }
            trial.expect()
        }
    }

    @Test("Terms that only the store can compute have no form in memory")
    func leftToTheStore() throws {
        let places = RowColumns(byCharacters: true) { _ in 0 }
        let server = RowColumns(byCharacters: false) { _ in 0 }
        let columns = Measure.queryTerms
        let own = TermFunction("initial") { (text: String) in String(text.prefix(1)) }
        #expect(try own(columns.text).value().term.rowTerm(places) == nil)
        #expect(try columns.text.localized().value().term.rowTerm(places) == nil)
        #expect(try (columns.text.localized() == "a").stored().rowTest(places) == nil)
        #expect(try Condition<Measure>.raw("whole > 3").stored().rowTest(places) == nil)
        #expect(try columns.date.year().value().term.rowTerm(places) != nil)
        #expect(try columns.date.year().value().term.rowTerm(server) == nil)
        #expect(try columns.text.count.value().term.rowTerm(server) == nil)
        var deep = columns.whole + 1
        for _ in 0..<100 { deep = deep + 1 }
        #expect(try deep.value().term.rowTerm(places) == nil)
    }
}

/// Random terms of every kind.
private struct RowTermGenerator {
    private var expressions: ExpressionGenerator
    private var zones = ["GMT", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "GMT+0545"]

    init(random: SeededGenerator, kind: StoreKind) {
        expressions = ExpressionGenerator(random: random, kind: kind)
    }

    mutating func next() throws -> [StoredTerm] {
        var terms = [
            try expressions.whole(3).term.value().term, try expressions.real(3).term.value().term,
            try expressions.price(3).term.value().term, try expressions.text(3).term.value().term,
            .test(try expressions.condition(2).term.stored()), .test(try expressions.condition(3).term.stored()),
        ]
        terms.append(try number())
        terms.append(.test(try condition().stored()))
        if expressions.kind != .postgres { terms.append(try text()) }
        return terms
    }

    private mutating func number() throws -> StoredTerm {
        let whole = expressions.whole(1).term
        switch expressions.roll(5) {
        case 0: return try whole.magnitude.value().term
        case 1: return try (whole.cast(as: Double.self) + expressions.real(1).term).value().term
        case 2: return try expressions.real(2).term.magnitude.value().term
        case 3: return try (-expressions.real(1).term).value().term
        default: return try (-whole.magnitude).value().term
        }
    }

    private mutating func condition() throws -> Condition<Measure> {
        let (one, other) = (expressions.condition(1).term, expressions.condition(1).term)
        let (whole, real) = (expressions.whole(1).term, expressions.real(1).term)
        switch expressions.roll(6) {
        case 0: return one == other
        case 1: return whole.isIn([1, nil, -3, 7, 0])
        case 2: return real.between(-1.5...4)
        case 3: return (real ?? 1) != real
        case 4: return one == expressions.columns.isDone
        default: return !(whole.between(-3...Int.max) && one)
        }
    }

    private mutating func text() throws -> StoredTerm {
        let (one, other) = (expressions.text(1).term, expressions.text(1).term)
        let pattern = TextZoo.random(&expressions.random)
        let zone = TimeZone(identifier: zones[expressions.roll(zones.count)]) ?? .gmt
        let date = expressions.columns.date
        switch expressions.roll(8) {
        case 0: return try (one + other).value().term
        case 1: return try one.count.value().term
        case 2: return .test(try one.contains(pattern).stored())
        case 3: return .test(try (one + "-").hasPrefix(pattern).stored())
        case 4: return .test(try (one + other).hasSuffix(pattern).stored())
        case 5: return .operation(.text(.contains), [try one.value().term, .constant(.text(pattern))])
        case 6: return .operation(.text(.starts), [try one.value().term, try other.value().term])
        default:
            let parts = [
                date.year(in: zone), date.month(in: zone), date.day(in: zone), date.hour(in: zone),
                date.weekday(in: zone),
            ]
            return try parts[expressions.roll(parts.count)].value().term
        }
    }
}

/// Evaluates terms in a store, and on its rows in memory.
private struct RowTermTrial<Item: Entity> {
    let repository: any Repository
    let kind: StoreKind
    let count: Int
    private var failures: [String] = []
    /// How many values were equal, how many rows were rightly left to the store, and how many were left needlessly.
    private var (same, faults, needless) = (0, 0, 0)

    init(_ repository: any Repository, _ kind: StoreKind, count: Int) {
        (self.repository, self.kind, self.count) = (repository, kind, count)
    }

    mutating func compare(_ terms: [StoredTerm]) async throws {
        if failures.count > 5 { return }
        if let rows = try? await computed(terms, nil) { return compare(terms, rows) }
        // One overflow fails all terms, so each is tried alone, and then each row.
        for term in terms {
            if let rows = try? await computed([term], nil) {
                compare([term], rows)
                continue
            }
            for id in 0..<count {
                do {
                    compare([term], try await computed([term], id))
                } catch {
                    guard case RepositoryError.overflow = error else { throw error }
                    try await expectFault(term, id)
                }
            }
        }
    }

    /// The stored rows, and the values that the store computes for them.
    private func computed(_ terms: [StoredTerm], _ id: Int?) async throws -> [(row: [SQLValue], values: [SQLValue])] {
        let test = id.map { StoredTest.comparison(StoredColumn("id", of: nil), .equal, .integer(Int64($0))) }
        let sql = QuerySQL { dialect throws(RepositoryError) in
            try dialect.select(FetchQuery<Item>(), and: test, adding: terms)
        }
        return try await repository.read { store in
            try store.query(store.session.statement(sql)) { statement throws(RepositoryError) in
                try statement.all { row throws(RepositoryError) in
                    let values = try row.values()
                    return (Array(values.dropLast(terms.count)), Array(values.suffix(terms.count)))
                }
            }
        }.value()
    }

    private func memory(_ term: StoredTerm) -> RowTerm? {
        term.rowTerm(RowColumns(byCharacters: kind != .postgres) { Item.schema.names.firstIndex(of: $0.name) })
    }

    private mutating func compare(_ terms: [StoredTerm], _ rows: [(row: [SQLValue], values: [SQLValue])]) {
        for (index, term) in terms.enumerated() {
            guard let memory = memory(term) else {
                // Floating-point numbers of a server are left to it.
                if kind == .postgres { needless += rows.count } else { failures.append("\(term) has no form") }
                continue
            }
            for (row, values) in rows {
                guard let value = try? memory.value(row) else {
                    needless += 1
                    continue
                }
                if value == values[index] {
                    same += 1
                } else {
                    failures.append("\(term) of \(row): \(value), in the store \(values[index])")
                }
            }
        }
    }

    private mutating func expectFault(_ term: StoredTerm, _ id: Int) async throws {
        let memory = memory(term)
        if memory == nil, kind == .postgres { return faults += 1 }
        guard let memory, let row = try await computed([], id).first?.row else {
            return failures.append("\(term) has no form")
        }
        if let value = try? memory.value(row) {
            failures.append("\(term) of \(row) fails in the store, and is \(value)")
        } else {
            faults += 1
        }
    }

    func expect() {
        #expect(failures.isEmpty, "\(failures.prefix(3))")
        // A server fails where SQLite goes on with an infinite number, so its floating-point numbers are left to it.
        let most = kind == .postgres ? same : same / 20
        #expect(same > 0 && needless < most, "same: \(same), faults: \(faults), needless: \(needless)")
    }
}
