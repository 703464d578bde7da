import Foundation
import SignalRepository
import SignalRepositoryPostgres
import Synchronization
import Testing

@Suite("Rows that a server sends one by one", .timeLimit(.minutes(10))) struct PostgresStatementTests {
    private static let count = 2_000

    private func withBoxes(_ body: (PostgresRepository, _ name: String) async throws -> Void) async throws {
        let name = "boxes\(UUID().uuidString)"
        let store = try TestServer.shared.get().store() + " application_name=\(name)"
        var configuration = RepositoryConfiguration()
        configuration.readers = 1
        let repository = try PostgresRepository(store, entities: Box<Watched>.self, configuration: configuration)
        try await repository.insert((1...Self.count).map { Box(id: $0, value: Watched(number: $0)) }).value()
        try await body(repository, name)
        await closed(repository)
    }

    @Test(
        "R12 An unreadable row among others fails the fetch, and the connection goes on", arguments: [1, 999])
    func undecodable(id: Int) async throws {
        try await withBoxes { repository, _ in
            try await repository.transaction { store in
                try store.execute(#"UPDATE "Box" SET "value" = -1 WHERE "id" = ?"#, id)
            }.value()
            try await repository.read { store in
                for _ in 0..<2 {
                    #expect {
                        try store.fetch(Box<Watched>.all)
                    } throws: { error in
                        guard case .decoding(_, let column, _, let item)? = error as? RepositoryError else {
                            return false
                        }
                        return column == "value" && item?.id == "\(id)"
                    }
                    let rest = try store.fetch(Box<Watched>.where { $0.id > id })
                    #expect(rest.map(\.id) == Array(id + 1..<Self.count + 1))
                }
            }.value()
        }
    }

    @Test("R12 A statement that fails between its rows throws, and the transaction goes on")
    func failing() async throws {
        try await withBoxes { repository, _ in
            try await repository.create(Box(id: .max, value: Watched(number: 1))).value()
            try await repository.transaction { store in
                #expect {
                    try store.fetch(Box<Watched>.where(\.id + 1 > 0))
                } throws: { ($0 as? RepositoryError)?.isOverflow == true }
                try store.create(Box(id: 0, value: Watched(number: 1)))
                #expect(try store.fetch(Box<Watched>.all).count == Self.count + 2)
            }.value()
            #expect(try await repository.count(Box<Watched>.self).value() == Self.count + 2)
        }
    }

    @Test("R12 A connection that is ended between rows fails the fetch, and the next fetch returns them all")
    func ended() async throws {
        try await withBoxes { repository, name in
            // More rows than can be in transit at a time.
            try await repository.transaction {
                try $0.execute(
                    #"""
                    INSERT INTO "Box" SELECT i, CASE i WHEN 100500 THEN 77777 ELSE 7 END
                    FROM generate_series(100000, 700000) i
                    """#
                )
            }.value()
            let server = try TestServer.shared.get()
            Watched.whenRead(77_777) {
                try? server.run(
                    """
                    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
                    WHERE application_name = '\(name)' AND state = 'active'
                    """, on: server.parameters)
            }
            await expectFailure(\.isIO) { try await repository.fetch(Box<Watched>.all).value() }
            #expect(try await repository.fetch(Box<Watched>.all).value().count == Self.count + 600_001)
        }
    }
}

/// A number that is not negative, and that notifies a test when it is read.
private struct Watched: ColumnValue, Equatable {
    let number: Int

    static let storageClass = StorageClass.integer
    private static let watched = Mutex<(number: Int, action: @Sendable () -> Void)?>(nil)

    static func whenRead(_ number: Int, _ action: @escaping @Sendable () -> Void) {
        watched.withLock { $0 = (number, action) }
    }

    static func read(from cell: ColumnCell) throws -> Watched {
        let number = try Int(cell.integer())
        guard number >= 0 else { throw ColumnFault.value("\(number) is negative") }
        let action = watched.withLock { watched in
            guard watched?.number == number else { return nil as (@Sendable () -> Void)? }
            defer { watched = nil }
            return watched?.action
        }
        action?()
        return Watched(number: number)
    }

    func write(to slot: ColumnSlot) throws { try slot.bind(integer: Int64(number)) }
}
