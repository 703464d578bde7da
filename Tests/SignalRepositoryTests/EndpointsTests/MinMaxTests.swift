import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("min, max", .timeLimit(.minutes(10))) struct MinMaxTests {
    private static let both = StoreKind.allCases.flatMap { kind in Extremum.allCases.map { (kind, $0) } }

    @Test("R15 The least and the greatest value of random rows equal plain Swift's", arguments: both, 0..<4)
    func random(_ tried: (StoreKind, Extremum), seed: Int) async throws {
        let (kind, extremum) = tried
        try await withMeasures(kind, seed: seed) { measures in
            try await compare(extremum, measures, \.whole) { extremum.of($0.map(\.whole)) }
            try await compare(extremum, measures, \.small) { extremum.of($0.compactMap(\.small)) }
            try await compare(extremum, measures, \.maybeReal) { extremum.of($0.compactMap(\.maybeReal)) }
            try await compare(extremum, measures, \.price) { extremum.of($0.map(\.price)) }
            try await compare(extremum, measures, \.maybePrice) { extremum.of($0.compactMap(\.maybePrice)) }
            try await compare(extremum, measures, \.date) { extremum.of($0.map(\.date)) }
            try await compare(extremum, measures, \.text) { extremum.of(texts: $0.map(\.text)) }
            try await compare(extremum, measures, \.kind) { extremum.of(texts: $0.compactMap(\.kind)) }
        }
    }

    @Test("R15 Over no rows, or only nil values, the result is nil", arguments: StoreKind.allCases, Extremum.allCases)
    func nothing(kind: StoreKind, extremum: Extremum) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            #expect(try await extremum(repository, \Measure.text).value() == nil)
            #expect(try await extremum.live(repository, \Measure.whole).value() == nil)
            var random = SeededGenerator(seed: 1)
            var row = Measure.random(1, &random)
            row.maybeReal = nil
            try await repository.create(row).value()
            let read = try await repository.read { try extremum.inside($0, \Measure.maybeReal) }.value()
            #expect(read == nil)
            let groups = try await extremum.groups(repository, \Measure.maybeReal, by: \.isDone).value()
            #expect(groups == [Grouped(key: row.isDone, value: nil)])
        }
    }

    @Test("R15 The extremes of a type are found exactly", arguments: StoreKind.allCases, Extremum.allCases)
    func extremes(kind: StoreKind, extremum: Extremum) async throws {
        try await withRepository(kind, [Extreme.self]) { repository in
            let reals: [Double] = [-.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity]
            let wholes: [Int] = [.min, .min + 1, .max - 1, .max]
            _ = try await repository.insert(
                (0..<4).map { number in
                    Extreme(
                        id: number, whole: wholes[number], price: number < 2 ? -Extreme.largest : Extreme.largest,
                        real: reals[number])
                }
            ).value()
            let isLeast = extremum == .least
            for (range, index) in [(0...3, isLeast ? 0 : 3), (1...2, isLeast ? 1 : 2)] {
                let condition = Condition<Extreme> { $0.id.between(range) }
                #expect(try await extremum(repository, \Extreme.whole, where: condition).value() == wholes[index])
                #expect(try await extremum(repository, \Extreme.real, where: condition).value() == reals[index])
                let price = try await extremum(repository, \Extreme.price, where: condition).value()
                #expect(price == (isLeast ? -Extreme.largest : Extreme.largest))
            }
        }
    }

    @Test(
        "A stored value that the type cannot hold is a decoding error everywhere", arguments: StoreKind.allCases,
        Extremum.allCases)
    func decoding(kind: StoreKind, extremum: Extremum) async throws {
        try await withMeasures(kind) { measures in
            _ = try await measures.repository.transaction { store in
                try store.execute(#"UPDATE "Measure" SET small = ? WHERE id = 3"#, extremum == .least ? -1000 : 1000)
            }.value()
            await expectFailureEverywhere(
                \.isDecoding, measures.repository, extremum(measures.repository, \Measure.small),
                live: extremum.live(measures.repository, \Measure.small),
                inside: { try extremum.inside($0, \Measure.small) })
        }
    }

    /// Compares a column with and without a condition, over all rows and by groups.
    private func compare<Value: OrderedValue>(
        _ extremum: Extremum, _ measures: Measures, _ column: KeyPath<Measure, Value> & Sendable,
        _ expected: ([Measure]) -> Value.Plain?, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let repository = measures.repository
        for condition in [nil, measures.condition] {
            let some: ([Measure]) -> [Measure] = { condition == nil ? $0 : measures.some($0) }
            try await measures.agree(
                extremum(repository, column, where: condition),
                live: extremum.live(repository, column, where: condition),
                inside: { try extremum.inside($0, column, where: condition) }, { expected(some($0)) },
                sourceLocation: sourceLocation)
            try await measures.agree(
                extremum.groups(repository, column, where: condition, by: \.kind),
                live: extremum.liveGroups(repository, column, where: condition, by: \.kind),
                inside: { try extremum.groupsInside($0, column, where: condition, by: \.kind) },
                { measures.groups(some($0), expected) }, sourceLocation: sourceLocation)
        }
    }
}
