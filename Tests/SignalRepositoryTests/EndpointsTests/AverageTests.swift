import Foundation
import SignalRepository
import Signals
import Testing

@Suite("average", .timeLimit(.minutes(10))) struct AverageTests {
    @Test("R15 An average of random rows equals plain Swift's", arguments: StoreKind.allCases, 0..<4)
    func random(kind: StoreKind, seed: Int) async throws {
        try await withMeasures(kind, seed: seed) { measures in
            try await compare(measures, \.whole) { mean($0.map { Double($0.whole) }) }
            try await compare(measures, \.small) { mean($0.compactMap(\.small).map(Double.init)) }
            try await compare(measures, \.real) { mean($0.map(\.real)) }
            try await compare(measures, \.maybeReal) { mean($0.compactMap(\.maybeReal)) }
            try await compare(measures, \.price) { mean($0.map(\.price)) }
            try await compare(measures, \.maybePrice) { mean($0.compactMap(\.maybePrice)) }
        }
    }

    @Test("R15 The average of nothing is nil", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            #expect(try await repository.average(of: \Measure.whole).value() == nil)
            #expect(try await repository.average(of: \Measure.price).value() == nil)
            #expect(try await repository.averageSubscription(of: \Measure.maybeReal).value() == nil)
            let read = try await repository.read { try $0.fetch(Measure.all.average(of: \.small)) }.value()
            #expect(read == nil)
        }
    }

    @Test("R15 An average does not overflow where the sum does", arguments: StoreKind.allCases)
    func extremes(kind: StoreKind) async throws {
        try await withRepository(kind, [Extreme.self]) { repository in
            let extremes = [Int.max, 1, Int.max, -1, .min, .min].enumerated().map {
                Extreme(id: $0.offset, whole: $0.element, price: Extreme.largest, real: $0.offset < 3 ? .infinity : 1)
            }
            try await repository.insert(extremes).value()
            #expect(try await repository.average(of: \Extreme.whole).value() == -2.0 / 6)
            #expect(try await repository.average(of: \Extreme.whole) { $0.id < 3 }.value() == 0x1p63 * 2 / 3)
            #expect(try await repository.average(of: \Extreme.price).value() == Extreme.largest)
            #expect(try await repository.average(of: \Extreme.real).value() == .infinity)
            try await repository.create(Extreme(id: 9, whole: 0, price: 0, real: -.infinity)).value()
            await expectFailureEverywhere(
                \.isOverflow, repository, repository.average(of: \Extreme.real),
                live: repository.averageSubscription(of: \Extreme.real),
                inside: { try $0.fetch(Extreme.all.average(of: \.real)) })
        }
    }

    private func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    private func mean(_ values: [Decimal]) -> Decimal? {
        values.isEmpty ? nil : values.reduce(0, +) / Decimal(values.count)
    }

    /// Compares a column with and without a condition, over all rows and by groups.
    private func compare<Value: NumericValue>(
        _ measures: Measures, _ column: KeyPath<Measure, Value> & Sendable,
        _ expected: ([Measure]) -> Value.Average?, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (repository, condition) = (measures.repository, measures.condition)
        try await measures.agree(
            repository.average(of: column), live: repository.averageSubscription(of: column),
            inside: { try $0.fetch(Measure.all.average(of: column)) }, expected, sourceLocation: sourceLocation)
        try await measures.agree(
            repository.average(of: column) { _ in condition },
            live: repository.averageSubscription(of: column) { _ in condition },
            inside: { try $0.fetch(Measure.where(condition).average(of: column)) }, { expected(measures.some($0)) },
            sourceLocation: sourceLocation)
        try await measures.agree(
            repository.aggregate(.average, of: column, groupedBy: \.kind),
            live: repository.aggregateSubscription(.average, of: column, groupedBy: \.kind),
            inside: { try $0.fetch(Measure.all.aggregate(.average, of: column, groupedBy: \.kind)) },
            { measures.groups($0, expected) },
            sourceLocation: sourceLocation)
        try await measures.agree(
            repository.aggregate(.average, of: column, groupedBy: \.kind) { _ in condition },
            live: repository.aggregateSubscription(.average, of: column, groupedBy: \.kind) { _ in condition },
            inside: {
                try $0.fetch(Measure.where { _ in condition }.aggregate(.average, of: column, groupedBy: \.kind))
            },
            { measures.groups(measures.some($0), expected) }, sourceLocation: sourceLocation)
    }
}
