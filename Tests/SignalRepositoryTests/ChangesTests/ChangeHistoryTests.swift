import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@Suite("Change sets of random histories", .timeLimit(.minutes(isSoak ? 600 : 10))) struct ChangeHistoryTests {
    /// The random seeds; the environment variable `HISTORIES` asks for more of them, as in `HistoryTests`.
    private static let seeds = 1...(HistoryTests.number("HISTORIES").map { $0 / 50 + 1 } ?? 20)

    /// The store as the change sets describe it.
    private struct Replica {
        var films: [UUID: Film] = [:]
        var commit = 0

        mutating func apply(_ changes: ChangeSet) throws {
            #expect(changes.commit > commit)
            #expect(changes.extent == .rows)
            commit = changes.commit
            for film in try changes.deleted(of: Film.self) { #expect(films.removeValue(forKey: film.id) == film) }
            for film in try changes.inserted(of: Film.self) {
                #expect(films.updateValue(film, forKey: film.id) == nil)
            }
            for update in try changes.updated(of: Film.self) {
                #expect(update.old != update.new)
                #expect(films.updateValue(update.new, forKey: update.new.id) == update.old)
            }
        }
    }

    // The test must know which rows change.
    @Test(
        "R4 R5 R6 A dictionary that applies the change sets of a random history equals what a fetch returns",
        arguments: StoreKind.local, seeds)
    func history(kind: StoreKind, seed: Int) async throws {
        try await withRepository(kind) { repository in
            var random = SeededGenerator(seed: UInt64(seed))
            _ = try await repository.transaction { store in
                try store.execute("CREATE UNIQUE INDEX studios ON Film(studio)")
            }.value()
            let listeners = [repository.changes(of: Film.self).record(), repository.changes().record()]
            var replica = Replica()
            var applied = 0
            for round in 0..<30 {
                let seed = random.next()
                _ = try? await repository.transaction { store in
                    var random = SeededGenerator(seed: seed)
                    try Self.write(store, depth: 0, &random)
                }.value()
                try await repository.create(Film.numbered(10_000 + round)).value()
                let mark = Film.id(10_000 + round)
                let sets = await listeners[0].values { changes in
                    (try? changes.inserted(of: Film.self).contains { $0.id == mark }) ?? false
                }
                for changes in sets[applied...] { try replica.apply(changes) }
                applied = sets.count
                let fetched = try await repository.fetch(Film.all).value()
                #expect(replica.films == Dictionary(uniqueKeysWithValues: fetched.map { ($0.id, $0) }))
            }
            let other = await listeners[1].values(applied)
            #expect(other.map(\.commit) == listeners[0].values.map(\.commit))
            for (one, other) in zip(listeners[0].values, other) {
                #expect(try one.inserted(of: Film.self) == other.inserted(of: Film.self))
                #expect(try one.updated(of: Film.self) == other.updated(of: Film.self))
                #expect(try one.deleted(of: Film.self) == other.deleted(of: Film.self))
            }
            for listener in listeners { listener.cancel() }
        }
    }

    /// Runs random writes, some of which fail or are undone.
    private static func write(_ store: WriteTransaction, depth: Int, _ random: inout SeededGenerator) throws {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            try step(store, depth: depth, &random)
        }
        if Int.random(in: 0..<5, using: &random) == 0 { store.cancel() }
    }

    private static func step(_ store: WriteTransaction, depth: Int, _ random: inout SeededGenerator) throws {
        let number = Int.random(in: 0..<12, using: &random)
        let studio = Bool.random(using: &random) ? nil : "S\(Int.random(in: 0..<6, using: &random))"
        let title = "T\(Int.random(in: 0..<3, using: &random))"
        let film = Film.numbered(number, title: title, boxOffice: Decimal(number), studio: studio)
        switch Int.random(in: 0..<13, using: &random) {
        case 0: _ = try? store.create(film)
        case 1: _ = try? store.update(film)
        case 2: _ = try? store.upsert(film)
        case 3: try? store.delete(film)
        case 4: _ = try? store.insert([film, .numbered(number + 1), .numbered(number + 2)])
        case 5: _ = try? store.create([film, .numbered(number + 1, title: title)])
        case 6: _ = try? store.execute("UPDATE OR FAIL Film SET studio = ?", studio)
        case 7: _ = try? store.execute("UPDATE Film SET studio = ? WHERE title = ?", studio, title)
        case 8: _ = try? store.execute("UPDATE OR REPLACE Film SET studio = ? WHERE title = ?", studio, title)
        case 9: _ = try? store.execute("UPDATE OR IGNORE Film SET id = ? WHERE title = ?", film.id, title)
        case 10: _ = try? store.execute("REPLACE INTO Film SELECT ?, title, 0.5, 1, ? FROM Film", film.id, studio)
        case 11: try store.execute("DELETE FROM Film WHERE title = ?", title)
        default:
            guard depth < 3 else { return }
            let seed = random.next()
            try? store.transaction { inner in
                var random = SeededGenerator(seed: seed)
                try write(inner, depth: depth + 1, &random)
            }
        }
    }
}
