import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// Writers do everything that makes a server's commits hard to follow, while sums, lists and groups are updated in
/// place.
///
/// Each query is also followed as an arbitrary read, which is re-read: both must report equal values for one commit.
/// `STRESS` is the number of commits.
@Suite("R4 R5 R6 A server's commits under stress", .timeLimit(.minutes(isSoak ? 600 : 10)))
struct StreamStressTests {
    private static let commits = HistoryTests.number("STRESS") ?? 1_200

    @Test(
        "Values updated in place equal those read at the same commit, and later reads include what was shown",
        arguments: [.all, .all.subtracting(.gathering)] as [StreamRules])
    func agreement(_ rules: StreamRules) async throws {
        // A durable server, so that commits reach the disk as in production.
        let server = try TestServer(durableWith: "")
        func isEnough(_ outcome: StreamStress.Outcome) -> Bool {
            outcome.compared > max(100, Self.commits / 20) && outcome.patched >= Self.commits / 20
        }
        let outcome = try await StreamStress(server.store(), rules: rules).run(commits: Self.commits, until: isEnough)
        #expect(outcome.faults.prefix(10).joined(separator: "\n") == "")
        #expect(isEnough(outcome), "\(outcome)")
        if Self.commits > 10_000 { print(outcome) }
        #expect(try server.isLeft())
    }

    @Test(
        "Without one of the rules, the same run finds differences",
        arguments: [StreamRules.catchingUp, .locking])
    func rule(_ rule: StreamRules) async throws {
        let server = try TestServer(durableWith: "")
        var faults: [String] = []
        for _ in 0..<20 where faults.isEmpty {
            let stress = try StreamStress(server.store(), rules: .all.subtracting([rule, .gathering]))
            faults = try await stress.run(commits: 2_000).faults
        }
        #expect(!faults.isEmpty)
    }
}

/// One run of the writers, and a comparison of the values that were reported.
struct StreamStress {
    private let store: String
    private static let writers = 4

    struct Outcome: CustomStringConvertible {
        var faults: [String] = []
        var commits = 0
        var compared = 0
        var patched = 0
        var description: String {
            "\(commits) commits, \(compared) values compared, \(patched) updated in place, \(faults.count) differences"
        }
    }

    private let rules: StreamRules

    init(_ store: String, rules: StreamRules) { (self.store, self.rules) = (store, rules) }

    /// Makes `commits` commits, and repeats until that is enough: on a busy machine, one pass covers many commits.
    func run(commits: Int, until isEnough: (Outcome) -> Bool = { _ in true }) async throws -> Outcome {
        let base = try PostgresRepository(store, following: [Grain.self, Tick.self], rules: rules)
        try await base.insert((0..<Self.writers).map { Tick(id: $0, count: 0) }).value()
        let received = ReceivedValues()
        let followed = Followed.all(base, received)
        for query in followed { await query.begun() }
        // A read that begins after a value was shown must include it.
        let shown = base.sumSubscription(of: \Tick.count).flatMap(maxConcurrent: .max(1)) { sum in
            base.sum(of: \Tick.count).map { read in (sum, read) }
        }.record()
        var outcome = Outcome()
        repeat {
            await write(commits, after: outcome.commits)
            outcome.commits += commits
            outcome.patched = base.statistics.updatedInPlace
            (outcome.compared, _) = received.compared
        } while !isEnough(outcome) && outcome.commits < 20 * commits
        // Without a rule, queries may never reach the state of the store.
        if rules.isSuperset(of: .all.subtracting(.gathering)) {
            for query in followed { outcome.faults += try await query.end(base) }
        }
        outcome.faults += shown.values.filter { $0.1 < $0.0 }.map { "\($0.0) was shown, and then \($0.1) was read" }
        shown.cancel()
        await closed(base)
        outcome.faults += received.compared.faults
        return outcome
    }

    private func write(_ commits: Int, after written: Int) async {
        let store = store
        await onThreads(Self.writers) { index in
            do {
                var writer = try StreamWriter(store, index, seed: UInt64(written + index))
                try writer.write(commits / Self.writers)
            } catch {
                Issue.record("A writer failed: \(error)")
            }
        }
    }
}

