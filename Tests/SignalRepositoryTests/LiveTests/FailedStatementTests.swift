import CSQLite
import Foundation
import Signals
import SignalsTesting
import Testing

@testable import RepositoryCore
@testable import SignalRepository

/// Statements that fail in a transaction that goes on, or that SQLite has ended without notice.
@Suite("Statements that fail halfway", .timeLimit(.minutes(10))) struct FailedStatementTests {
    struct Org: Entity, Equatable {
        let id: Int
        var name: String
        static let schema = Schema(Column("id", \Org.id), Column("name", \.name), make: Org.init)
    }

    struct Staff: Entity, Equatable {
        let id: Int
        var org: Int?
        var score: Int
        static let schema = Schema(
            Column("id", \Staff.id), Column("org", \.org, .references(Org.self, onDelete: .nullify)),
            Column("score", \.score), make: Staff.init)
    }

    @Test(
        "V5 R14 Rows that a failed statement leaves changed are noticed, even if SQLite does not count them",
        arguments: StoreKind.local)
    func uncounted(kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let repository = try SQLiteRepository(
            kind == .memory ? .inMemory : .file(folder.file()), entities: Org.self, Staff.self,
            whenNew: { store in
                try store.execute(
                    """
                    CREATE TRIGGER refused AFTER UPDATE ON Staff WHEN new.score = 40 \
                    BEGIN SELECT RAISE(FAIL, 'no'); END
                    """)
            })
        try await repository.create(Org(id: 1, name: "a")).value()
        try await repository.create(Staff(id: 1, org: 1, score: 40)).value()
        let orgs = repository.countSubscription(Org.self).record()
        let staff = repository.fetchSubscription(Staff.all.sorted(by: \.id)).record()
        let changes = repository.changes().record()
        #expect(await orgs.values(1) == [1])
        #expect(await staff.values(1).count == 1)
        try await repository.transaction { store in
            #expect(throws: RepositoryError.self) { try store.execute("INSERT OR REPLACE INTO Org VALUES (1, 'b')") }
        }.value()
        #expect(try await repository.count(Org.self).value() == 0)
        #expect(await orgs.values(2) == [1, 0])
        #expect(await staff.values(2).last == [Staff(id: 1, org: nil, score: 40)])
        #expect(try await changes.values(1).first?.deleted(of: Org.self) == [Org(id: 1, name: "a")])
        await closed(repository)
    }

    @Test("R14 A transaction that SQLite ended after a failed read accepts no more writes")
    func endedByRead() async throws {
        let disk = try FaultyDisk()
        let repository = try SQLiteRepository(.file(disk.file), entities: Film.self)
        try await repository.insert(
            (0..<2_000).map { Film.numbered($0, title: String(repeating: "x", count: 3_000)) }
        ).value()
        let isEnded = Lock(false)
        await expectFailure({ if case .io = $0 { true } else { false } }) {
            try await repository.transaction { store in
                try store.update(Film.numbered(0, title: "changed"))
                disk.fail(.read, count: .max, code: SQLITE_IOERR | (1 << 8))
                _ = try? store.fetch(Film.where { $0.title == "none" })
                disk.recover()
                isEnded.withLock { $0 = !store.session.connection.isInTransaction }
                _ = try? store.create(Film.numbered(5_000, title: "after"))
            }.value()
        }
        #expect(isEnded.withLock { $0 })
        #expect(try await repository.count(Film.self).value() == 2_000)
        #expect(try await repository.count(Film.self) { $0.title == "changed" }.value() == 0)
        await closed(repository)
    }
}
