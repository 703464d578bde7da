import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

@Suite("Work that a server's writer repeats", .timeLimit(.minutes(10))) struct PostgresWriterTests {
    @Test(
        "Generated keys go on after the keys of a block's items, even if some of the items fail",
        arguments: StoreKind.allCases)
    func keysOfBlocks(kind: StoreKind) async throws {
        try await withRepository(kind, [Numbered.self]) { repository in
            try await repository.insert((101...120).map { Numbered(id: $0, name: "\($0)") }).value()
            #expect(try await repository.create(Numbered(id: 0, name: "a")).value().id == 121)
            var items = (Array(201...220) + Array(1_001...1_020)).map { Numbered(id: $0, name: "\($0)") }
            items[3].name = "101"
            let result = try await repository.create(items).value()
            #expect(result.failed.map(\.item.id) == [204] && result.success.count == 39)
            #expect(try await repository.create(Numbered(id: 0, name: "b")).value().id == 1_021)
            let refused = (2_001...2_020).map { Numbered(id: $0, name: $0 == 2_020 ? "101" : "\($0)") }
            await expectFailure({ $0.isConstraint && $0.item?.index == 19 }) {
                try await repository.insert(refused).value()
            }
        }
    }

    @Test("Keys are advanced for each piece of work separately, however far they were advanced before")
    func takenAgain() async throws {
        let place = try StorePlace(.postgres)
        let repository = try place.open([Numbered.self], liveSource: .notifications)
        try await repository.insert((1...3).map { Numbered(id: $0, name: "\($0)") }).value()
        await expectFailure(\.isConstraint) { try await repository.create(Numbered(id: 3, name: "again")).value() }
        try place.run("SELECT setval(pg_get_serial_sequence('\"Numbered\"', 'id'), 1)")
        #expect(try await repository.create(Numbered(id: 0, name: "new")).value().id == 4)
        await closed(repository)
    }

    @Test("A transaction that conflicts with another program's is run again, on what that has left")
    func conflict() async throws {
        let place = try StorePlace(.postgres)
        let repository = try place.open([Box<Int>.self], liveSource: .notifications)
        try await repository.create(Box(id: 1, value: 0)).value()
        let runs = Counter()
        try await repository.transaction { store in
            let box = try store.read(Box<Int>.self, id: 1)
            if runs.add() == 1 { try place.run("UPDATE \"Box\" SET value = 10") }
            try store.update(Box(id: 1, value: box.value + 1))
        }.value()
        #expect(runs.value == 2)
        #expect(try await repository.read(Box<Int>.self, id: 1).value().value == 11)
        await closed(repository)
    }

    @Test(
        "A transaction to which a table rewritten by another program seems empty is run again, failed or not",
        arguments: [true, false])
    func tableRewritten(isFailing: Bool) async throws {
        let place = try StorePlace(.postgres)
        let repository = try place.open([Film.self, Box<Int>.self], liveSource: .notifications)
        try await repository.create(Box(id: 1, value: 5)).value()
        let runs = Counter()
        let found = try await repository.transaction { store in
            _ = try store.count(Film.self)
            if runs.add() == 1 { try place.run("BEGIN; TRUNCATE \"Box\"; INSERT INTO \"Box\" VALUES (1, 6); COMMIT") }
            let boxes = try store.fetch(Box<Int>.all)
            if isFailing { _ = try store.read(Box<Int>.self, id: 1) }
            try store.create(Film.numbered(runs.value))
            return boxes.map(\.value)
        }.value()
        #expect(found == [6] && runs.value == 2)
        #expect(try await repository.fetch(Film.all).value() == [Film.numbered(2)])
        await closed(repository)
    }

    @Test("A connection waits for a lock as long as the configuration says, and never forever")
    func lockTimeout() async throws {
        let limits: [(timeout: Duration, milliseconds: Int)] = [
            (.zero, 1), (.milliseconds(1_500), 1_500), (.seconds(10_000_000), Int(Int32.max)),
        ]
        let setting: SQL = "SELECT setting::bigint FROM pg_settings WHERE name = 'lock_timeout'"
        for (timeout, milliseconds) in limits {
            var configuration = RepositoryConfiguration()
            configuration.lockTimeout = timeout
            let place = try StorePlace(.postgres)
            let repository = try place.open([Film.self], liveSource: .notifications, configuration: configuration)
            #expect(try await repository.rows(setting, as: Int.self).value() == [milliseconds])
            let written = try await repository.transaction { try $0.rows(setting, as: Int.self) }.value()
            #expect(written == [milliseconds])
            await closed(repository)
        }
    }

    @Test("Readers have the lock timeout, cannot write, and learn of schema changes; there is one writer")
    func connections() throws {
        let declaration = try StoreDeclaration([Film.self], [], dropping: [], whenNew: nil, in: PostgresTypes())
        var configuration = RepositoryConfiguration()
        configuration.lockTimeout = .seconds(77)
        let engine = try PostgresStore(
            TestServer.shared.get().store(), declaration, liveSource: .notifications, rules: .all,
            silence: SilenceLimits(), configuration: configuration)
        let made = try [engine.makeReader(), engine.makeReader()]
        #expect(made[0].outcomeTimeout == .seconds(77))
        #expect(try made[0].rows("SELECT current_setting('default_transaction_read_only')") == [[.text("on")]])
        #expect(!made[1].takeRecompilation())
        #expect(made[0].schemaChanges?.add() == 1)
        #expect(made[1].takeRecompilation())
        #expect(!made[1].takeRecompilation())
        let writer = engine.makeWriter(now: { Date() })
        #expect(writer != nil)
        #expect(engine.makeWriter(now: { Date() }) == nil)
        writer?.close()
        for reader in made { reader.close() }
        engine.source.close()
    }
}

private struct Numbered: Entity, Equatable {
    let id: Int
    var name: String
    static let schema = Schema(
        Column("id", \Numbered.id, .generated), Column("name", \.name, .unique), make: Numbered.init)
}
