import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

/// Live values and reads while others change a server in ways that a repository does not.
@Suite("R4 R5 R17 Live values on a server that others use", .timeLimit(.minutes(10))) struct ServerLiveTests {
    private let server: TestServer
    private let store: String
    private static let sources: [LiveSource] = [.replication, .notifications]
    private var configuration: RepositoryConfiguration {
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = .milliseconds(20)
        return configuration
    }

    init() throws {
        server = try TestServer.shared.get()
        store = try server.store()
    }

    private func open(_ source: LiveSource, _ entities: [any Entity.Type]) throws -> PostgresRepository {
        try PostgresRepository(store, entities: entities, liveSource: source, configuration: configuration)
    }

    @Test("P1 Live values of several tables are those of one commit, even if connections end", arguments: sources)
    func torn(_ source: LiveSource) async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        let repository = try PostgresRepository(
            store, entities: Step.self, Mark.self, liveSource: source, configuration: configuration)
        try await repository.insert((0..<10).map { Step(id: $0, commit: 0) }).value()
        try await repository.create(Mark(id: 0, step: 0)).value()
        // Each commit moves a mark to the step that it changes.
        let marked = repository.fetchSubscription(
            Step.all.sorted { $0.id }.including(count: Mark.all, by: \.step)
        ).record()
        let states = repository.fetchSubscription(Step.all.sorted { $0.id }).record()
        // The greatest commit, by two queries of one state.
        let clocks = repository.follow(
            LiveQuery { store in
                [try store.fetch(Step.all.max(of: \.commit)) ?? 0, try store.fetch(Step.all).map(\.commit).max() ?? 0]
            }
        ).record()
        _ = await states.values(1)
        let plain = try PostgresConnection(store)
        for commit in 1...200 {
            try plain.run(
                """
                BEGIN; UPDATE "Step" SET commit = \(commit) WHERE id = \(commit % 10); \
                UPDATE "Mark" SET step = \(commit % 10); COMMIT
                """)
            guard commit % 9 == 0 else { continue }
            try plain.run(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE pid <> pg_backend_pid() AND backend_type IN ('client backend', 'walsender')
                """)
        }
        let last = (0..<10).map { id in (1...200).last { $0 % 10 == id } ?? 0 }
        await states.reaches { $0.map(\.commit) == last }
        for state in states.values {
            let now = state.map(\.commit).max() ?? 0
            let expected = (0..<10).map { id in now == 0 ? 0 : (1...now).last { $0 % 10 == id } ?? 0 }
            #expect(state.map(\.commit) == expected)
        }
        #expect(clocks.values.allSatisfy { $0.value[0] == $0.value[1] })
        await marked.reaches { $0.map(\.item.commit) == last }
        for state in marked.values {
            let now = state.map(\.item.commit).max() ?? 0
            #expect(state.allSatisfy { $0.included == ($0.item.commit == now && $0.item.id == now % 10 ? 1 : 0) })
        }
        #expect(!states.isEnded && !clocks.isEnded && !marked.isEnded)
        await closed(repository)
    }

    @Test("P2 A table that is emptied and filled in one transaction is never seen empty", arguments: sources)
    func truncated(_ source: LiveSource) async throws {
        let repository = try open(source, [Step.self])
        try await repository.insert((0..<100).map { Step(id: $0, commit: 0) }).value()
        let counts = repository.countSubscription(Step.self).record()
        let lists = repository.fetchSubscription(Step.all).map(\.count).record()
        _ = await (counts.values(1), lists.values(1))
        let isOver = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [store] in
                let plain = try PostgresConnection(store)
                for round in 1...60 {
                    try plain.run(
                        round % 3 > 0
                            ? "BEGIN; TRUNCATE \"Step\"; "
                                + "INSERT INTO \"Step\" SELECT n, \(round) FROM generate_series(0, 99) AS n; COMMIT"
                            : "ALTER TABLE \"Step\" ADD COLUMN z double precision DEFAULT random(); "
                                + "ALTER TABLE \"Step\" DROP COLUMN z")
                }
                isOver.add()
            }
            group.addTask {
                while isOver.value == 0 {
                    let both = try await repository.read { store in
                        (try store.count(Step.self), try store.fetch(Step.all).count)
                    }.value()
                    #expect(both == (100, 100))
                    var streamed = 0
                    for try await _ in repository.stream(Step.all).values { streamed += 1 }
                    #expect(streamed == 100)
                    try await repository.transaction { store in
                        try store.update(Step(id: 50, commit: -1))
                    }.value()
                }
            }
            try await group.waitForAll()
        }
        let last = try await repository.transaction { store in
            try store.delete(Step.self, id: 99)
            return try store.count(Step.self)
        }.value()
        #expect(last == 99)
        await counts.reaches { $0 == 99 }
        await lists.reaches { $0 == 99 }
        #expect(Set(counts.values) == [100, 99] && Set(lists.values) == [100, 99])
        await closed(repository)
    }

    @Test("P3 Live values hold the rows that the role may see, and no others", arguments: sources)
    func rowSecurity(_ source: LiveSource) async throws {
        let schema = try #require(store.split(separator: "=").last.map(String.init))
        let role = "tenant_\(schema)"
        let owner = try open(source, [Step.self])
        try await owner.insert((1...4).map { Step(id: $0, commit: $0 % 2) }).value()
        try server.run(
            """
            CREATE ROLE \(role) LOGIN REPLICATION; GRANT USAGE ON SCHEMA \(schema) TO \(role); \
            GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role); \
            ALTER TABLE "Step" ENABLE ROW LEVEL SECURITY; \
            CREATE POLICY own ON "Step" TO \(role) USING (commit = 1)
            """, on: store)
        let tenant = try PostgresRepository(
            store.replacing("user=main", with: "user=\(role)"), entities: [Step.self],
            liveSource: source, configuration: configuration.with(access: .readOnly))
        let seen = tenant.fetchSubscription(Step.all.sorted { $0.id }).map { $0.map(\.id) }.record()
        let counts = tenant.countSubscription(Step.self).record()
        let other = tenant.readSubscription(Step.self, id: 6).record()
        let changes = tenant.changes().record()
        await seen.reaches { $0 == [1, 3] }
        for id in 5...9 { try await owner.create(Step(id: id, commit: id % 2)).value() }
        try await owner.update(Step(id: 3, commit: 0)).value()
        try await owner.create(Step(id: 11, commit: 1)).value()
        await seen.reaches { $0 == [1, 5, 7, 9, 11] }
        await counts.reaches { $0 == 5 }
        #expect(seen.values.allSatisfy { $0.allSatisfy { $0 % 2 == 1 } })
        #expect(other.values.allSatisfy { $0 == nil })
        // It may be known that something has changed, but not what.
        _ = await changes.values(1)
        for set in changes.values { #expect(set.extent != .rows) }
        await closed(tenant)
        await closed(owner)
    }

    @Test(
        "P11 A view over a table that is not an entity is followed, in the same schema or another", arguments: sources)
    func views(_ source: LiveSource) async throws {
        let other = "elsewhere_\(try #require(store.split(separator: "=").last))_\(source)"
        try server.run(
            """
            CREATE TABLE plain (id bigint PRIMARY KEY, commit bigint NOT NULL); CREATE SCHEMA \(other); \
            CREATE TABLE \(other).plain (id bigint PRIMARY KEY, commit bigint NOT NULL); \
            CREATE VIEW both_of AS SELECT id, commit FROM plain UNION ALL SELECT id, commit FROM \(other).plain
            """, on: store)
        let repository = try open(source, [Viewed.self])
        let counts = repository.countSubscription(Viewed.self).record()
        await counts.reaches { $0 == 0 }
        try server.run("INSERT INTO plain VALUES (1, 1)", on: store)
        await counts.reaches { $0 == 1 }
        try server.run("INSERT INTO \(other).plain VALUES (2, 1)", on: store)
        await counts.reaches { $0 == 2 }
        await closed(repository)
    }

    @Test(
        "P12 Raw SQL that calls a function of the server is followed", arguments: sources, ["sql", "plpgsql"])
    func functions(_ source: LiveSource, _ language: String) async throws {
        let repository = try open(source, [Step.self])
        let body = language == "sql" ? "SELECT" : "BEGIN RETURN QUERY SELECT"
        try server.run(
            """
            CREATE FUNCTION total() RETURNS TABLE (id bigint, "commit" bigint) LANGUAGE \(language) AS \
            $$ \(body) 1::bigint, count(*) FROM "Step"; \(language == "sql" ? "" : "END") $$
            """, on: store)
        let totals = repository.rowsSubscription("SELECT id, commit FROM total()", as: Step.self).record()
        await totals.reaches { $0 == [Step(id: 1, commit: 0)] }
        try server.run("INSERT INTO \"Step\" VALUES (7, 7)", on: store)
        await totals.reaches { $0 == [Step(id: 1, commit: 1)] }
        try await repository.create(Step(id: 8, commit: 8)).value()
        await totals.reaches { $0 == [Step(id: 1, commit: 2)] }
        await closed(repository)
    }

    @Test("P17 P18 A table that others make again, stop publishing, or extend is followed", arguments: sources)
    func replaced(_ source: LiveSource) async throws {
        let repository = try open(source, [Step.self])
        let counts = repository.countSubscription(Step.self).record()
        await counts.reaches { $0 == 0 }
        let plain = try PostgresConnection(store)
        try plain.run("CREATE TABLE child () INHERITS (\"Step\"); INSERT INTO child VALUES (1, 1)")
        await counts.reaches { $0 == 1 }
        try plain.run("INSERT INTO child VALUES (2, 1)")
        await counts.reaches { $0 == 2 }
        try plain.run(
            """
            DROP TABLE child; CREATE TABLE new (LIKE "Step" INCLUDING ALL); INSERT INTO new VALUES (3, 3); \
            DROP TABLE "Step"; ALTER TABLE new RENAME TO "Step"
            """)
        await counts.reaches { $0 == 1 }
        for number in 4...6 {
            try plain.run("INSERT INTO \"Step\" VALUES (\(number), 0)")
            await counts.reaches { $0 == number - 2 }
        }
        await closed(repository)
    }

    /// Statements after which the server no longer reports the changes of a table.
    private static let deafening: [(source: LiveSource, sql: String)] = [
        (.replication, "ALTER PUBLICATION \"%\" SET (publish = 'insert')"),
        (.replication, "ALTER PUBLICATION \"%\" DROP TABLE \"Step\""),
        (.replication, "ALTER PUBLICATION \"%\" SET TABLE \"Step\" WHERE (id > 100)"),
        (.notifications, "DROP TRIGGER signal_repository_notify ON \"Step\""),
        (.notifications, "ALTER TABLE \"Step\" DISABLE TRIGGER signal_repository_notify"),
    ]

    @Test("P17 A table that others keep the server from reporting is still followed", arguments: deafening)
    func deafened(_ deafening: (source: LiveSource, sql: String)) async throws {
        let repository = try open(deafening.source, [Step.self])
        try await repository.insert((1...3).map { Step(id: $0, commit: 0) }).value()
        let counts = repository.countSubscription(Step.self).record()
        await counts.reaches { $0 == 3 }
        let plain = try PostgresConnection(store)
        try plain.run(deafening.sql.replacing("%", with: plain.publication))
        for number in 1...3 {
            try plain.run("DELETE FROM \"Step\" WHERE id = \(number)")
            await counts.reaches { $0 == 3 - number }
        }
        await closed(repository)
    }
}

private struct Step: Entity, Equatable, Row {
    let id: Int
    var commit: Int
    static let schema = Schema(Column("id", \Step.id), Column("commit", \.commit), make: Step.init)
}

private struct Mark: Entity, Equatable {
    let id: Int
    var step: Int
    static let schema = Schema(Column("id", \Mark.id), Column("step", \.step), make: Mark.init)
}

private struct Viewed: Entity, Equatable {
    let id: Int
    var commit: Int
    static let schema = Schema(
        Column("id", \Viewed.id), Column("commit", \.commit),
        clauses: [.view("SELECT id, commit FROM both_of")], make: Viewed.init)
}
