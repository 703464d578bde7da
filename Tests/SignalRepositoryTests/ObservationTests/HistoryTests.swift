import Foundation
import Signals
import SignalsTesting
import Testing

@testable import SignalRepository

/// Random writes of every kind from several tasks, while live queries come and go.
@Suite("Random histories", .timeLimit(.minutes(5))) struct HistoryTests {
    /// A longer run asks for more by the environment's HISTORIES.
    static let seeds = 0..<(ProcessInfo.processInfo.environment["HISTORIES"].flatMap { Int($0) } ?? 12)

    @Test(
        "R3 R4 R5 R6 R7 Every live value is a fresh query's at its commit, none goes back, none repeats",
        arguments: StoreKind.allCases, seeds)
    func history(kind: StoreKind, seed: Int) async throws {
        var options = RepositoryOptions()
        options.watchInterval = .milliseconds(20)
        try await withRepository(kind, options: options) { repository in
            let witness = Witness()
            #expect(repository.engine.live.add(witness))
            let followers = Followers(repository, seed: UInt64(seed))
            await withTaskGroup(of: Void.self) { group in
                for writer in 0..<3 {
                    group.addTask {
                        var writer = Writer(repository, seed: UInt64(seed * 10 + writer))
                        await writer.write(40)
                    }
                }
                group.addTask { await followers.comeAndGo(30) }
                await group.waitForAll()
            }
            // One commit more, that everybody can wait for.
            _ = try await repository.upsert(Film.numbered(999, title: "last", boxOffice: 1)).first()
            let films = try await repository.fetch(Film.all).first()
            try await followers.check(against: witness, last: films, seed: seed)
            repository.engine.live.remove(witness)
        }
    }
}

/// Writes down the state of the store at every commit that live queries were brought to.
private final class Witness: LiveNode, @unchecked Sendable {
    /// Safe because it is locked.
    private let states = Lock<[(commit: Int, films: [Film])]>([])

    override func refresh(in transaction: ReadTransaction, commit: Int) throws {
        let films = try transaction.fetch(Film.all)
        states.withLock { $0.append((commit, films)) }
    }

    /// The films at a commit: those of the last time that any had changed.
    func films(at commit: Int) -> [Film]? {
        states.withLock { states in states.last { $0.commit <= commit }?.films }
    }
}

/// One task's random writes.
private struct Writer {
    private let repository: SQLiteRepository
    private var random: SeededGenerator

    init(_ repository: SQLiteRepository, seed: UInt64) {
        self.repository = repository
        random = SeededGenerator(seed: seed)
    }

    mutating func write(_ count: Int) async {
        for _ in 0..<count { await writeOnce() }
    }

    /// Writes something; that it may fail is part of the history.
    private mutating func writeOnce() async {
        let film = randomFilm()
        let others = (0..<Int.random(in: 1...12, using: &random)).map { _ in randomFilm() }
        switch Int.random(in: 0..<11, using: &random) {
        case 0: _ = try? await repository.create(film).first()
        case 1: _ = try? await repository.upsert(film).first()
        case 2: _ = try? await repository.update(film).first()
        case 3: try? await repository.delete(film).first()
        case 4: _ = try? await repository.insert(others).first()
        case 5: _ = try? await repository.upsert(others).first()
        case 6: _ = try? await repository.delete(others).first()
        case 7:
            _ = try? await repository.transaction { try $0.execute("UPDATE Film SET boxOffice = boxOffice + 1") }
                .first()
        case 8:
            _ = try? await repository.transaction { try $0.execute("DELETE FROM Film WHERE boxOffice > 150000") }
                .first()
        case 9: _ = try? await repository.transaction { try Self.nested($0, film, others) }.first()
        default: repository.upsert(others).record().cancel()
        }
    }

