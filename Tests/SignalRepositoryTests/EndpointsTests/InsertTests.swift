import Foundation
import SignalRepository
import Signals
import Testing

@Suite("insert", .timeLimit(.minutes(10))) struct InsertTests {
    @Test(
        "R13 A batch of any size is stored, and its size is returned", arguments: StoreKind.allCases,
        [0, 1, 1023, 1025, 40_000])
    func sizes(kind: StoreKind, size: Int) async throws {
        try await withRepository(kind) { repository in
            let stored = try await repository.insert((0..<size).map { Film.numbered($0) }).value()
            #expect(stored == size)
            #expect(try await repository.count(Film.self).value() == size)
        }
    }

    @Test("R17 A lazy sequence is stored item by item", arguments: StoreKind.allCases)
    func lazily(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = UnfoldedFilms(count: 5000)
            let stored = try await repository.insert(films).value()
            #expect(stored == 5000)
            #expect(try await repository.sum(of: \Film.boxOffice).value() == Decimal(5000 * 4999 / 2))
        }
    }

    @Test("R13 If one item is refused, nothing of the batch is stored", arguments: StoreKind.allCases)
    func atomic(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (0..<2000).map { Film.numbered($0) }
            await expectFailure(\.isConstraint) { try await repository.insert(films + [films[7]]).value() }
            let count = try await repository.count(Film.self).value()
            #expect(count == 0)
        }
    }

    @Test("R13 Inside a transaction a refused batch leaves earlier writes", arguments: StoreKind.allCases)
    func inside(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (0..<50).map { Film.numbered($0) }
            let counts = try await repository.transaction { store in
                var counts = [try store.insert(films.prefix(10))]
                #expect(throws: RepositoryError.self) { try store.insert(films.dropFirst(5)) }
                counts.append(try store.count(Film.self))
                counts.append(try store.insert(films.dropFirst(10)))
                return counts
            }.value()
            #expect(counts == [10, 10, 40])
            #expect(try await repository.fetch(Film.all).value() == films)
        }
    }

    @Test("R13 The ids are returned instead of the number", arguments: StoreKind.allCases)
    func forms(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (0..<5).map { Film.numbered($0) }
            let ids = try await repository.insertReturningIDs(films.reversed()).value()
            #expect(ids == films.reversed().map(\.id))
            await expectFailure(\.isConstraint) {
                try await repository.insertReturningIDs([Film.numbered(7), films[0]]).value()
            }
            try await repository.insert([Film.numbered(8)]).value()
            await expectFailure(\.isConstraint) { try await repository.insert(films).value() }
            let inside = try await repository.transaction { store in
                try store.insertReturningIDs(UnfoldedFilms(count: 12).dropFirst(10))
            }.value()
            #expect(inside == [Film.id(10), Film.id(11)])
            #expect(try await repository.count(Film.self).value() == 8)
        }
    }
}

/// A sequence that makes its films one by one.
private struct UnfoldedFilms: Sequence, Sendable {
    let count: Int

    func makeIterator() -> AnyIterator<Film> {
        var next = 0
        return AnyIterator {
            defer { next += 1 }
            return next < count ? Film.numbered(next) : nil
        }
    }
}
