import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

/// SQLite recompiles a statement at each value that it compares with the condition of a partial index.
@Suite("Live queries with partial indexes", .timeLimit(.minutes(10))) struct PartialIndexTests {
    struct Player: Entity, Equatable {
        let id: Int
        var score: Int
        var isActive: Bool
        static let schema = Schema(
            Column("id", \Player.id), Column("score", \.score), Column("isActive", \.isActive),
            clauses: [
                .index("active ones", [\.score]) { $0.isActive == true },
                .unique("large", [\.score]) { $0.score > 90 },
            ], make: Player.init)
    }

    struct Other: Entity, Equatable {
        let id: Int
        var size: Int
        static let schema = Schema(Column("id", \Other.id), Column("size", \.size), make: Other.init)
    }

    /// Counts the re-reads and the updates in place of twenty commits.
    private func counts<Value: Sendable & Equatable>(
        _ attach: (SQLiteRepository) -> Signal<Value, RepositoryError>,
        commit: @escaping @Sendable (WriteTransaction, Int) throws -> Void
    ) async throws -> (reread: Int, updatedInPlace: Int, values: [Value]) {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Player.self, Other.self)
        try await repository.insert((1...60).map { Player(id: $0, score: $0, isActive: $0.isMultiple(of: 2)) }).value()
        try await repository.insert((1...3).map { Other(id: $0, size: $0) }).value()
        let live = attach(repository).record()
        _ = await live.values(1)
        // Once ten other queries have had their first values, all work after the first value is done.
        for number in 0..<10 { _ = try await repository.countSubscription(Other.self) { $0.size > number }.value() }
        let before = repository.statistics
        for number in 0..<20 {
            try await repository.transaction { try commit($0, number) }.value()
            let pass = repository.follow(LiveQuery { try $0.count(Other.self) }).record()
            _ = await pass.values(1)
            pass.cancel()
        }
        let after = repository.statistics
        await closed(repository)
        _ = await live.end()
        return (after.reread - before.reread, after.updatedInPlace - before.updatedInPlace, live.values)
    }

    private static func change(_ store: WriteTransaction, _ number: Int) throws {
        try store.upsert(Player(id: 100 + number, score: 100 + number, isActive: number % 3 > 0))
    }

    @Test("V2 R17 A query that a partial index answers is updated in place, and never read again")
    func maintained() async throws {
        let list = try await counts {
            $0.fetchSubscription(Player.where { $0.isActive == true }.sorted(by: \.id))
        } commit: {
            try Self.change($0, $1)
        }
        #expect(list.reread == 0 && list.updatedInPlace > 0 && list.values.last?.count == 43)
        let large = try await counts {
            $0.countSubscription(Player.self) { $0.score > 95 }
        } commit: {
            try Self.change($0, $1)
        }
        #expect(large.reread == 0 && large.values.last == 20)
        let sum = try await counts {
            $0.sumSubscription(of: \Player.score) { $0.isActive == true }
        } commit: {
            try Self.change($0, $1)
        }
        #expect(sum.reread == 0 && sum.updatedInPlace > 0)
    }

    @Test("V2 A closure that reads a column with a partial index is re-read once for each commit that concerns it")
    func closure() async throws {
        let closure = try await counts { repository in
            repository.follow(LiveQuery { try $0.count(Player.self) { $0.score > 95 } }).map(\.value)
        } commit: { store, number in
            if number < 5 { try Self.change(store, number) } else { try store.update(Other(id: 1, size: number)) }
        }
        // The count that waits for each pass is read in the fifteen passes that concern its table.
        #expect(closure.reread <= 5 && closure.values.last == 5)
    }

    @Test("V2 A write whose condition a partial index answers concerns its own table alone")
    func writes() async throws {
        let counts = try await counts {
            $0.sumSubscription(of: \Other.size)
        } commit: { store, number in
            try store.update(
                Player.self, set: [.set(\.score, to: number % 50)]
            ) { $0.isActive == true && $0.id < 2 + number }
        }
        #expect(counts.reread == 0 && counts.values == [6])
    }

    @Test("V2 R14 A live query with a partial index still notices that another program changes the tables")
    func changedTables() async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(.file(folder.file()), entities: Player.self, Other.self)
        try await repository.insert((1...6).map { Player(id: $0, score: $0, isActive: $0.isMultiple(of: 2)) }).value()
        let live = repository.fetchSubscription(Player.where { $0.isActive == true }.sorted(by: \.id)).record()
        _ = await live.values(1)
        let raw = try RawDatabase(folder.file())
        for number in 1...3 {
            try raw.run(
                """
                CREATE INDEX extra\(number) ON Player (isActive); \
                UPDATE Player SET isActive = 1 WHERE id = \(2 * number - 1)
                """)
            #expect(await live.last(where: { $0.count == 3 + number })?.count == 3 + number)
        }
        try await repository.update(Player(id: 1, score: 1, isActive: false)).value()
        #expect(await live.last(where: { $0.count == 5 })?.count == 5)
        // Whether the tables have changed is checked once.
        let large = Player.where { $0.isActive == true && $0.score > 3 }
        try await repository.fetchSubscription(large).value()
        let before = repository.statistics.reread
        for _ in 0..<20 { try await repository.fetchSubscription(large).value() }
        try await repository.countSubscription(Other.self).value()
        #expect(repository.statistics.reread == before)
        await closed(repository)
    }
}
