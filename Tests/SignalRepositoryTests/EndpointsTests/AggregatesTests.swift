import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("aggregate", .timeLimit(.minutes(10))) struct AggregatesTests {
    @Test("R15 A summary of random rows equals plain Swift's", arguments: StoreKind.allCases, 0..<4)
    func random(kind: StoreKind, seed: Int) async throws {
        try await withMeasures(kind, seed: seed) { measures in
            let (repository, condition) = (measures.repository, measures.condition)
            try await measures.agree(
                repository.aggregate(.summary, of: \Measure.maybePrice),
                live: repository.aggregateSubscription(.summary, of: \Measure.maybePrice),
                inside: { try $0.fetch(Measure.all.summary(of: \.maybePrice)) }, summary)
            try await measures.agree(
                repository.aggregate(.summary, of: \Measure.maybePrice) { _ in condition },
                live: repository.aggregateSubscription(.summary, of: \Measure.maybePrice) { _ in condition },
                inside: { try $0.fetch(Measure.where(condition).summary(of: \.maybePrice)) },
                { summary(measures.some($0)) }
            )
            try await measures.agree(
                repository.aggregate(.summary, of: \Measure.maybePrice, groupedBy: \.kind),
                live: repository.aggregateSubscription(.summary, of: \Measure.maybePrice, groupedBy: \.kind),
                inside: { try $0.fetch(Measure.all.aggregate(.summary, of: \.maybePrice, groupedBy: \.kind)) },
                { measures.groups($0, summary) })
            try await measures.agree(
                repository.aggregate(.summary, of: \Measure.maybePrice, groupedBy: \.kind) { _ in condition },
                live: repository.aggregateSubscription(
                    .summary, of: \Measure.maybePrice, groupedBy: \.kind
                ) { _ in condition },
                inside: {
                    try $0.fetch(
                        Measure.where { _ in condition }.aggregate(.summary, of: \.maybePrice, groupedBy: \.kind))
                },
                { measures.groups(measures.some($0), summary) })
        }
    }

    @Test("R15 Every function equals plain Swift, over rows and groups, live too", arguments: StoreKind.allCases, 0..<2)
    func functions(kind: StoreKind, seed: Int) async throws {
        try await withMeasures(kind, seed: seed) { measures in
            try await compare(measures, .sum, \.price) { $0.reduce(0) { $0 + $1.price } }
            try await compare(measures, .average, \.maybeReal) { rows in
                let reals = rows.compactMap(\.maybeReal)
                return reals.isEmpty ? nil : reals.reduce(0, +) / Double(reals.count)
            }
            try await compare(measures, .count, \.kind) { $0.count { $0.kind != nil } }
            try await compare(measures, .count, \.isDone) { $0.count }
            try await compare(measures, .min, \.small) { $0.compactMap(\.small).min() }
            try await compare(measures, .max, \.date) { $0.map(\.date).max() }
            try await compare(measures, .summary, \.maybePrice, summary)
        }
    }

    /// Compares a function with and without a condition, over all rows and by groups.
    private func compare<Value, Output>(
        _ measures: Measures, _ function: AggregateFunction<Value, Output>,
        _ column: KeyPath<Measure, Value> & Sendable,
        _ expected: ([Measure]) -> Output, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let repository = measures.repository
        for condition in [nil, measures.condition] {
            let passing = { (rows: [Measure]) in condition == nil ? rows : measures.some(rows) }
            try await measures.agree(
                repository.aggregate(function, of: column) { _ in condition ?? .true },
                live: repository.aggregateSubscription(function, of: column) { _ in condition ?? .true },
                inside: { try $0.fetch(Measure.where { _ in condition ?? .true }.aggregate(function, of: column)) },
                { expected(passing($0)) },
                sourceLocation: sourceLocation)
            try await measures.agree(
                repository.aggregate(function, of: column, groupedBy: \.kind) { _ in condition ?? .true },
                live: repository.aggregateSubscription(function, of: column, groupedBy: \.kind) { _ in
                    condition ?? .true
                },
                inside: {
                    try $0.fetch(
                        Measure.where { _ in condition ?? .true }.aggregate(function, of: column, groupedBy: \.kind))
                },
                { measures.groups(passing($0), expected) }, sourceLocation: sourceLocation)
        }
    }

    @Test("R7 Groups appear, change and go; a change that none shows is not delivered", arguments: StoreKind.allCases)
    func liveGroups(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let all = repository.aggregateSubscription(.sum, of: \Film.boxOffice, groupedBy: \.studio).record()
            let some = repository.aggregateSubscription(
                .max, of: \Film.boxOffice, groupedBy: \.studio
            ) { $0.boxOffice < 10 }.record()
            func groups(_ count: Int) async -> [Grouped<String?, Decimal>]? { await all.values(count).last }
            #expect(await all.values(1) == [[]])
            #expect(await some.values(1) == [[]])
            try await repository.create(Film.numbered(1, studio: "B")).value()
            #expect(await groups(2) == [Grouped(key: "B", value: 1)])
            #expect(await some.values(2).count == 2)
            try await repository.create(Film.numbered(2, studio: nil)).value()
            #expect(await groups(3) == [Grouped(key: nil, value: 2), Grouped(key: "B", value: 1)])
            #expect(await some.values(3).count == 3)
            // A title is not part of a sum, and a film of 20 is not part of the groups below 10.
            try await repository.update(Film.numbered(2, title: "Other", studio: nil)).value()
            try await repository.create(Film.numbered(20, studio: "A")).value()
            #expect(await groups(4)?.map(\.key) == [nil, "A", "B"])
            // The film moves to another group, and its old group disappears.
            try await repository.update(Film.numbered(2, studio: "A")).value()
            #expect(await groups(5) == [Grouped(key: "A", value: 22), Grouped(key: "B", value: 1)])
            #expect(await some.values(4).count == 4)
            try await repository.delete(Film.self) { $0.boxOffice > 0 }.value()
            #expect(await groups(6) == [])
            #expect(await some.values(5).last == [])
            #expect(
                some.values == [
                    [], [Grouped(key: "B", value: 1)], [Grouped(key: nil, value: 2), Grouped(key: "B", value: 1)],
                    [Grouped(key: "A", value: 2), Grouped(key: "B", value: 1)], [],
                ])
            #expect(all.breaches.isEmpty && some.breaches.isEmpty)
            all.cancel()
            some.cancel()
        }
    }

    private func summary(_ rows: [Measure]) -> Summary<Decimal?> {
        let prices = rows.compactMap(\.maybePrice)
        let sum = prices.reduce(0, +)
        return Summary(
            count: prices.count, sum: sum, average: prices.isEmpty ? nil : sum / Decimal(prices.count),
            min: prices.min(), max: prices.max())
    }

    @Test("R15 groupedBy gives every group, in order, nil first", arguments: StoreKind.allCases, 0..<4)
    func groups(kind: StoreKind, seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = (0..<150).map { Measure.random($0, &random) }
        let groups = Dictionary(grouping: rows, by: \.kind)
        let keys = groups.keys.sorted { left, right in
            guard let left, let right else { return left == nil && right != nil }
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        }
        func expected<Value>(_ value: ([Measure]) -> Value) -> [Grouped<String?, Value>] {
            keys.map { Grouped(key: $0, value: value(groups[$0] ?? [])) }
        }
        try await withRepository(kind, [Measure.self]) { repository in
            try await repository.insert(rows).value()
            let counts = try await repository.fetch(Measure.all.count(groupedBy: \.kind)).value()
            #expect(counts == expected(\.count))
            let sums = try await repository.aggregate(.sum, of: \.price, groupedBy: \Measure.kind).value()
            #expect(sums == expected { $0.reduce(0) { $0 + $1.price } })
            let greatest = try await repository.aggregate(.max, of: \.small, groupedBy: \Measure.kind).value()
            #expect(greatest == expected { $0.compactMap(\.small).max() })
            let least = try await repository.aggregate(.min, of: \.whole, groupedBy: \Measure.kind).value()
            #expect(least == expected { $0.map(\.whole).min() })
            let means = try await repository.aggregate(.average, of: \.whole, groupedBy: \Measure.kind).value()
            #expect(means == expected { Double($0.reduce(0) { $0 + $1.whole }) / Double($0.count) })
            let whole = try await repository.aggregate(.summary, of: \.price, groupedBy: \Measure.kind).value()
            #expect(whole.map(\.value.sum) == sums.map(\.value))
            let byBool = try await repository.fetch(Measure.where { $0.whole > 0 }.count(groupedBy: \.isDone)).value()
            #expect(byBool.map(\.key) == [false, true])
            let byScale = try await repository.fetch(Measure.all.count(groupedBy: \.maybePrice)).value()
            let scales: Set<Decimal?> = Set(rows.map(\.maybePrice))
            let ordered = scales.sorted { left, right in (left ?? -999) < (right ?? -999) }
            #expect(byScale.map(\.key) == ordered)
        }
    }

    @Test("R15 Over no rows, the count and the sum are 0, the others are nil", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            #expect(try await repository.count(Measure.self).value() == 0)
            #expect(try await repository.sum(of: \Measure.whole).value() == 0)
            #expect(try await repository.sum(of: \Measure.real).value() == 0)
            #expect(try await repository.sum(of: \Measure.maybePrice).value() == 0)
            #expect(try await repository.average(of: \Measure.whole).value() == nil)
            #expect(try await repository.average(of: \Measure.price).value() == nil)
            #expect(try await repository.min(of: \Measure.text).value() == nil)
            #expect(try await repository.max(of: \Measure.maybeReal).value() == nil)
            let summary = try await repository.aggregate(.summary, of: \Measure.price).value()
            #expect(summary.count == 0 && summary.sum == 0 && summary.average == nil && summary.min == nil)
            #expect(try await repository.aggregate(.sum, of: \Measure.whole, groupedBy: \.kind).value().isEmpty)
        }
    }

    @Test("R15 A summary whose sum does not fit is an error everywhere", arguments: StoreKind.allCases)
    func overflow(kind: StoreKind) async throws {
        try await withRepository(kind, [Extreme.self]) { repository in
            _ = try await repository.insert(
                (1...2).map { Extreme(id: $0, whole: .max, price: 0, real: 0) }
            ).value()
            await expectFailureEverywhere(
                \.isOverflow, repository, repository.aggregate(.summary, of: \Extreme.whole),
                live: repository.aggregateSubscription(.summary, of: \Extreme.whole),
                inside: { try $0.fetch(Extreme.all.summary(of: \.whole)) })
        }
    }

    @Test("Inside a transaction the endpoints do the same, and see earlier writes", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.transaction { store in
                try store.insert((1...4).map { Film.numbered($0, studio: $0 > 2 ? "A" : nil) })
                #expect(try store.count(Film.self) == 4)
                #expect(try store.fetch(Film.all.limit(3).count) == 3)
                #expect(try store.fetch(Film.all.sum(of: \.boxOffice)) == 10)
                #expect(try store.fetch(Film.all.average(of: \.boxOffice)) == Decimal(string: "2.5"))
                #expect(try store.fetch(Film.all.min(of: \.title)) == "Film 1")
                #expect(try store.fetch(Film.where { $0.studio == nil }.max(of: \.boxOffice)) == 2)
                #expect(try store.fetch(Film.all.summary(of: \.boxOffice)).count == 4)
                #expect(try store.fetch(Film.all.max(of: \.id)) == Film.id(4))
                #expect(try store.fetch(Film.all.count(groupedBy: \.studio)).map(\.value) == [2, 2])
                #expect(
                    try store.fetch(Film.all.aggregate(.sum, of: \.boxOffice, groupedBy: \.studio)).map(\.value) == [
                        3, 7,
                    ])
                #expect(try store.fetch(Film.all.aggregate(.average, of: \.boxOffice, groupedBy: \.studio)).count == 2)
                #expect(
                    try store.fetch(Film.all.aggregate(.min, of: \.boxOffice, groupedBy: \.studio)).map(\.value) == [
                        1, 3,
                    ])
                #expect(
                    try store.fetch(Film.all.aggregate(.max, of: \.boxOffice, groupedBy: \.studio)).map(\.value) == [
                        2, 4,
                    ])
                #expect(
                    try store.fetch(Film.all.aggregate(.summary, of: \.boxOffice, groupedBy: \.studio)).map(
                        \.value.count) == [
                            2, 2,
                        ])
            }.value()
        }
    }

    @Test("Custom encodings are compared and counted, but not computed with", arguments: StoreKind.allCases)
    func encoded(kind: StoreKind) async throws {
        try await withRepository(kind, [Priced.self]) { repository async throws in
            try await repository.insert((1...2).map { Priced(id: $0, price: 1.5, shelf: $0) }).value()
            #expect(try await repository.count(Priced.self) { $0.price == 1.5 }.value() == 2)
            #expect(try await repository.aggregate(.count, of: \Priced.price).value() == 2)
            await expectFailureEverywhere(
                \.isMisuse, repository, repository.sum(of: \Priced.price),
                live: repository.sumSubscription(of: \Priced.price),
                inside: { try $0.fetch(Priced.all.sum(of: \.price)) })
            await expectFailure(\.isMisuse) { try await repository.average(of: \Priced.price).value() }
            await expectFailure(\.isMisuse) { try await repository.min(of: \Priced.shelf).value() }
            await expectFailure(\.isMisuse) { try await repository.max(of: \Priced.shelf).value() }
            await expectFailure(\.isMisuse) { try await repository.aggregate(.summary, of: \Priced.price).value() }
            await expectFailure(\.isMisuse) { try await repository.fetch(Priced.all.count(groupedBy: \.shelf)).value() }
        }
    }
}

private struct Priced: Entity {
    let id: Int
    var price: Double
    var shelf: Int
    static let schema = Schema(
        Column("id", \Priced.id),
        Column("price", \.price, encode: { Int(($0 * 100).rounded()) }, decode: { Double($0) / 100 }),
        Column("shelf", \.shelf, encode: { -$0 }, decode: { -$0 }), make: Priced.init)
}
