import Foundation
import SignalRepository
import Signals
import Testing

@Suite("fetch(transform:), fetchSubscription(transform:)", .timeLimit(.minutes(10))) struct FetchTransformedTests {
    @Test("Each item becomes something else, in the query's order", arguments: StoreKind.allCases)
    func transform(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert((1...5).map { Film.numbered($0) }).first()
            let query = Film.where(\.boxOffice > 2).sorted(by: \.boxOffice, .descending)
            let titles = try await repository.fetch(query, transform: \.title).first()
            #expect(titles == ["Film 5", "Film 4", "Film 3"])
        }
    }

    @Test("R1 The closure may wait for the repository, which it does not hold up", arguments: StoreKind.allCases)
    func offQueue(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.create(Film.numbered(1)).first()
            let counts = try await repository.fetch(
                Film.all,
                transform: { _ in
                    let gate = Gate()
                    let counter = Counter()
                    let token = repository.create(Film.numbered(2)).sink(
                        onValue: { _ in counter.add() }, onCompletion: { _ in gate.open() })
                    gate.wait()
                    return withExtendedLifetime(token) { counter.value }
                }
            ).first()
            #expect(counts == [1])
        }
    }

    @Test("What the closure throws ends it, typed", arguments: StoreKind.allCases)
    func thrown(kind: StoreKind) async throws {
        struct Mine: Error {}
        try await withRepository(kind) { repository in
            _ = try await repository.insert((1...3).map { Film.numbered($0) }).first()
            let counter = Counter()
            let foreign = repository.fetch(Film.all) { film -> Int in
                if counter.add() == 2 { throw Mine() }
                return film.number
            }
            await expectFailure({ if case .rolledBack(by: is Mine) = $0 { true } else { false } }) {
                try await foreign.first()
            }
            #expect(counter.value == 2)
            let own = repository.fetch(Film.all) { film -> Int in throw RepositoryError.tooBig(detail: film.title) }
            await expectFailure(\.isTooBig) { try await own.first() }
        }
    }

    @Test("R7 Live, what the closure made is delivered when it differs", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            _ = try await repository.insert((1...3).map { Film.numbered($0) }).first()
            let query = Film.where(\.boxOffice > 1).sorted(by: \.boxOffice, .descending)
            let titles = repository.fetchSubscription(query, transform: \.title).record()
            #expect(await titles.values(1) == [["Film 3", "Film 2"]])
            // Another property changes, which no title shows; then a title does.
            _ = try await repository.update(Film.numbered(3, studio: "A24")).first()
            _ = try await repository.update(Film.numbered(2, title: "Two")).first()
            #expect(await titles.values(2).last == ["Film 3", "Two"])
            _ = try await repository.delete(Film.numbered(1)).first()
            _ = try await repository.create(Film.numbered(4)).first()
            #expect(
                await titles.values(3) == [
                    ["Film 3", "Film 2"], ["Film 3", "Two"], ["Film 4", "Film 3", "Two"],
                ])
        }
    }

    @Test("Live, what the closure throws ends it, typed", arguments: StoreKind.allCases)
    func liveThrown(kind: StoreKind) async throws {
        struct Mine: Error {}
        try await withRepository(kind) { repository in
            let lengths = repository.fetchSubscription(Film.all) { film -> Int in
                guard film.studio == nil else { throw Mine() }
                return film.title.count
            }.record()
            #expect(await lengths.values(1) == [[]])
            _ = try await repository.create(Film.numbered(1, studio: "A24")).first()
            guard case .failure(.rolledBack(by: let error))? = await lengths.end(), error is Mine else {
                return #expect(Bool(false))
            }
        }
    }
}
