import Foundation
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The effects of the stream's rules, each in the order of events that shows it; a stress test would need luck.
@Suite("R4 The rules of a server's stream", .timeLimit(.minutes(10))) struct StreamRulesTests {
    /// Settings of a server on which a commit can be held: it waits for a missing standby if it asks for one.
    private static let settings = "synchronous_standby_names = 'nobody'\nsynchronous_commit = local"

    /// Opens a store, which begins with two items.
    private func open(
        _ store: String, _ rules: StreamRules = .all, silence: SilenceLimits = SilenceLimits()
    ) throws -> PostgresRepository {
        try PostgresRepository(store, following: [Tick.self], rules: rules, silence: silence) { store in
            try store.insert([Tick(id: 0, count: 0), Tick(id: 1, count: 0)])
        }
    }

    @Test("A streamed commit is shown once it can be read; without the rule, before that", arguments: [true, false])
    func admission(hasRule: Bool) async throws {
        let server = try TestServer(durableWith: Self.settings)
        let store = try server.store()
        let repository = try open(store, hasRule ? .all : .all.subtracting(.admission))
        await repository.streaming()
        let sums = repository.sumSubscription(of: \Tick.count).record()
        _ = await sums.values(1)
        let held = try await HeldCommit(#"UPDATE "Tick" SET count = 100 WHERE id = 0"#, on: store)
        // The stream delivers this commit after the held one.
        try await repository.update(Tick(id: 1, count: 1)).value()
        #expect(await sums.last(where: { $0 % 100 == 1 }) == (hasRule ? 1 : 101))
        #expect(try await repository.sum(of: \Tick.count).value() == 1)
        try held.release()
        #expect(await sums.last(where: { $0 == 101 }) == 101)
        #expect(try await repository.sum(of: \Tick.count).value() == 101)
        await closed(repository)
    }

    @Test("A commit that is not on disk yet is flushed when a read waits for it", arguments: [true, false])
    func fence(hasRule: Bool) async throws {
        // Autovacuum workers come and go, and write the log.
        let server = try TestServer(durableWith: "autovacuum = off")
        let store = try server.store()
        // With the default limits, a wait of two seconds or a lost stream would re-read everything.
        let repository = try open(store, hasRule ? .all : .all.subtracting(.fence), silence: .patient)
        await repository.streaming()
        let plain = try PostgresConnection(store)
        // The processes that write the log by themselves; the background writer does so every 15 seconds.
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
        "The stream is relied upon once every commit before it can be read; without the rule, one is missed",
        arguments: [true, false])
    func beginning(hasRule: Bool) async throws {
        let server = try TestServer(durableWith: Self.settings)
        let store = try server.store()
        await closed(try open(store))
        // Making a slot takes several steps, each of which waits for the open transactions. Whatever commits during the
        // last step precedes the slot's beginning.
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
            // Once a later commit is shown, the re-read at the stream's beginning is over.
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

    @Test("A commit that arrives before the stream is relied upon, but can be read only later, is shown once it can")
    func beforehand() async throws {
        let server = try TestServer(durableWith: Self.settings)
        let store = try server.store()
        await closed(try open(store))
        let plain = try PostgresConnection(store)
        let repository = try open(store, silence: .patient)
        let stream = try #require(repository.stream)
        // The stream has begun, but its queue is blocked.
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

/// A commit that is on disk and sent, but cannot be read yet: it waits for a standby that does not exist.
private final class HeldCommit {
    private let connection: PostgresConnection
    private let ended = DispatchGroup()

    /// Commits a statement, and returns once the commit waits.
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

    /// Ends the wait, which leaves the statement committed.
    func release() throws {
        try connection.run("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        ended.wait()
    }
}

/// An idle transaction that has a number.
private struct OpenTransaction {
    private let connection: PostgresConnection
    private let number: SQLValue?

    init(on store: String) throws {
        connection = try PostgresConnection(store)
        try connection.run("BEGIN")
        number = try connection.rows("SELECT pg_current_xact_id()::text").first?[0]
    }

    /// Returns once a slot that is being made waits for this transaction to end.
    func untilWaitedFor() async throws {
        guard case .text(let number)? = number else { throw TestServer.Failure(description: "no number") }
        try await connection.wait(for: "SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid::text = '\(number)'")
    }

    func commit() throws { try connection.run("COMMIT") }
}

extension PostgresConnection {
    /// Waits until a query returns a row.
    fileprivate func wait(for query: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try rows(query).isEmpty {
            await Task.yield()
            guard .now < deadline else { throw TestServer.Failure(description: "no row: \(query)") }
        }
    }
}