    private static func nested(_ store: WriteTransaction, _ film: Film, _ others: [Film]) throws {
        try store.upsert(film)
        try? store.transaction { inner in
            try inner.upsertAtomically(others)
            inner.cancel()
        }
        if film.boxOffice > 10 { store.cancel() }
    }

    private mutating func randomFilm() -> Film {
        let studio = ["A", "B", "C", nil].randomElement(using: &random) ?? nil
        return .numbered(
            Int.random(in: 0..<30, using: &random), title: "\(Int.random(in: 0..<5, using: &random))",
            boxOffice: Decimal(Int.random(in: 0..<20, using: &random)), studio: studio)
    }
}

/// Live queries that are attached and cancelled at random, and what they delivered.
private actor Followers {
    private struct Follower {
        let wait: @Sendable ([Film]) async -> Void
        let check: @Sendable (Witness, Int) -> Void
        let cancel: @Sendable () -> Void
    }

    private let repository: SQLiteRepository
    private var random: SeededGenerator
    private var followers: [Follower] = []

    init(_ repository: SQLiteRepository, seed: UInt64) {
        self.repository = repository
        random = SeededGenerator(seed: seed &+ 77)
    }

    func comeAndGo(_ count: Int) async {
        for _ in 0..<count {
            follow(Int.random(in: 0..<6, using: &random))
            if Int.random(in: 0..<3, using: &random) == 0 { followers.randomElement(using: &random)?.cancel() }
            _ = try? await repository.count(Film.self).first()
        }
    }

    func check(against witness: Witness, last: [Film], seed: Int) async throws {
        for follower in followers { await follower.wait(last) }
        // A first value of another query comes when the pass before it is over, the witness's part included.
        _ = try await repository.countSubscription(Film.self).first()
        for follower in followers { follower.check(witness, seed) }
    }

    private func follow(_ kind: Int) {
        switch kind {
        case 0: add(LiveQuery { try $0.fetch(Film.all) }) { $0 }
        case 1: add(LiveQuery { try $0.count(Film.where(\.studio == nil)) }) { $0.count { $0.studio == nil } }
        case 2: add(LiveQuery { try $0.sum(of: \Film.boxOffice) }) { $0.reduce(0) { $0 + $1.boxOffice } }
        case 3: add(LiveQuery { try $0.max(of: \Film.title) }) { $0.map(\.title).max() }
        case 4:
            add(LiveQuery { try $0.count(Film.self, groupedBy: \.title).map(\.value) }) { films in
                Dictionary(grouping: films, by: \.title).sorted { $0.key < $1.key }.map(\.value.count)
            }
        default:
            add(LiveQuery { try $0.fetch(Film.where(\.boxOffice > 5).sorted(by: \.boxOffice).limit(4)) }) { films in
                let order = films.filter { $0.boxOffice > 5 }
                    .sorted { ($0.boxOffice, $0.id.uuidString) < ($1.boxOffice, $1.id.uuidString) }
                return Array(order.prefix(4))
            }
        }
    }

    private func add<Output: Sendable & Equatable>(
        _ query: LiveQuery<Output>, _ expected: @escaping @Sendable ([Film]) -> Output
    ) {
        let recorder = repository.follow(query).record()
        let isCancelled = Counter()
        followers.append(
            Follower(
                wait: { last in
                    if isCancelled.value == 0 { await recorder.values(until: { $0.value == expected(last) }) }
                },
                check: { witness, seed in
                    recorder.cancel()
                    let values = recorder.values
                    for value in values {
                        let films = witness.films(at: value.commit)
                        #expect(films.map(expected) == value.value, "seed \(seed), commit \(value.commit)")
                    }
                    for (earlier, later) in zip(values, values.dropFirst()) {
                        #expect(earlier.commit < later.commit && earlier.value != later.value, "seed \(seed)")
                    }
                    #expect(recorder.breaches.isEmpty, "seed \(seed)")
                },
                cancel: {
                    isCancelled.add()
                    recorder.cancel()
                }))
    }
}