struct Grain: Entity, Equatable {
    let id: Int
    var group: Int
    var weight: Int
    var name: String
    static let schema = Schema(
        Column("id", \Grain.id), Column("group", \.group), Column("weight", \.weight), Column("name", \.name),
        make: Grain.init)
}

struct Tick: Entity, Equatable {
    let id: Int
    var count: Int
    static let schema = Schema(Column("id", \Tick.id), Column("count", \.count), make: Tick.init)
}

/// The values that each query reported in both ways, by commit.
final class ReceivedValues: Sendable {
    private let values = Lock([String: [Int: [String]]]())

    func add(_ name: String, _ commit: Int, _ value: String) {
        values.withLock { $0[name, default: [:]][commit, default: []].append(value) }
    }

    /// The number of commits that both ways reported, and the differences between their values.
    var compared: (count: Int, faults: [String]) {
        var (count, faults) = (0, [String]())
        for (name, received) in values.withLock({ $0 }) {
            for (commit, values) in received where values.count > 1 {
                count += 1
                if Set(values).count > 1 { faults.append("\(name) at \(commit): \(values.joined(separator: " | "))") }
            }
        }
        return (count, faults)
    }
}

/// A repository that notes which commits its live values belong to.
private struct NumberedRepository: Repository {
    let base: PostgresRepository
    let name: String
    let received: ReceivedValues

    func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError> {
        let number = Lock(0)
        var request = request
        request.onCommit = { commit in number.withLock { $0 = commit } }
        return base.signal(for: request).handleEvents(onValue: { [received, name] value in
            received.add(name, number.withLock { $0 }, "\(value)")
        })
    }

    func close() -> Signal<Void, Never> { base.close() }
}

/// A query that is followed in both ways.
private struct Followed {
    let begun: () async -> Void
    /// Waits until both ways show the store's state; returns a fault for each one that does not.
    let end: (PostgresRepository) async throws -> [String]

    init<Output: Sendable & Equatable>(
        _ name: String, _ base: PostgresRepository, _ received: ReceivedValues,
        _ patched: (NumberedRepository) -> Signal<Output, RepositoryError>,
        _ read: @escaping @Sendable (ReadTransaction) throws -> Output
    ) {
        let repository = NumberedRepository(base: base, name: name, received: received)
        let live = repository.signal(for: .values(RepositoryCall("follow"), LiveQuery(read)))
        let recorders = [patched(repository), live].map { $0.record() }
        begun = { for recorder in recorders { _ = await recorder.values(1) } }
        end = { base in
            let expected = try await base.read { try read($0) }.value()
            var faults: [String] = []
            for (index, recorder) in recorders.enumerated() {
                let last = await recorder.last(where: { $0 == expected })
                if last != expected {
                    let end = recorder.completion.map { ", and ended: \($0)" } ?? ""
                    faults.append("\(name) (\(index)) ends with \(last as Any), not \(expected)\(end)")
                }
                faults += recorder.breaches.map { "\(name) (\(index)): \($0)" }
                recorder.cancel()
            }
            return faults
        }
    }

    /// Follows a query, whose answers are compared as text.
    init<Query: LiveRepositoryQuery>(
        _ name: String, _ query: Query, _ base: PostgresRepository, _ received: ReceivedValues
    ) {
        self.init(name, base, received, { $0.follow(query).map { "\($0)" } }, { "\(try query.answer(in: $0))" })
    }

