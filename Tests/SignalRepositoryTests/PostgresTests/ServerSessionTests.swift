import Foundation
import SignalRepository
import Signals
import SignalsTesting
import Testing

@testable import SignalRepositoryPostgres

/// Settings that hold on every connection of a store, whatever a role, a database or a statement sets.
@Suite("R14 The state of a connection", .timeLimit(.minutes(10))) struct ServerSessionTests {
    private let server: TestServer
    private let store: String
    private let schema: String

    init() throws {
        server = try TestServer.shared.get()
        store = try server.store()
        schema = try #require(store.split(separator: "=").last.map(String.init))
    }

    /// Makes a role with a search path, and returns the parameters of its connections.
    private func role(_ name: String, path: String) throws -> String {
        let role = "\(name)_\(schema)"
        try server.run(
            """
            CREATE ROLE \(role) LOGIN REPLICATION; GRANT CREATE ON DATABASE postgres TO \(role); \
            GRANT ALL ON SCHEMA \(schema) TO \(role); ALTER ROLE \(role) SET search_path TO \(path)
            """, on: store)
        return server.parameters.replacing("user=main", with: "user=\(role)")
    }

    /// Ends every connection of a role; the repository then makes others.
    private func endConnections(of parameters: String) throws {
        let role = try #require(parameters.split(separator: " ").first { $0.hasPrefix("user=") }).dropFirst(5)
        let plain = try PostgresConnection(store)
        let ended = try plain.rows(
            "SELECT pid::bigint, pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'")
        for row in ended {
            guard case .integer(let number) = row[0] else { continue }
            while try !plain.rows("SELECT 1 FROM pg_stat_activity WHERE pid = \(number)").isEmpty {}
        }
    }

    @Test(
        "P7 A role that is given another search_path writes where the store was opened, also after its connections end",
        arguments: [LiveSource.replication, .notifications])
    func otherPath(_ source: LiveSource) async throws {
        let other = "other_\(schema)_\(source)"
        let parameters = try role("drift\(source)", path: schema)
        let role = try #require(parameters.split(separator: " ").first { $0.hasPrefix("user=") }).dropFirst(5)
        let repository = try PostgresRepository(parameters, entities: Film.self, liveSource: source)
        try await repository.create(Film.numbered(1)).value()
        let titles = repository.fetchSubscription(Film.all.sorted(by: \.title)).record()
        _ = await titles.values(1)
        try server.run(
            """
            CREATE SCHEMA \(other); GRANT ALL ON SCHEMA \(other) TO \(role); \
            CREATE TABLE \(other)."Film" (LIKE "Film" INCLUDING ALL); \
            ALTER TABLE \(other)."Film" OWNER TO \(role); ALTER ROLE \(role) SET search_path TO \(other)
            """, on: store)
        try endConnections(of: parameters)
        // A request on a connection that has just been ended may fail.
        while (try? await repository.upsert(Film.numbered(2)).value()) == nil {}
        await titles.reaches { $0.map(\.id) == [Film.id(1), Film.id(2)] }
        let plain = try PostgresConnection(store)
        #expect(try plain.rows("SELECT count(*) FROM \(other).\"Film\"") == [[.integer(0)]])
        #expect(try plain.rows("SELECT count(*) FROM \"Film\"") == [[.integer(2)]])
        #expect(try await repository.count(Film.self).value() == 2)
        await closed(repository)
    }

    @Test(
        "P7 A schema made later that comes first in the search_path changes nothing: commits of others are received",
        arguments: [LiveSource.replication, .notifications])
    func laterSchema(_ source: LiveSource) async throws {
        let parameters = try role("own\(source)", path: "\"$user\", \(schema)")
        let role = try #require(parameters.split(separator: " ").first { $0.hasPrefix("user=") }).dropFirst(5)
        let repository = try PostgresRepository(parameters, entities: Film.self, liveSource: source)
        let count = repository.countSubscription(Film.self).record()
        _ = await count.values(1)
        try server.run("CREATE SCHEMA \(role) AUTHORIZATION \(role)", on: store)
        try endConnections(of: parameters)
        while (try? await repository.count(Film.self).value()) == nil {}
        try server.run("INSERT INTO \"Film\" SELECT gen_random_uuid(), 'a', 1, '1'", on: store)
        await count.reaches { $0 == 1 }
        await closed(repository)
    }

    @Test("P7 A schema that is gone is an error, and not replaced by the next one of the search_path")
    func droppedSchema() async throws {
        let next = "next_\(schema)"
        try server.run("CREATE SCHEMA \(next)", on: store)
        let repository = try PostgresRepository(
            store + ",\(next)", entities: Film.self, liveSource: .notifications)
        try server.run("ALTER SCHEMA \(schema) RENAME TO gone_\(schema)", on: store)
        try server.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%\(schema)%' "
                + "AND pid <> pg_backend_pid()", on: server.parameters)
        await expectFailure({ !$0.isNotFound }) { try await repository.create(Film.numbered(1)).value() }
        #expect(
            try PostgresConnection(server.parameters).rows("SELECT to_regclass('\(next).\"Film\"')::text") == [[.null]])
        await closed(repository)
    }

    @Test("P6 A temporary table hides no table, and settings that a procedure changes are restored right after it")
    func hidden() async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: .notifications)
        try await repository.transaction { store in
            try store.execute("CREATE TEMP TABLE \"Film\" (LIKE \"Film\" INCLUDING ALL)")
            try store.create(Film.numbered(1))
            try store.execute("DROP TABLE pg_temp.\"Film\"")
            try store.execute("CREATE TABLE pg_temp.\"Film\" (LIKE \"Film\" INCLUDING ALL)")
            try store.execute("/* a */ DO $$ BEGIN EXECUTE 'SET search_path TO pg_catalog'; END $$")
            try store.create(Film.numbered(2))
        }.value()
        try await repository.create(Film.numbered(3)).value()
        #expect(try PostgresConnection(store).rows("SELECT count(*) FROM \"Film\"") == [[.integer(3)]])
        await closed(repository)
    }

    @Test("P7 Settings that a function changes are restored, however it is called: in a body, in a fetch, in a stream")
    func function() async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: .notifications)
        try await repository.create(Film.numbered(1)).value()
        let other = "drifted_\(schema)"
        try server.run(
            """
            CREATE SCHEMA \(other); CREATE TABLE \(other)."Film" (LIKE "Film" INCLUDING ALL); \
            CREATE FUNCTION "Drift"() RETURNS bigint LANGUAGE plpgsql AS \
            $$ BEGIN PERFORM set_config('search_path', '\(other)', false); RETURN 1; END $$; \
            CREATE FUNCTION drift$path() RETURNS bigint LANGUAGE sql AS 'SELECT "Drift"()'
            """, on: store)
        let drifting = Film.where(.raw("\"Drift\"() > 0"))
        for round in 0..<8 {
            let number = 10 * round + 10
            try await repository.transaction { store in
                _ = try store.rows(round.isMultiple(of: 2) ? "SELECT \"Drift\"()" : "SELECT 1+Drift$path()")
                try store.create(Film.numbered(number))
                #expect(try store.fetch(drifting).count == 3 * round + 2)
                try store.execute("UPDATE pg_settings SET setting = 'pg_catalog' WHERE name = 'search_path'")
                try store.execute("\t;DO $$ BEGIN EXECUTE 'SET search_path TO pg_catalog'; END $$")
                try store.create(Film.numbered(number + 1))
            }.value()
            #expect(try await repository.fetch(drifting).value().count == 3 * round + 3)
            #expect(try await repository.stream(drifting).collect().value().count == 3 * round + 3)
            _ = try await repository.read { try $0.rows("SELECT \"Drift\"()") }.value()
            #expect(try await repository.count(Film.self).value() == 3 * round + 3)
            try await repository.create(Film.numbered(number + 2)).value()
        }
        let plain = try PostgresConnection(store)
        #expect(try plain.rows("SELECT count(*) FROM \(other).\"Film\"") == [[.integer(0)]])
        #expect(try plain.rows("SELECT count(*) FROM \"Film\"") == [[.integer(25)]])
        await closed(repository)
    }

    @Test("P5 COPY is refused, and the connection goes on", arguments: [LiveSource.replication, .notifications])
    func copy(_ source: LiveSource) async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: source)
        for sql in ["COPY \"Film\" FROM STDIN", "COPY \"Film\" TO STDOUT", "-- a\ncopy (SELECT 1) TO STDOUT"] {
            await expectFailure(\.isMisuse) {
                try await repository.transaction { try $0.execute(SQL(stringLiteral: sql)) }.value()
            }
            await expectFailure(\.isMisuse) {
                try await repository.rows(SQL(stringLiteral: sql), as: Film.self).value()
            }
        }
        try await repository.create(Film.numbered(1)).value()
        #expect(try await repository.count(Film.self).value() == 1)
        await closed(repository)
    }

    @Test("P5 A connection that is out of step with the server is replaced")
    func outOfStep() throws {
        let connection = try PostgresConnection(store)
        try connection.run("CREATE TABLE a (b int)")
        try connection.run("COPY a FROM STDIN")
        try connection.begin(.read)
        #expect(try connection.rows("SELECT count(*) FROM a") == [[.integer(0)]])
        try connection.rollback()
        #expect(throws: RepositoryError.self) { try connection.run("COPY a TO STDOUT") }
        try connection.begin(.write)
        try connection.run("INSERT INTO a VALUES (1)")
        try connection.commit()
    }

    @Test("P8 A statement that the server stops fails as .busy, with the server's code")
    func statementTimeout() async throws {
        let repository = try PostgresRepository(
            store.replacing("options=", with: "options='-cstatement_timeout=100 ") + "'", entities: Film.self,
            liveSource: .notifications)
        await expectFailure({ $0.busyCode == "57014" }) {
            try await repository.rows("SELECT pg_sleep(100)::text", as: String.self).value()
        }
        await expectFailure({ $0.busyCode == "57014" }) {
            try await repository.transaction { try $0.execute("SELECT pg_sleep(100)") }.value()
        }
        try await repository.create(Film.numbered(1)).value()
        await closed(repository)
    }

    @Test(
        "P8 A live query whose read the server stops goes on afterwards",
        arguments: [LiveSource.replication, .notifications])
    func liveTimeout(_ source: LiveSource) async throws {
        let repository = try PostgresRepository(
            store.replacing("options=", with: "options='-cstatement_timeout=100 ") + "'", entities: Film.self,
            liveSource: source)
        let plain = try PostgresConnection(store)
        try plain.run("BEGIN; LOCK TABLE \"Film\" IN ACCESS EXCLUSIVE MODE")
        let count = repository.countSubscription(Film.self).record()
        // The server's statement log is not read; its locks show that it has stopped some reads.
        let other = try PostgresConnection(server.parameters)
        let waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '\(schema).\"Film\"'::regclass"
        for _ in 0..<3 {
            while try other.rows(waits).isEmpty {}
            while try !other.rows(waits).isEmpty {}
        }
        #expect(!count.isEnded)
        try plain.run("INSERT INTO \"Film\" SELECT gen_random_uuid(), 'a', 1, '1'; COMMIT")
        await count.reaches { $0 == 1 }
        #expect(!count.isEnded)
        await closed(repository)
    }

    @Test("B17 A transaction that the server ends because it did nothing for too long fails as .io")
    func idleTransaction() async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: .notifications)
        let parameters = server.parameters
        await expectFailure(\.isIO) {
            try await repository.transaction { store in
                let plain = try PostgresConnection(parameters)
                try store.create(Film.numbered(1))
                try store.execute(
                    "DO $$ BEGIN EXECUTE 'SET LOCAL idle_in_transaction_session_timeout TO 50'; END $$")
                let rows = try store.rows("SELECT pg_backend_pid()::text", as: String.self)
                while try !plain.rows("SELECT 1 FROM pg_stat_activity WHERE pid = \(rows[0])").isEmpty {}
                try store.create(Film.numbered(2))
            }.value()
        }
        #expect(try await repository.count(Film.self).value() == 0)
        await closed(repository)
    }

    @Test(
        "P9 B8 Statements prepared before another program changed the tables are prepared again",
        arguments: [LiveSource.replication, .notifications])
    func otherColumns(_ source: LiveSource) async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: source)
        try await repository.create(Film.numbered(1)).value()
        let all: SQL = "SELECT * FROM \(Film.self)"
        let live = repository.rowsSubscription(all, as: Film.self).record()
        _ = await live.values(1)
        for change in [
            "ADD COLUMN later text", "ALTER COLUMN later TYPE bytea USING NULL", "ADD COLUMN last bigint",
            "ALTER COLUMN studio TYPE varchar",
        ] {
            // Makes all connections of the repository prepare the statements.
            _ = try await repository.rows(all, as: Film.self).value()
            _ = try await repository.read { try $0.rows(all, as: Film.self) }.value()
            _ = try await repository.transaction { try $0.rows(all, as: Film.self) }.value()
            _ = try await repository.read(Film.self, id: Film.id(1)).value()
            try server.run("ALTER TABLE \"Film\" \(change)", on: store)
            #expect(try await repository.rows(all, as: Film.self).value().count == 1)
            #expect(try await repository.read { try $0.rows(all, as: Film.self) }.value().count == 1)
            #expect(try await repository.read(Film.self, id: Film.id(1)).value() == Film.numbered(1))
            let inBody = try await repository.transaction { store in
                try store.update(Film.numbered(1))
                return try store.rows(all, as: Film.self)
            }.value()
            #expect(inBody.count == 1)
        }
        try await repository.create(Film.numbered(2)).value()
        await live.reaches { $0.count == 2 }
        #expect(!live.isEnded)
        await closed(repository)
    }

    @Test("P14 A frozen server: work fails as .io, a live query goes on afterwards, and the store can be closed")
    func frozen() async throws {
        let server = try TestServer(durableWith: "")
        let proxy = try ServerProxy(to: server.socket)
        let store = try server.store().replacing("host=\(server.folder.path)", with: "host=\(proxy.folder.path)")
        let silence = SilenceLimits(requested: .milliseconds(200), lost: .milliseconds(300))
        let repository = try PostgresRepository(
            store + " connect_timeout=2", following: [Film.self], silence: silence)
        let count = repository.countSubscription(Film.self).record()
        _ = await count.values(1)
        proxy.hold()
        await expectFailure(\.isIO) { try await repository.count(Film.self).value() }
        await expectFailure({ $0.isIO || $0.isOutcomeUnknown }) {
            try await repository.create(Film.numbered(1)).value()
        }
        proxy.release()
        while (try? await repository.create(Film.numbered(2)).value()) == nil {}
        // The server is frozen while more rows are sent than a socket takes.
        await expectFailure(\.isIO) {
            try await repository.transaction { store in
                let rows = (1_000..<9_000).lazy.map { number in
                    if number == 2_000 { proxy.hold() }
                    return Film.numbered(number, title: String(repeating: "x", count: 1_000))
                }
                return try store.insert(rows)
            }.value()
        }
        proxy.release()
        while (try? await repository.create(Film.numbered(3)).value()) == nil {}
        #expect(try await repository.count(Film.self).value() < 4)
        await count.reaches { $0 > 0 }
        // The store is closed while a statement is under way, which cannot be stopped.
        let reading = repository.read { try $0.rows("SELECT pg_sleep(600)") }.record()
        let plain = try PostgresConnection(server.parameters)
        while try plain.rows("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'").isEmpty {}
        proxy.hold()
        await closed(repository)
        #expect(reading.isEnded)
        proxy.release()
    }

    @Test("A1 The body of a transaction is atomic, whatever call it is named after")
    func namedBody() async throws {
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: .notifications)
        try await repository.create([Film.numbered(1), Film.numbered(2)]).value()
        struct Oops: Error {}
        for call in [
            RepositoryCall("delete", Film.self, id: Film.id(1)), RepositoryCall("update", Film.self, id: Film.id(1)),
            RepositoryCall("upsert", Film.self, id: 1), RepositoryCall("create", Film.self, id: 1),
        ] {
            let body: @Sendable (WriteTransaction) throws -> Void = { store in
                try store.delete(Film.self, id: Film.id(1))
                throw Oops()
            }
            await #expect(throws: RepositoryError.self) {
                try await repository.signal(for: .write(call, body)).value()
            }
            let twice: @Sendable (WriteTransaction) throws -> Void = { store in
                try store.update(Film.numbered(1, title: "\(call)"))
                try store.update(Film.numbered(2, title: "\(call)"))
            }
            try await repository.signal(for: .write(call, twice)).value()
        }
        #expect(try await repository.count(Film.self).value() == 2)
        await closed(repository)
    }
}

extension RepositoryError {
    fileprivate var busyCode: String? { if case .busy(let diagnosis) = self { diagnosis.code } else { nil } }
}
