import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("insert(from:)", .timeLimit(.minutes(10))) struct InsertFromTests {
    @Test("Each batch is reported when it is stored, the rest at the end", arguments: StoreKind.allCases)
    func batches(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = (1...10).map { Film.numbered($0) }
            let counts = repository.insert(from: Signal<Film, Never>.sequence(films), batch: 4).record()
            guard case .finished? = await counts.end() else {
                Issue.record("The insertion did not finish.")
                return
            }
            #expect(counts.values == [4, 8, 10])
            #expect(counts.breaches.isEmpty)
            let stored = try await repository.fetch(Film.all).value()
            #expect(stored == films)
            let none = repository.insert(from: Signal<Film, Never>.empty()).record()
            _ = await none.end()
            #expect(none.values.isEmpty)
        }
    }

    @Test("R17 The source is never asked for more than one batch ahead", arguments: StoreKind.allCases)
    func backPressure(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let made = Counter()
            let stored = Counter()
            let tooFar = Counter()
            let source = Signal<Int, Never>.sequence(1...100).map { number in
                made.add()
                // Everything before this batch is committed, so a read would see it.
                if number % 10 == 1, stored.value < (number - 1) / 10 { tooFar.add() }
                return Film.numbered(number)
            }
            let counts = repository.insert(from: source, batch: 10).map { count in
                stored.add()
                return count
            }.record()
            _ = await counts.end()
            #expect(made.value == 100 && stored.value == 10 && tooFar.value == 0)
            #expect(counts.values == (1...10).map { $0 * 10 })
        }
    }

    @Test("R13 A batch is stored whole or not at all; earlier batches stay", arguments: StoreKind.allCases)
    func failure(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            let films = [1, 2, 3, 4, 5, 4, 6, 7].map { Film.numbered($0) }
            let counts = repository.insert(from: Signal<Film, Never>.sequence(films), batch: 3).record()
            guard case .failure(let error)? = await counts.end(), error.isConstraint else {
                Issue.record("The second batch should have been refused.")
                return
            }
            #expect(counts.values == [3])
            let stored = try await repository.fetch(Film.all).value()
            #expect(stored == Array(films.prefix(3)))
        }
    }

    @Test("A failure of the source ends the insertion with a typed error", arguments: StoreKind.allCases)
    func sourceFailure(kind: StoreKind) async throws {
        struct Mine: Error {}
        try await withRepository(kind) { repository in
            let source = Broadcast<Film, Mine>()
            let counts = repository.insert(from: source.signal, batch: 2).record()
            source.send(Film.numbered(1))
            source.send(Film.numbered(2))
            #expect(await counts.values(1) == [2])
            source.send(completion: .failure(Mine()))
            guard case .failure(.sourceFailed(2, let error))? = await counts.end(), error.error is Mine else {
                Issue.record("The insertion should have failed with the source's error.")
                return
            }
            let stored = try await repository.count(Film.self).value()
            #expect(stored == 2)
        }
    }

    @Test("A batch size of zero is a misuse", arguments: StoreKind.allCases)
    func noPortion(kind: StoreKind) async throws {
        try await withRepository(kind) { repository in
            await expectFailure(\.isMisuse) {
                try await repository.insert(from: Signal<Film, Never>.empty(), batch: 0).value()
            }
        }
    }
}
