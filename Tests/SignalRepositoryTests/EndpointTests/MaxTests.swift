import Foundation
import SignalRepository
import Signals
import Testing

@Suite("max", .timeLimit(.minutes(10))) struct MaxTests {
    @Test("R15 The greatest value is that of plain Swift over random rows", arguments: StoreKind.allCases, 0..<4)
    func random(kind: StoreKind, seed: Int) async throws {
        try await withMeasures(kind, seed: seed) { measures in
            try await compare(measures, \.whole) { $0.map(\.whole).max() }
            try await compare(measures, \.small) { $0.compactMap(\.small).max() }
            try await compare(measures, \.maybeReal) { $0.compactMap(\.maybeReal).max() }
            try await compare(measures, \.price) { $0.map(\.price).max() }
            try await compare(measures, \.maybePrice) { $0.compactMap(\.maybePrice).max() }
            try await compare(measures, \.date) { $0.map(\.date).max() }
            try await compare(measures, \.text) { rows in
                rows.map(\.text).max { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            }
            try await compare(measures, \.kind) { rows in
                rows.compactMap(\.kind).max { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            }
        }
    }

    @Test("R15 Of nothing it is nil, of nothing but nil too", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            #expect(try await repository.max(of: \Measure.text).first() == nil)
            #expect(try await repository.maxSubscription(of: \Measure.whole).first() == nil)
            var random = SeededGenerator(seed: 1)
            var row = Measure.random(1, &random)
            row.maybeReal = nil
            _ = try await repository.create(row).first()
            let read = try await repository.read { try $0.max(of: \Measure.maybeReal) }.first()
            #expect(read == nil)
            let groups = try await repository.max(of: \Measure.maybeReal, groupedBy: \.isDone).first()
            #expect(groups == [Grouped(key: row.isDone, value: nil)])
        }
    }

    @Test("R15 The extremes of a type are found exactly", arguments: StoreKind.allCases)
    func extremes(kind: StoreKind) async throws {
        try await withRepository(kind, [Extreme.self]) { repository in
            let reals: [Double] = [-.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity]
            let wholes: [Int] = [.min, .min + 1, .max - 1, .max]
            _ = try await repository.insert(
                (0..<4).map { number in
                    Extreme(
                        id: number, whole: wholes[number], price: number < 2 ? -Extreme.largest : Extreme.largest,
                        real: reals[number])
                }
            ).first()
            for (range, place) in [(0...3, 3), (1...2, 2)] {
                let condition = Condition<Extreme>.between(\.id, range)
                #expect(try await repository.max(of: \Extreme.whole, where: condition).first() == wholes[place])
                #expect(try await repository.max(of: \Extreme.real, where: condition).first() == reals[place])
                let price = try await repository.max(of: \Extreme.price, where: condition).first()
                #expect(price == Extreme.largest)
            }
        }
    }

    @Test("A stored value that is none of its type is a decoding error everywhere", arguments: StoreKind.allCases)
    func decoding(kind: StoreKind) async throws {
        try await withMeasures(kind) { measures in
            _ = try await measures.repository.transaction { store in
                try store.execute("UPDATE Measure SET small = 1000 WHERE id = 3")
            }.first()
            await expectFailureEverywhere(
                \.isDecoding, measures.repository, measures.repository.max(of: \Measure.small),
                live: measures.repository.maxSubscription(of: \Measure.small),
                inside: { try $0.max(of: \Measure.small) })
        }
    }

    /// Tries a column without a condition and with one, over all rows and by groups.
    private func compare<Value: OrderedValue>(
        _ measures: Measures, _ column: KeyPath<Measure, Value> & Sendable,
        _ expected: ([Measure]) -> Value.Plain?, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (repository, condition) = (measures.repository, measures.condition)
        try await measures.agree(
            repository.max(of: column), live: repository.maxSubscription(of: column),
            inside: { try $0.max(of: column) }, expected, sourceLocation: sourceLocation)
        try await measures.agree(
            repository.max(of: column, where: condition),
            live: repository.maxSubscription(of: column, where: condition),
            inside: { try $0.max(of: column, where: condition) }, { expected(measures.some($0)) },
            sourceLocation: sourceLocation)
        try await measures.agree(
            repository.max(of: column, groupedBy: \.kind),
            live: repository.maxSubscription(of: column, groupedBy: \.kind),
            inside: { try $0.max(of: column, groupedBy: \.kind) }, { measures.groups($0, expected) },
            sourceLocation: sourceLocation)
        try await measures.agree(
            repository.max(of: column, where: condition, groupedBy: \.kind),
            live: repository.maxSubscription(of: column, where: condition, groupedBy: \.kind),
            inside: { try $0.max(of: column, where: condition, groupedBy: \.kind) },
            { measures.groups(measures.some($0), expected) }, sourceLocation: sourceLocation)
    }
}
