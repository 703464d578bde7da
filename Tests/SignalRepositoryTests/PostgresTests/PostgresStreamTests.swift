import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// Commits of every program, received with their rows.
@Suite("R14 The stream of a server's commits", .timeLimit(.minutes(10))) struct PostgresStreamTests {
    private func open(
        _ store: String, _ entities: any Entity.Type...,
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) async throws -> PostgresRepository {
        let repository = try PostgresRepository(
            store, following: entities, silence: .patient, configuration: configuration)
        await repository.streaming()
        return repository
    }

    private static func cents(_ number: Int) -> Decimal { Decimal(number) / 100 }

    @Test("R4 R7 Sums, groups and lists follow the rows of two programs and of SQL, and nothing is read again")
    func patched() async throws {
        let store = try TestServer.shared.get().store()
        let repository = try await open(store, Film.self)
        let other = try await open(store, Film.self)
        try await repository.insert((1...9).map { Film.numbered($0, studio: $0 < 5 ? "S1" : nil) }).value()
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        let groups = repository.follow(Film.all.count(groupedBy: \.studio)).record()
        let list = repository.fetchSubscription(Film.all.sorted(by: \.boxOffice, .descending).limit(3)).record()
        let whole = repository.fetchSubscription(Film.all).record()
        let item = repository.readSubscription(Film.self, id: Film.id(2)).record()
        _ = await (sums.values(1), groups.values(1), list.values(1), whole.values(1), item.values(1))
        let before = repository.statistics
        try await repository.create(Film.numbered(10)).value()
        #expect(await sums.last(where: { $0 == 55 }) == 55)
        try await other.transaction { try $0.update(Film.numbered(2, title: "Other", studio: "S2")) }.value()
        #expect(await item.last(where: { $0?.title == "Other" })??.studio == "S2")
        let plain = try PostgresConnection(store)
        try plain.run("UPDATE \"Film\" SET \"boxOffice\" = 10000 WHERE title = 'Other'")
        #expect(await sums.last(where: { $0 == 54 }) == 54)
        try plain.run(
            "BEGIN; SAVEPOINT a; DELETE FROM \"Film\"; ROLLBACK TO a; "
                + "DELETE FROM \"Film\" WHERE title = 'Film 10'; COMMIT")
        #expect(await sums.last(where: { $0 == 44 }) == 44)
        let all = try await repository.fetch(Film.all).value()
        #expect(await whole.last(where: { $0 == all }) == all)
        let first = try await repository.fetch(Film.all.sorted(by: \.boxOffice, .descending).limit(3)).value()
        #expect(await list.last(where: { $0 == first }) == first)
        let counts = try await repository.fetch(Film.all.count(groupedBy: \.studio)).value()
        #expect(await groups.last(where: { $0 == counts }) == counts)
        let after = repository.statistics
        #expect(after.reads == before.reads && after.updatedInPlace > before.updatedInPlace)
        for recorder in [list, whole] { #expect(recorder.breaches.isEmpty && !recorder.isEnded) }
        plain.close()
        await closed(repository)
        await closed(other)
    }

    @Test("R1 Sinks that block at a commit's value hold up no other commit and no other sink", arguments: [1, 2, 3])
    func blocked(count: Int) async throws {
        let store = try TestServer.shared.get().store()
        let repository = try await open(store, Film.self)
        let plain = try PostgresConnection(store)
        let (areIn, mayGo) = (CurrentValue<Int, Never>(0), Gate())
        var tokens: [SignalToken] = []
        for number in 1...count {
            // Each sink has its own query, and blocks at the commit that follows.
            let isThere = Gate()
            let sums = repository.sumSubscription(of: \Film.boxOffice) { $0.title != "\(number)" }
            tokens.append(
                sums.sink { sum in
                    isThere.open()
                    guard sum >= Decimal(number) else { return }
                    areIn.modify { $0 += 1 }
                    mayGo.wait()
                } onCompletion: { _ in
                })
            await isThere.opened()
            try plain.run("INSERT INTO \"Film\" VALUES ('\(Film.id(number))', 'x', 0, 10000)")
            _ = await areIn.signal.filter { $0 == number }.value()
        }
        let counts = repository.countSubscription(Film.self).record()
        let changes = repository.changes().record()
        // An observation begins between two writes, so this one makes sure that it has begun.
        try await repository.transaction { _ in }.value()
        _ = await counts.values(1)
        for number in count + 1...count + 20 {
            try plain.run("INSERT INTO \"Film\" VALUES ('\(Film.id(number))', 'x', 0, 10000)")
            #expect(await counts.last(where: { $0 == number }) == number)
        }
        #expect(await changes.values(20).count == 20)
        for _ in 0..<count * 25 { mayGo.open() }
        for token in tokens { token.cancel() }
        plain.close()
        await closed(repository)
    }

    @Test("R16 Change sets have the rows and the author of every program, and the commit numbers of live values")
    func changes() async throws {
        let store = try TestServer.shared.get().store()
        let repository = try await open(store, Film.self)
        let other = try await open(store, Film.self)
        let recorder = repository.changes(of: Film.self).record()
        let object = repository.objectChanges(Film.self, id: Film.id(1)).record()
        let counts = repository.follow(LiveQuery { try $0.count(Film.self) }).record()
        _ = await counts.values(1)
        try await repository.transaction(author: "a\u{0}é") { try $0.create(Film.numbered(1)) }.value()
        _ = await recorder.values(1)
        try await other.authored(by: "elsewhere").update(Film.numbered(1, title: "x")).value()
        _ = await recorder.values(2)
        try await other.transaction { try $0.insert((2...2001).map { Film.numbered($0) }) }.value()
        _ = await recorder.values(3)
        try PostgresConnection(store).run("DELETE FROM \"Film\" WHERE title <> 'Film 2'")
        let sets = await recorder.values(4)
        #expect(sets.map(\.author) == ["a\u{0}é", "elsewhere", nil, nil])
        try #require(sets.count == 4)
        #expect(try sets[0].inserted(of: Film.self) == [.numbered(1)])
        #expect(try sets[1].updated(of: Film.self).map(\.old.title) == ["Film 1"])
        #expect(try sets[2].inserted(of: Film.self) == (2...2001).map { Film.numbered($0) })
        #expect(try sets[3].deleted(of: Film.self).count == 2000)
        #expect(await object.values(3) == [.created(.numbered(1)), .updated(.numbered(1, title: "x")), .deleted])
        await counts.values(until: { $0.commit == sets[3].commit })
        #expect(counts.values.last?.value == 1)
        await closed(repository)
        await closed(other)
    }

    @Test("R4 The stream's texts are right whatever encoding the connection string asks for")
    func encoding() async throws {
        let store = try TestServer.shared.get().store() + " client_encoding=LATIN1"
        let repository = try await open(store, Film.self)
        let titles = repository.fetchSubscription(Film.all.sorted(by: \.title)).record()
        _ = await titles.values(1)
        let reads = repository.statistics.reads
        // In LATIN1, the first is valid UTF-8 for an é, the second is not UTF-8, and the third cannot be written.
        let expected = ["Ã©", "é", "€"]
        for (number, title) in expected.enumerated() {
            try await repository.create(Film.numbered(number, title: title)).value()
        }
        await titles.values(until: { $0.count == 3 })
        #expect(titles.values.last?.map(\.title) == expected.sorted())
        #expect(repository.statistics.reads == reads)
        await closed(repository)
    }

    @Test("Commits whose rows are unknown cause reads: TRUNCATE, more rows than the budget, tables that others alter")
    func unknown() async throws {
        let store = try TestServer.shared.get().store()
        var configuration = RepositoryConfiguration()
        configuration.watchInterval = .milliseconds(20)
        let repository = try await open(store, Film.self, configuration: configuration)
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        let listener = try await open(store, Film.self)
        let recorder = listener.changes().record()
        _ = await sums.values(1)
        let plain = try PostgresConnection(store)
        var reads = repository.statistics.reads
        try plain.run(
            "INSERT INTO \"Film\" SELECT gen_random_uuid(), 'x' || i, 0, 100 FROM generate_series(1, 5000) i")
        #expect(await sums.last(where: { $0 == 50 }) == 50)
        #expect(repository.statistics.reads == reads + 1)
        // An observer of changes receives all rows.
        #expect(try await recorder.values(1).last?.inserted(of: Film.self).count == 5_000)
        reads = repository.statistics.reads
        try plain.run("TRUNCATE \"Film\"; INSERT INTO \"Film\" VALUES (gen_random_uuid(), 'y', 0, 300)")
        #expect(await sums.last(where: { $0 == Self.cents(3) }) == Self.cents(3))
        #expect(await recorder.values(2).last?.extent == .unknown(.tables))
        try plain.run("ALTER TABLE \"Film\" ADD COLUMN note jsonb DEFAULT '[1]'")
        try plain.run("UPDATE \"Film\" SET \"boxOffice\" = 400")
        #expect(await sums.last(where: { $0 == Self.cents(4) }) == Self.cents(4))
        // The rows are rewritten, and the stream does not report it.
        try plain.run("ALTER TABLE \"Film\" ALTER COLUMN \"boxOffice\" TYPE bigint USING \"boxOffice\" + 100")
        #expect(await sums.last(where: { $0 == Self.cents(5) }) == Self.cents(5))
        #expect(repository.statistics.reads > reads)
        // Afterwards the sum is updated in place again, as soon as the table is known.
        var number = 500
        repeat {
            reads = repository.statistics.reads
            number += 100
            try plain.run("UPDATE \"Film\" SET \"boxOffice\" = \(number)")
            await sums.values(until: { [number] in $0 == Decimal(number) / 10_000 })
        } while repository.statistics.reads != reads
        plain.close()
        await closed(repository)
        await closed(listener)
    }

    @Test("R14 Cascades, COPY and rows that move to another key are reported, also to a read-only repository")
    func ways() async throws {
        let store = try TestServer.shared.get().store()
        let repository = try await open(store, Owner.self, Owned.self)
        let reader = try PostgresRepository(
            store, entities: [Owner.self, Owned.self], liveSource: .replication,
            configuration: RepositoryConfiguration(access: .readOnly))
        await reader.streaming()
        let counts = reader.countSubscription(Owned.self).record()
        let groups = reader.follow(Owned.all.count(groupedBy: \.owner)).record()
        let changes = reader.changes(of: Owned.self).record()
        _ = await (counts.values(1), groups.values(1))
        let before = reader.statistics
        try await repository.insert([Owner(id: 1), Owner(id: 2)]).value()
        try await repository.insert((1...6).map { Owned(id: $0, owner: $0 % 2 + 1) }).value()
        #expect(await counts.last(where: { $0 == 6 }) == 6)
        let plain = try PostgresConnection(store)
        try plain.run("UPDATE \"Owned\" SET id = id + 100 WHERE id = 1")
        #expect(try await Set(changes.values(2)[1].inserted(of: Owned.self).map(\.id)) == [101])
        #expect(try changes.values[1].deleted(of: Owned.self).map(\.id) == [1])
        try plain.run("DELETE FROM \"Owner\" WHERE id = 2")
        #expect(await groups.last(where: { $0.count == 1 }) == [Grouped(key: 1, value: 3)])
        try plain.run(#"COPY "Owned" FROM PROGRAM 'printf "7\t1\n8\t1\n"'"#)
        #expect(await groups.last(where: { $0.first?.value == 5 }) == [Grouped(key: 1, value: 5)])
        #expect(reader.statistics.reads == before.reads)
        plain.close()
        await closed(repository)
        await closed(reader)
    }

    @Test("R20 A search in a changed text compares code points, as the server does")
    func search() async throws {
        let store = try TestServer.shared.get().store()
        let repository = try await open(store, Film.self)
        let conditions: [Condition<Film>] = ["e", "\u{301}", "\u{E9}", "X", "\r", ""].flatMap { text in
            [
                Condition { $0.title.contains(text) }, Condition { $0.title.hasPrefix(text) },
                Condition { $0.title.hasSuffix(text) },
            ]
        }
        let counts = conditions.map { condition in repository.countSubscription(Film.self) { _ in condition }.record() }
        for recorder in counts { _ = await recorder.values(1) }
        let before = repository.statistics.reads
        let titles = ["e", "e\u{301}", "\u{E9}", "xe\u{301}", "a\r\n", "\u{1F468}\u{200D}\u{1F469}e", "", "E"]
        try await repository.insert(titles.enumerated().map { Film.numbered($0, title: $1) }).value()
        for (condition, recorder) in zip(conditions, counts) {
            let count = try await repository.count(Film.self) { _ in condition }.value()
            #expect(await recorder.last(where: { $0 == count }) == count, "\(condition)")
        }
        #expect(repository.statistics.reads == before)
        await closed(repository)
    }

    @Test("R12 R14 A stream that was ended begins again, live signals go on, and no slot is left")
    func lost() async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        let repository = try await open(store, Film.self)
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        let changes = repository.changes().record()
        _ = await sums.values(1)
        let plain = try PostgresConnection(store)
        for number in 1...5 {
            let sets = changes.values.count
            try plain.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'walsender'")
            // The stream that ends, the writer, or the stream that begins may report it.
            try await repository.create(Film.numbered(number)).value()
            let sum = Decimal(number * (number + 1) / 2)
            #expect(await sums.last(where: { $0 == sum }) == sum)
            #expect(await changes.values(sets + 1).count > sets)
            await repository.streaming()
        }
        var (round, sets) = (0, changes.values.count)
        repeat {
            round += 1
            await repository.streaming()
            try await repository.update(Film.numbered(1, title: "x\(round)")).value()
            sets = await changes.values(sets + 1).count
        } while changes.values.last?.extent != .rows
        #expect(changes.breaches.isEmpty && !changes.isEnded && sums.breaches.isEmpty && !sums.isEnded)
        let slots = "SELECT count(*) FROM pg_replication_slots"
        #expect(try plain.rows(slots) == [[.integer(1)]])
        await closed(repository)
        plain.close()
        #expect(try server.isLeft())
        #expect(try PostgresConnection(store).rows(slots) == [[.integer(0)]])
    }

    @Test("R4 While another transaction keeps the stream from beginning, everything is read; closing does not wait")
    func waiting() async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        try await closed(PostgresRepository(store, entities: Film.self, liveSource: .replication))
        let plain = try PostgresConnection(store)
        try plain.run("BEGIN; SELECT pg_current_xact_id()")
        let repository = try PostgresRepository(store, entities: Film.self, liveSource: .replication)
        let sums = repository.sumSubscription(of: \Film.boxOffice).record()
        #expect(await sums.values(1) == [0])
        try await repository.create(Film.numbered(1)).value()
        #expect(await sums.last(where: { $0 == 1 }) == 1)
        try plain.run("INSERT INTO \"Film\" VALUES (gen_random_uuid(), 'x', 0, 20000); COMMIT")
        #expect(await sums.last(where: { $0 == 3 }) == 3)
        await repository.streaming()
        try plain.run("BEGIN; SELECT pg_current_xact_id()")
        let other = try PostgresRepository(store, entities: Film.self, liveSource: .replication)
        #expect(other.stream?.isActive == false)
        await closed(other)
        try plain.run("COMMIT")
        plain.close()
        await closed(repository)
        #expect(try server.isLeft())
    }

    @Test("R12 A server or a role without replication is refused with what to run, and can use notifications")
    func refused() async throws {
        let server = try TestServer(durableWith: "")
        let store = try server.store()
        try server.run("CREATE ROLE plain LOGIN; CREATE ROLE half LOGIN REPLICATION", on: store)
        func refusal(_ store: String) throws -> String {
            let error = try thrown { () throws(RepositoryError) in
                try PostgresRepository(store, entities: Film.self, liveSource: .replication)
            }
            return "\(error)"
        }
        let plain = store.replacing("user=main", with: "user=plain")
        let role = try refusal(plain)
        #expect(role.contains("ALTER ROLE \"plain\" REPLICATION") && role.contains("liveSource: .notifications"))
        let half = try refusal(store.replacing("user=main", with: "user=half"))
        #expect(half.contains("GRANT CREATE ON DATABASE") && half.contains("liveSource: .notifications"))
        #expect(try PostgresConnection(store).rows("SELECT to_regclass('\"Film\"')::text") == [[.null]])
        let notified = try PostgresRepository(plain, entities: Film.self, liveSource: .notifications)
        let counts = notified.countSubscription(Film.self).record()
        #expect(await counts.values(1) == [0])
        try await notified.create(Film.numbered(1)).value()
        #expect(await counts.values(2) == [0, 1])
        await expectFailure(\.isMisuse) { try await notified.changes().value() }
        await closed(notified)
        // A read-only repository cannot make the publication.
        let reading = try thrown { () throws(RepositoryError) in
            try PostgresRepository(
                store, entities: Film.self, liveSource: .replication,
                configuration: RepositoryConfiguration(access: .readOnly))
        }
        #expect("\(reading)".contains("open the store for writing once"))
        try PostgresConnection(store).run("ALTER SYSTEM SET wal_level = 'replica'")
        try server.stop("fast")
        try server.start()
        let level = try refusal(store)
        #expect(level.contains("ALTER SYSTEM SET wal_level = 'logical'") && level.contains(".notifications"))
        #expect(try server.isLeft())
    }
}

private struct Owner: Entity, Equatable {
    let id: Int

    static let schema = Schema(Column("id", \Owner.id), make: Owner.init)
}

private struct Owned: Entity, Equatable {
    let id: Int
    var owner: Int

    static let schema = Schema(
        Column("id", \Owned.id), Column("owner", \.owner, .references(Owner.self, onDelete: .cascade)),
        make: Owned.init)
}
