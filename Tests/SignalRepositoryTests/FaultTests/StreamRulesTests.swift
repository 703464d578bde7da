import Foundation
import SignalsTesting
import Testing

@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// What a rule of the stream is for, in the one order of events that shows it; a stress test would need luck.
@Suite("R4 The rules of a server's stream", .timeLimit(.minutes(10))) struct StreamRulesTests {
    /// A server on which a commit can be held: it waits for a standby, if it asks for one.
    private static let settings = "synchronous_standby_names = 'nobody'\nsynchronous_commit = local"

    /// Opens a store, which has two items from its beginning.
    private func open(
        _ store: String, _ rules: StreamRules = .all, silence: SilenceLimits = SilenceLimits()
    ) throws -> PostgresRepository {
        try PostgresRepository(store, following: [Tick.self], rules: rules, silence: silence) { store in
            try store.insert([Tick(id: 0, count: 0), Tick(id: 1, count: 0)])
        }
    }

    @Test("What is heard is shown when it can be read; without the rule it is shown before", arguments: [true, false])
    func admission(hasRule: Bool) async throws {
        let server = try TestServer(durableWith: Self.settings)
        let store = try server.store()
        let repository = try open(store, hasRule ? .all : .all.subtracting(.admission))
        await repository.streaming()
        let sums = repository.sumSubscription(of: \Tick.count).record()
        _ = await sums.values(1)
        let held = try await HeldCommit(#"UPDATE "Tick" SET count = 100 WHERE id = 0"#, on: store)
        // Who commits later is heard of later.
        try await repository.update(Tick(id: 1, count: 1)).value()
        #expect(await sums.last(where: { $0 % 100 == 1 }) == (hasRule ? 1 : 101))
        #expect(try await repository.sum(of: \Tick.count).value() == 1)
        try held.release()
        #expect(await sums.last(where: { $0 == 101 }) == 101)
        #expect(try await repository.sum(of: \Tick.count).value() == 101)
        await closed(repository)
    }

    @Test("What nobody has written to the disk is written when it is waited for", arguments: [true, false])
    func fence(hasRule: Bool) async throws {
        // Its workers write the log, and come and go.
        let server = try TestServer(durableWith: "autovacuum = off")
        let store = try server.store()
        // One that waits for two seconds reads everything anew, and so does one whose stream is given up.
        let repository = try open(store, hasRule ? .all : .all.subtracting(.fence), silence: .patient)
        await repository.streaming()
        let plain = try PostgresConnection(store)
        // Whoever writes the log of the server's own accord, the background writer each 15 seconds too.
        let others = try plain.rows(
            "SELECT pid::bigint FROM pg_stat_activity WHERE backend_type IN ('walwriter', 'background writer', "
                + "'checkpointer')")
        func signal(_ number: Int32) {
            for row in others { if case .integer(let process) = row[0] { kill(pid_t(process), number) } }
        }
        #expect(others.count == 3)
        signal(SIGSTOP)
        defer { signal(SIGCONT) }
        try plain.run(#"SET synchronous_commit TO off; UPDATE "Tick" SET count = 100 WHERE id = 0"#)
        let sums = repository.sumSubscription(of: \Tick.count).record()
        if !hasRule {
            for _ in 0..<100 { _ = try plain.rows("SELECT 1") }
            #expect(sums.values == [])
            signal(SIGCONT)
        }
        #expect(await sums.values(1) == [100])
        await closed(repository)
    }

    @Test(
        "The stream begins when all can be read that it will not tell; without the rule a commit is missed",
        arguments: [true, false])
    func beginning(hasRule: Bool) async throws {
        let server = try TestServer(durableWith: Self.settings)
        let store = try server.store()
        await closed(try open(store))
        // A slot is made in steps, and at each waits for the transactions that are open. What is committed in the last
        // of them is before its beginning.
        let first = try OpenTransaction(on: store)
        let repository = try open(store, hasRule ? .all : .all.subtracting(.beginning))
        try await first.untilWaitedFor()
        let second = try OpenTransaction(on: store)
        try first.commit()
        try await second.untilWaitedFor()
        let held = try await HeldCommit(#"UPDATE "Tick" SET count = 100 WHERE id = 0"#, on: store)
        try second.commit()
        let sums = repository.sumSubscription(of: \Tick.count).record()
        if !hasRule {
            await repository.streaming()
            // What was read anew at its beginning has been, when a later commit is shown.
            try await repository.update(Tick(id: 1, count: 1)).value()
            #expect(await sums.last(where: { $0 == 1 }) == 1)
        }
        try held.release()
        await repository.streaming()
        try await repository.update(Tick(id: 1, count: 2)).value()
        #expect(await sums.last(where: { $0 % 100 == 2 }) == (hasRule ? 102 : 2))
        #expect(try await repository.sum(of: \Tick.count).value() == 102)
        await closed(repository)
    }

    @Test("What is heard before the stream is relied upon, and can be read only later, is shown then")
    func beforehand() async throws {
        let server = try TestServer(durableWith: Self.settings)
        let store = try server.store()
        await closed(try open(store))
        let plain = try PostgresConnection(store)
        let repository = try open(store, silence: .patient)
        let stream = try #require(repository.stream)
        // The stream has begun; its commits wait.
        let goesOn = Gate()
        stream.queue.async { goesOn.wait() }
        try await plain.wait(for: "SELECT 1 FROM pg_stat_replication WHERE state IN ('catchup', 'streaming')")
        let sums = repository.sumSubscription(of: \Tick.count).record()
        #expect(await sums.values(1) == [0])
        let held = try await HeldCommit(#"UPDATE "Tick" SET count = 100 WHERE id = 0"#, on: store)
        while stream.state.withLock({ $0.pending.isEmpty }) { await Task.yield() }
        goesOn.open()
        await repository.streaming()
        try held.release()
        #expect(await sums.last(where: { $0 == 100 }) == 100)
        plain.close()
        await closed(repository)
    }
}

/// A commit that is written and sent, and that nobody can read yet: it waits for a standby that there is not.
private final class HeldCommit {
    private let connection: PostgresConnection
    private let ended = DispatchGroup()

    /// Commits a statement, and returns when that waits.
    init(_ sql: String, on store: String) async throws {
        connection = try PostgresConnection(store)
        ended.enter()
        Thread { [ended] in
            do {
                try PostgresConnection(store).run("SET synchronous_commit TO on; \(sql)")
            } catch {
                Issue.record("\(error)")
            }
            ended.leave()
        }.start()
        try await connection.wait(for: "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    }

    /// Has it wait no longer, which leaves it committed.
    func release() throws {
        try connection.run("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        ended.wait()
    }
}

/// A transaction that has a number, and does nothing.
private struct OpenTransaction {
    private let connection: PostgresConnection
    private let number: SQLValue?

    init(on store: String) throws {
        connection = try PostgresConnection(store)
        try connection.run("BEGIN")
        number = try connection.rows("SELECT pg_current_xact_id()::text").first?[0]
    }

    /// Returns when a slot that is made waits for its end.
    func untilWaitedFor() async throws {
        guard case .text(let number)? = number else { throw TestServer.Failure(description: "no number") }
        try await connection.wait(for: "SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid::text = '\(number)'")
    }

    func commit() throws { try connection.run("COMMIT") }
}

extension PostgresConnection {
    /// Waits until a query has a row.
    fileprivate func wait(for query: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try rows(query).isEmpty {
            await Task.yield()
            guard .now < deadline else { throw TestServer.Failure(description: "no row: \(query)") }
        }
    }
}
