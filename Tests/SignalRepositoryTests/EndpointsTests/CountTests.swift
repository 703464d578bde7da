import Foundation
import SignalRepository
import Signals
import Testing

@Suite("count", .timeLimit(.minutes(10))) struct CountTests {
    @Test(
        "R15 The number of rows equals plain Swift's, with and without a condition", arguments: StoreKind.allCases,
        0..<4)
    func rows(kind: StoreKind, seed: Int) async throws {
        try await withMeasures(kind, seed: seed) { measures in
            let (repository, condition) = (measures.repository, measures.condition)
            try await measures.agree(
                repository.count(Measure.self), live: repository.countSubscription(Measure.self),
                inside: { try $0.count(Measure.self) }, \.count)
            try await measures.agree(
                repository.count(Measure.self) { _ in condition },
                live: repository.countSubscription(Measure.self) { _ in condition },
                inside: { try $0.count(Measure.self) { _ in condition } }, { measures.some($0).count })
            let none = Condition<Measure> { $0.maybeReal == nil && $0.isDone == true }
            try await measures.agree(
                repository.count(Measure.self) { _ in none },
                live: repository.countSubscription(Measure.self) { _ in none },
                inside: { try $0.count(Measure.self) { _ in none } },
                { $0.count { $0.maybeReal == nil && $0.isDone } })
        }
    }

    @Test("A count respects a query's limit and offset", arguments: StoreKind.allCases, [0, 7, 59, 60, 61])
    func page(kind: StoreKind, offset: Int) async throws {
        try await withMeasures(kind) { measures in
            let query = Measure.all.sorted(by: \.price).limit(20).offset(offset)
            try await measures.agree(
                measures.repository.count(query), live: measures.repository.countSubscription(query),
                inside: { try $0.fetch(query.count) }, { $0.dropFirst(offset).prefix(20).count })
        }
    }

    @Test("R15 Every group is counted, nil first", arguments: StoreKind.allCases, 0..<4)
    func groups(kind: StoreKind, seed: Int) async throws {
        try await withMeasures(kind, seed: seed) { measures in
            let (repository, condition) = (measures.repository, measures.condition)
            try await measures.agree(
                repository.fetch(Measure.where { _ in condition }.count(groupedBy: \.kind)),
                live: repository.follow(Measure.where { _ in condition }.count(groupedBy: \.kind)),
                inside: { try $0.fetch(Measure.where { _ in condition }.count(groupedBy: \.kind)) },
                { measures.groups(measures.some($0), \.count) })
            try await measures.agree(
                repository.fetch(Measure.all.count(groupedBy: \.price)),
                live: repository.follow(Measure.all.count(groupedBy: \.price)),
                inside: { try $0.fetch(Measure.all.count(groupedBy: \.price)) },
                { rows in
                    Dictionary(grouping: rows, by: \.price).sorted { $0.key < $1.key }
                        .map { Grouped(key: $0.key, value: $0.value.count) }
                })
        }
    }

    @Test("A condition that SQL cannot compile is a misuse everywhere", arguments: StoreKind.allCases)
    func misuse(kind: StoreKind) async throws {
        try await withMeasures(kind) { measures in
            let wrong = Condition<Measure>.raw("nothing = 1")
            await expectFailureEverywhere(
                \.isMisuse, measures.repository, measures.repository.count(Measure.self) { _ in wrong },
                live: measures.repository.countSubscription(Measure.self) { _ in wrong },
                inside: { try $0.count(Measure.self) { _ in wrong } })
        }
    }
}
