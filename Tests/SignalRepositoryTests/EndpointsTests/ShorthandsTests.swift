import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("find, first, last, exists", .timeLimit(.minutes(10))) struct ShorthandsTests {
    @Test("Each equals the result of a fetch of the same query, whatever the order", arguments: StoreKind.allCases)
    func agree(kind: StoreKind) async throws {
        try await withRepository(kind, [Piece.self, Entry.self]) { repository in
            var random = SeededGenerator(seed: 5)
            for count in [0, 1, 2, 40] {
                let pieces = (0..<count).map { Piece.random(&random, id: $0 * 7 % 41) }
                let terms = Dictionary((0..<count).map { _ in Entry.random(&random) }.map { (ExactText($0.id), $0) }) {
                    first, _ in first
                }
                try await repository.upsert(pieces).value()
                try await repository.upsert(Array(terms.values)).value()
                for query in [
                    Piece.all, Piece.where { $0.price > 5 }, Piece.where { $0.id > 1_000 },
                    Piece.all.sorted(by: \.weight),
                    Piece.all.sorted(by: \.studio, .descending).sorted(by: \.price), Piece.all.limit(0),
                    Piece.all.sorted(by: \.price).limit(3), Piece.all.offset(2), Piece.all.offset(1_000),
                ] {
                    try await check(query, repository)
                }
                for query in [Entry.all, Entry.where { $0.uses == 1 }, Entry.all.sorted(by: \.uses, .descending)] {
                    try await check(query, repository)
                }
            }
        }
    }

    private func check<Item: Entity & Equatable & StoredValue>(
        _ query: FetchQuery<Item>, _ repository: any Repository
    ) async throws {
        let all = try await repository.fetch(query).value()
        let (first, last) = try await (repository.first(query).value(), repository.fetch(query.last).value())
        #expect(first.isStored(like: all.first))
        #expect(last.isStored(like: all.last))
        #expect(try await repository.fetch(query.exists).value() == !all.isEmpty)
        let inside = try await repository.transaction { store in
            Ends(first: try store.first(query), last: try store.fetch(query.last), isAny: try store.fetch(query.exists))
        }.value()
        #expect(inside.first.isStored(like: first) && inside.last.isStored(like: last) && inside.isAny == !all.isEmpty)
    }

    private struct Ends<Item: Sendable>: Sendable {
        let first: Item?
        let last: Item?
        let isAny: Bool
    }

    @Test("A missing item is nil, not an error", arguments: StoreKind.allCases)
    func find(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
            #expect(try await repository.find(Film.self, id: Film.id(1)).value() == .numbered(1))
            #expect(try await repository.find(Film.self, id: Film.id(2)).value() == nil)
        }
    }

    @Test("Queries without sort keys are in the default order of their entity", arguments: StoreKind.allCases)
    func defaultOrder(kind: StoreKind) async throws {
        try await withRepository(kind, [Score.self]) { repository in
            let scores = [3, 1, 2, 1].enumerated().map { Score(id: $0, points: $1) }
            try await repository.insert(scores).value()
            let live = repository.fetchSubscription(Score.all.limit(2)).record()
            #expect(try await repository.fetch(Score.all).value().map(\.id) == [0, 2, 1, 3])
            #expect(try await repository.fetch(Score.where { $0.points < 3 }).value().map(\.id) == [2, 1, 3])
            #expect(try await repository.fetch(Score.all.sorted(by: \.points)).value().map(\.id) == [1, 3, 2, 0])
            #expect(try await repository.first(Score.all).value()?.id == 0)
            #expect(try await repository.fetch(Score.all.last).value()?.id == 3)
            #expect(await live.values(1).last?.map(\.id) == [0, 2])
            try await repository.create(Score(id: 9, points: 5)).value()
            #expect(await live.values(2).last?.map(\.id) == [9, 0])
            live.cancel()
        }
    }
}

private struct Score: Entity, Equatable {
    let id: Int
    var points: Int
    static let defaultOrder = [Ordering(\Score.points, .descending)]
    static let schema = Schema(Column("id", \Score.id), Column("points", \.points), make: Score.init)
}
