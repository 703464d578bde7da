import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// Conditions that may be `nil`, such as the condition of a search field.
@Suite("Optional conditions", .timeLimit(.minutes(10))) struct OptionalConditionTests {
    /// A condition that may be `nil`, and the numbers of the films that pass it.
    private struct Example: Sendable {
        let condition: Condition<Film>?
        let numbers: [Int]
    }

    private static let examples = [
        Example(condition: nil, numbers: [0, 1, 2, 3]),
        Example(condition: Condition { $0.boxOffice > 1 }, numbers: [2, 3]),
    ]

    private func withFilms(_ kind: StoreKind, _ body: (any Repository) async throws -> Void) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((0..<4).map { Film.numbered($0) }).value()
            try await body(repository)
        }
    }

    @Test("A fetch without a condition returns everything", arguments: StoreKind.allCases)
    func fetching(kind: StoreKind) async throws {
        try await withFilms(kind) { repository async throws in
            for example in Self.examples {
                let films = example.numbers.map { Film.numbered($0) }
                let (condition, query) = (example.condition, Film.where(example.condition))
                #expect(try await repository.fetch(query).value() == films)
                #expect(try await repository.fetch(Film.all.where(condition).sorted(by: \.title)).value() == films)
                #expect(try await repository.fetch(query).value().map(\.title) == films.map(\.title))
                #expect(try await repository.fetchSubscription(query).value() == films)
                #expect(try await repository.count(query).value() == films.count)
                #expect(try await repository.countSubscription(query).value() == films.count)
            }
            let narrowed = Film.where { $0.boxOffice > 1 }.where(nil).where { $0.boxOffice < 3 }
            #expect(try await repository.fetch(narrowed).value() == [.numbered(2)])
        }
    }

    @Test("N2 nil comes first in an ascending order, and last in a descending one", arguments: StoreKind.allCases)
    func nilsInAnOrder(kind: StoreKind) async throws {
        try await withRepository(kind) { repository async throws in
            let studios: [String?] = ["b", nil, "", nil, "a"]
            let films = studios.enumerated().map { Film.numbered($0, studio: $1) }
            try await repository.insert(films).value()
            let up = Film.all.sorted(by: \.studio), down = Film.all.sorted(by: \.studio, .descending)
            let sorted = [nil, nil, "", "a", "b"]
            #expect(try await repository.fetch(up).value().map(\.studio) == sorted)
            #expect(try await repository.fetch(down).value().map(\.studio) == sorted.reversed())
            #expect(try await repository.fetchSubscription(up).value().map(\.studio) == sorted)
        }
    }

    @Test("R15 Aggregates without a condition cover everything", arguments: StoreKind.allCases)
    func aggregates(kind: StoreKind) async throws {
        try await withFilms(kind) { repository async throws in
            for example in Self.examples {
                let condition = example.condition
                let values = example.numbers.map { Decimal($0) }
                let sum = values.reduce(0, +)
                let mean: Decimal? = sum / Decimal(values.count)
                #expect(try await repository.count(Film.self) { _ in condition ?? .true }.value() == values.count)
                #expect(
                    try await repository.countSubscription(Film.self) { _ in condition ?? .true }.value()
                        == values.count)
                #expect(try await repository.sum(of: \Film.boxOffice) { _ in condition ?? .true }.value() == sum)
                #expect(
                    try await repository.sumSubscription(of: \Film.boxOffice) { _ in condition ?? .true }.value() == sum
                )
                #expect(try await repository.average(of: \Film.boxOffice) { _ in condition ?? .true }.value() == mean)
                #expect(
                    try await repository.averageSubscription(of: \Film.boxOffice) { _ in condition ?? .true }.value()
                        == mean)
                #expect(
                    try await repository.min(of: \Film.boxOffice) { _ in condition ?? .true }.value() == values.first)
                #expect(
                    try await repository.minSubscription(of: \Film.boxOffice) { _ in condition ?? .true }.value()
                        == values.first
                )
                #expect(
                    try await repository.max(of: \Film.boxOffice) { _ in condition ?? .true }.value() == values.last)
                #expect(
                    try await repository.maxSubscription(of: \Film.boxOffice) { _ in condition ?? .true }.value()
                        == values.last)
                #expect(
                    try await repository.aggregate(.summary, of: \Film.boxOffice) { _ in condition ?? .true }.value()
                        .sum == sum)
                #expect(
                    try await repository.aggregate(.sum, of: \Film.boxOffice) { _ in condition ?? .true }.value() == sum
                )
                let group = try await repository.aggregate(
                    .sum, of: \Film.boxOffice, groupedBy: \.studio
                ) { _ in condition ?? .true }.value()
                #expect(group == [Grouped(key: nil, value: sum)])
                let count = try await repository.fetch(
                    Film.where { _ in condition ?? .true }.count(groupedBy: \.studio)
                )
                .value()
                #expect(count == [Grouped(key: nil, value: values.count)])
            }
        }
    }

    @Test("R13 Batches without a condition change everything", arguments: StoreKind.allCases)
    func batches(kind: StoreKind) async throws {
        for example in Self.examples {
            try await withFilms(kind) { repository async throws in
                let condition = example.condition
                let set = try await repository.update(
                    Film.self, set: [.set(\.studio, to: "A24")]
                ) { _ in condition ?? .true }.value()
                #expect(set == example.numbers.count)
                let deleted = try await repository.transaction { store throws in
                    #expect(try store.count(Film.self) { _ in condition ?? .true } == set)
                    return try store.delete(Film.self) { _ in condition ?? .true }
                }.value()
                #expect(deleted == set)
                let left = try await repository.count(Film.self).value()
                #expect(left == 4 - set)
            }
        }
    }

    private struct Post: Entity, Equatable {
        let id: Int
        var tags: [String]?
        var author: String?
        static let schema = Schema(
            Column("id", \Post.id), Column("tags", json: \.tags), Column("author", \.author), make: Post.init)
    }

    @Test("B19 An optional that is stored as JSON is compared with nil", arguments: StoreKind.allCases)
    func optionalJSON(kind: StoreKind) async throws {
        try await withRepository(kind, [Post.self]) { repository async throws in
            try await repository.insert([
                Post(id: 1, tags: nil, author: "a"), Post(id: 2, tags: [], author: nil),
                Post(id: 3, tags: ["x"], author: nil),
            ]).value()
            let queries = [
                (Post.where { $0.tags == nil }, [1]), (Post.where { $0.tags != nil }, [2, 3]),
                (Post.where { $0.tags != nil && $0.author == nil && $0.id > 2 }, [3]),
                (Post.where { $0.author == nil }, [2, 3]), (Post.where { $0.author != nil }, [1]),
            ]
            for (query, ids) in queries {
                let query = query.sorted(by: \.id)
                let found = try await repository.fetch(query).value().map(\.id)
                #expect(found == ids)
                let live = repository.fetchSubscription(query).map { $0.map(\.id) }.record()
                #expect(await live.values(1) == [ids])
            }
        }
    }
}
