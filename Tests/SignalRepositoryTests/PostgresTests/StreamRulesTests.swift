import Foundation
import Signals
import SignalsTesting
import Testing

@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// What is patched by the stream, and what is read in snapshots, under writers who do everything at once.
@Suite("R6 What the stream tells and what a snapshot shows", .timeLimit(.minutes(10))) struct StreamRulesTests {
    private typealias Account = Box<Int>

    /// What writers do, by a number from 0 to 99.
    private static func statement(_ choice: Int, _ id: Int, _ value: Int) -> String {
        let table = "\"Box\""
        switch choice {
        case 0..<55: return "UPDATE \(table) SET value = value + \(value) WHERE id = \(id);"
        case 55..<75:
            return
                "INSERT INTO \(table) VALUES (\(id), \(value)) ON CONFLICT (id) DO UPDATE SET value = excluded.value;"
        case 75..<88: return "DELETE FROM \(table) WHERE id = \(id);"
        case 88..<96: return "SAVEPOINT a; UPDATE \(table) SET value = \(value) WHERE id = \(id); ROLLBACK TO a;"
        case 96..<99: return "UPDATE \(table) SET value = value + 1 WHERE id BETWEEN \(id) AND \(id + 20);"
        default: return "TRUNCATE \(table); INSERT INTO \(table) SELECT i, i FROM generate_series(1, 100) i;"
        }
    }

    /// Writes for as long as `isOver` is false, with asynchronous commits and rollbacks among the transactions.
    private static func write(_ store: String, seed: UInt64, until isOver: @Sendable () -> Bool) throws {
        let connection = try PostgresConnection(store)
        defer { connection.close() }
        var random = SeededGenerator(seed: seed)
        while !isOver() {
            let kind = Int.random(in: 0..<100, using: &random)
            var sql = "BEGIN;" + (kind < 30 ? "SET LOCAL synchronous_commit = off;" : "")
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                sql += statement(
                    Int.random(in: 0..<100, using: &random), Int.random(in: 1...600, using: &random),
                    Int.random(in: -1000...1000, using: &random))
            }
            // Of two that wait for each other, the server ends one.
            do { try connection.run(sql + (kind < 95 ? "COMMIT" : "ROLLBACK")) } catch { try connection.rollback() }
        }
    }

    /// Follows sums that are patched and sums that are read while others write; returns how many commits both have
    /// told of, and at how many of them they differ.
    private func compare(_ rules: StreamRules, seconds: Int) async throws -> (compared: Int, different: Int) {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        let declaration = try StoreDeclaration([Account.self], [], dropping: [], whenNew: nil, in: PostgresTypes())
        let repository = try PostgresRepository(
            store, declaration, access: .readWrite, liveSource: .replication, rules: rules, options: .init())
        await repository.streaming()
        let sum = LiveQuery<Int>(AggregateFunction<Int, Int>.sum, of: \Account.value, where: nil)
        let patched = repository.follow(sum).record()
        let read = repository.follow(LiveQuery { try $0.sum(of: \Account.value) }).record()
        _ = await (patched.values(1), read.values(1))
        let deadline = ContinuousClock.now + .seconds(seconds)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 1...3 {
                group.addTask { try Self.write(store, seed: UInt64(seed)) { ContinuousClock.now > deadline } }
            }
            try await group.waitForAll()
        }
        // Those who come now get what everybody has in the end.
        let last = try await repository.follow(sum).value()
        #expect(try await repository.sum(of: \Account.value).value() == last.value)
        let values = Dictionary(read.values.map { ($0.commit, $0.value) }) { $1 }
        let both = patched.values.filter { values[$0.commit] != nil }
        #expect(patched.breaches.isEmpty && read.breaches.isEmpty)
        await closed(repository)
        return (both.count, both.count { values[$0.commit] != $0.value })
    }

    @Test("R4 R6 Patched sums are those that are read, whatever three writers do") func agreement() async throws {
        let (compared, different) = try await compare(.all, seconds: 5)
        #expect(compared > 100 && different == 0, "\(different) of \(compared)")
    }
}
