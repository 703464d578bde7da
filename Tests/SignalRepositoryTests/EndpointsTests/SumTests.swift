import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("sum", .timeLimit(.minutes(10))) struct SumTests {
    @Test("R15 A sum of random rows equals plain Swift's", arguments: StoreKind.allCases, 0..<4)
    func random(kind: StoreKind, seed: Int) async throws {
        try await withMeasures(kind, seed: seed) { measures in
            try await compare(measures, \.whole) { $0.reduce(0) { $0 + $1.whole } }
            try await compare(measures, \.small) { $0.reduce(0) { $0 + Int($1.small ?? 0) } }
            try await compare(measures, \.real) { $0.reduce(0) { $0 + $1.real } }
            try await compare(measures, \.maybeReal) { $0.reduce(0) { $0 + ($1.maybeReal ?? 0) } }
            try await compare(measures, \.price) { $0.reduce(0) { $0 + $1.price } }
            try await compare(measures, \.maybePrice) { $0.reduce(0) { $0 + ($1.maybePrice ?? 0) } }
        }
    }

    @Test("R15 The sum of nothing is 0, and so is the sum of a group without values", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) async throws {
        try await withRepository(kind, [Measure.self]) { repository in
            #expect(try await repository.sum(of: \Measure.whole).value() == 0)
            #expect(try await repository.sum(of: \Measure.real).value() == 0)
            #expect(try await repository.sum(of: \Measure.maybePrice).value() == 0)
            #expect(try await repository.aggregate(.sum, of: \Measure.whole, groupedBy: \.kind).value().isEmpty)
            var random = SeededGenerator(seed: 1)
            var row = Measure.random(1, &random)
            row.maybePrice = nil
            try await repository.create(row).value()
            #expect(try await repository.sum(of: \Measure.maybePrice).value() == 0)
            #expect(
                try await repository.aggregate(.sum, of: \Measure.maybePrice, groupedBy: \.kind).value().map(\.value)
                    == [0])
        }
    }

    @Test("R15 A sum that does not fit is an error; one that fits in the end is exact", arguments: StoreKind.allCases)
    func overflow(kind: StoreKind) async throws {
        try await withRepository(kind, [Extreme.self]) { repository in
            let extremes = [Int.max, 1, Int.max, -1, .min, .min].enumerated().map {
                Extreme(id: $0.offset, whole: $0.element, price: $0.offset < 3 ? Extreme.largest : 0, real: 0)
            }
            try await repository.insert(extremes).value()
            #expect(try await repository.sum(of: \Extreme.whole).value() == -2)
            #expect(try await repository.sum(of: \Extreme.price).value() == Extreme.largest * 3)
            let sides = [Condition<Extreme> { $0.id < 3 }, Condition { $0.id >= 3 }, Condition { $0.id < 2 }]
            for condition in sides {
                await expectFailureEverywhere(
                    \.isOverflow, repository, repository.sum(of: \Extreme.whole) { _ in condition },
                    live: repository.sumSubscription(of: \Extreme.whole) { _ in condition },
                    inside: { try $0.fetch(Extreme.where(condition).sum(of: \.whole)) })
                await expectFailureEverywhere(
                    \.isOverflow, repository,
                    repository.aggregate(.sum, of: \Extreme.whole, groupedBy: \.real) { _ in condition },
                    live: repository.aggregateSubscription(
                        .sum, of: \Extreme.whole, groupedBy: \.real
                    ) { _ in condition },
                    inside: {
                        try $0.fetch(Extreme.where { _ in condition }.aggregate(.sum, of: \.whole, groupedBy: \.real))
                    })
            }
            let fault = #expect(throws: ColumnFault.self) {
                try Int.sum(.integer(Int128(Int.max) * 2, scale: 0))
            }
            #expect(fault.map { "\($0)".contains("the sum 18446744073709551614 is out of the range") } == true)
            for item in extremes {
                #expect(try await repository.sum(of: \Extreme.whole) { $0.id == item.id }.value() == item.whole)
            }
        }
    }

    @Test("R15 Infinities of both signs have no sum", arguments: StoreKind.allCases)
    func infinities(kind: StoreKind) async throws {
        try await withRepository(kind, [Extreme.self]) { repository in
            let reals: [Double] = [.infinity, 1, -.infinity]
            _ = try await repository.insert(
                reals.enumerated().map { Extreme(id: $0.offset, whole: 0, price: 0, real: $0.element) }
            ).value()
            #expect(try await repository.sum(of: \Extreme.real) { $0.id < 2 }.value() == .infinity)
            await expectFailureEverywhere(
                \.isOverflow, repository, repository.sum(of: \Extreme.real),
                live: repository.sumSubscription(of: \Extreme.real),
                inside: { try $0.fetch(Extreme.all.sum(of: \.real)) })
        }
    }

    @Test("A live sum that overflows ends with the error, after the earlier sums", arguments: StoreKind.allCases)
    func liveOverflow(kind: StoreKind) async throws {
        try await withRepository(kind, [Extreme.self]) { repository in
            try await repository.create(Extreme(id: 1, whole: .max, price: 0, real: 0)).value()
            let sums = repository.sumSubscription(of: \Extreme.whole).record()
            #expect(await sums.values(1) == [.max])
            try await repository.create(Extreme(id: 2, whole: 1, price: 0, real: 0)).value()
            guard case .failure(.overflow("Extreme", "whole", _))? = await sums.end() else {
                return #expect(Bool(false), "\(sums.history)")
            }
            #expect(sums.values == [.max] && sums.breaches.isEmpty)
        }
    }

    /// Compares a column with and without a condition, over all rows and by groups.
    private func compare<Value: NumericValue>(
        _ measures: Measures, _ column: KeyPath<Measure, Value> & Sendable,
        _ expected: ([Measure]) -> Value.Sum, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (repository, condition) = (measures.repository, measures.condition)
        try await measures.agree(
            repository.sum(of: column), live: repository.sumSubscription(of: column),
            inside: { try $0.fetch(Measure.all.sum(of: column)) }, expected, sourceLocation: sourceLocation)
        try await measures.agree(
            repository.sum(of: column) { _ in condition },
            live: repository.sumSubscription(of: column) { _ in condition },
            inside: { try $0.fetch(Measure.where(condition).sum(of: column)) }, { expected(measures.some($0)) },
            sourceLocation: sourceLocation)
        try await measures.agree(
            repository.aggregate(.sum, of: column, groupedBy: \.kind),
            live: repository.aggregateSubscription(.sum, of: column, groupedBy: \.kind),
            inside: { try $0.fetch(Measure.all.aggregate(.sum, of: column, groupedBy: \.kind)) },
            { measures.groups($0, expected) },
            sourceLocation: sourceLocation)
        try await measures.agree(
            repository.aggregate(.sum, of: column, groupedBy: \.kind) { _ in condition },
            live: repository.aggregateSubscription(.sum, of: column, groupedBy: \.kind) { _ in condition },
            inside: { try $0.fetch(Measure.where { _ in condition }.aggregate(.sum, of: column, groupedBy: \.kind)) },
            { measures.groups(measures.some($0), expected) }, sourceLocation: sourceLocation)
    }
}
