import Foundation
import SignalRepository
import Signals
import Testing

@Suite("fetch(transform:), fetchSubscription(transform:)", .timeLimit(.minutes(10))) struct FetchTransformedTests {
    @Test("Each item becomes something else, in the query's order", arguments: StoreKind.allCases)
    func transform(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...5).map { Film.numbered($0) }).value()
            let query = Film.where(\.boxOffice > 2).sorted(by: \.boxOffice, .descending)
            let titles = try await repository.fetch(query, transform: \.title).value()
            #expect(titles == ["Film 5", "Film 4", "Film 3"])
        }
    }

    @Test("R1 The closure may wait for the repository, which it does not hold up", arguments: StoreKind.allCases)
    func offQueue(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.create(Film.numbered(1)).value()
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
            ).value()
            #expect(counts == [1])
        }
    }

    @Test("What the closure throws ends it, typed", arguments: StoreKind.allCases)
    func thrown(kind: StoreKind) async throws {
        struct Mine: Error {}
        try await withRepository(kind) { repository in
            try await repository.insert((1...3).map { Film.numbered($0) }).value()
            let counter = Counter()
            let foreign = repository.fetch(Film.all) { film -> Int in
                if counter.add() == 2 { throw Mine() }
                return film.number
            }
            await expectFailure({ if case .bodyThrew(let error) = $0 { error.error is Mine } else { false } }) {
                try await foreign.value()
            }
            #expect(counter.value == 2)
            let own = repository.fetch(Film.all) { film -> Int in throw RepositoryError.tooBig(detail: film.title) }
            await expectFailure(\.isTooBig) { try await own.value() }
        }
    }

    @Test("R7 Live, what the closure made is delivered when it differs", arguments: StoreKind.allCases)
    func live(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            try await repository.insert((1...3).map { Film.numbered($0) }).value()
            let query = Film.where(\.boxOffice > 1).sorted(by: \.boxOffice, .descending)
            let titles = repository.fetchSubscription(query, transform: \.title).record()
            #expect(await titles.values(1) == [["Film 3", "Film 2"]])
            // Another property changes, which no title shows; then a title does.
            try await repository.update(Film.numbered(3, studio: "A24")).value()
            try await repository.update(Film.numbered(2, title: "Two")).value()
            #expect(await titles.values(2).last == ["Film 3", "Two"])
            try await repository.delete(Film.numbered(1)).value()
            try await repository.create(Film.numbered(4)).value()
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
            try await repository.create(Film.numbered(1, studio: "A24")).value()
            guard case .failure(.bodyThrew(let error))? = await lengths.end(), error.error is Mine else {
                return #expect(Bool(false))
            }
        }
    }
}