    static func all(_ base: PostgresRepository, _ received: ReceivedValues) -> [Followed] {
        let grown = Grain.joined(to: Tick.self) { $0.group == $1.id }
        let selected = Grain.where { $0.weight > 20 }.sorted(by: \.weight).select { ($0.name, $0.weight * 2) }
        return [
            Followed("selected", selected.limit(9), base, received),
            Followed("distinct", Grain.all.select { ($0.group, $0.weight > 50) }.distinct(), base, received),
            Followed("names", Grain.all.aggregate { $0.name.count(distinct: true) }, base, received),
            Followed("page", Grain.where { $0.weight > 20 }.offset(3).limit(40).count, base, received),
            Followed("pairs", Grain.joined(to: Tick.self) { $0.group < $1.id }.count, base, received),
            Followed("grown", grown.where { grain, _ in grain.weight > 20 }.count, base, received),
            Followed(
                "grown by tick",
                grown.grouped { $1.id }.aggregate { grain, _ in (grain.weight.sum(), grain.name.max()) },
                base, received),
            Followed("sum", base, received) {
                $0.sumSubscription(of: \Grain.weight)
            } _: {
                try $0.fetch(Grain.all.sum(of: \.weight))
            },
            Followed("count", base, received) {
                $0.countSubscription(Grain.self) { $0.group < 3 }
            } _: {
                try $0.count(Grain.self) { $0.group < 3 }
            },
            Followed("list", base, received) {
                $0.fetchSubscription(
                    Grain.where { $0.weight > 20 }.sorted(by: \.weight, .descending).sorted(by: \.id).limit(9))
            } _: {
                try $0.fetch(Grain.where { $0.weight > 20 }.sorted(by: \.weight, .descending).sorted(by: \.id).limit(9))
            },
            Followed("groups", base, received) {
                $0.aggregateSubscription(.sum, of: \Grain.weight, groupedBy: \.group)
            } _: {
                try $0.fetch(Grain.all.aggregate(.sum, of: \.weight, groupedBy: \.group))
            },
            Followed("ticks", base, received) {
                $0.sumSubscription(of: \Tick.count)
            } _: {
                try $0.fetch(Tick.all.sum(of: \.count))
            },
        ]
    }
}

/// A writer with a plain connection, like any other program's.
private struct StreamWriter {
    private let connection: PostgresConnection
    private let number: Int
    private var random: SeededGenerator

    init(_ store: String, _ number: Int, seed: UInt64) throws {
        connection = try PostgresConnection(store)
        self.number = number
        random = SeededGenerator(seed: seed)
    }

    /// Commits `count` transactions.
    mutating func write(_ count: Int) throws {
        var written = 0
        while written < count {
            do throws(RepositoryError) {
                try connection.run(transaction())
                written += 1
            } catch {
                try connection.run("ROLLBACK")
                guard case .busy = error else { throw error }
            }
        }
        connection.close()
    }

    private mutating func transaction() -> String {
        var statements = ["BEGIN"]
        if chance(3) { statements.append("SET LOCAL synchronous_commit = off") }
        for _ in 0..<Int.random(in: 1...4, using: &random) { statements.append(change()) }
        if chance(4) {
            // Changes that are rolled back must leave no trace.
            statements += ["SAVEPOINT a", change(), change(), "SAVEPOINT b", change()]
            statements.append(chance(2) ? "ROLLBACK TO a" : "ROLLBACK TO b; RELEASE a")
            statements.append(change())
        }
        statements.append(#"UPDATE "Tick" SET "count" = "count" + 1 WHERE "id" = \#(number)"#)
        if chance(20) { statements.append("SELECT pg_sleep(0.02)") }
        if chance(12) { return (statements + ["ROLLBACK"]).joined(separator: "; ") }
        return (statements + ["COMMIT"]).joined(separator: "; ")
    }

    private mutating func change() -> String {
        let id = Int.random(in: 1...400, using: &random)
        let weight = Int.random(in: -5...100, using: &random)
        switch Int.random(in: 0..<200, using: &random) {
        case 0: return #"TRUNCATE "Grain""#
        case 1: return #"DELETE FROM "Grain" WHERE "weight" < 10"#
        case 2..<8:
            let rows = "SELECT i, i % 5, \(weight), 'many' FROM generate_series(\(id), \(id + 30)) i"
            return #"INSERT INTO "Grain" \#(rows) ON CONFLICT ("id") DO UPDATE SET "weight" = excluded."weight""#
        case 8..<60: return #"DELETE FROM "Grain" WHERE "id" = \#(id)"#
        case 60..<120: return #"UPDATE "Grain" SET "weight" = \#(weight), "group" = \#(id % 6) WHERE "id" = \#(id)"#
        default:
            return #"""
                INSERT INTO "Grain" VALUES (\#(id), \#(id % 5), \#(weight), 'one') \#
                ON CONFLICT ("id") DO UPDATE SET "weight" = excluded."weight", "name" = excluded."name" || '.'
                """#
        }
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}
