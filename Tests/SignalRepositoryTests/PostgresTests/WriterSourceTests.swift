import Foundation
import Signals
import Testing

@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The calls of the writer to the source of commits, and their order.
@Suite("R14 The writer and the source of commits", .timeLimit(.minutes(10))) struct WriterSourceTests {
    @Test("Each transaction is prepared, noted when it has begun, recorded with its author, and concluded")
    func order() async throws {
        let store = try TestServer.shared.get().store()
        await closed(try PostgresRepository(store, entities: Film.self, liveSource: .notifications))
        for reportsAuthors in [true, false] {
            let source = NotedSource(reportsAuthors: reportsAuthors)
            let connection = try PostgresConnection(store)
            let writer = PostgresWriter(connection, source, lockTimeout: .zero, now: { Date() })
            #expect(source.takeCalls() == ["begins"])
            let isWitness = connection.commitStatusSource === source
            #expect(isWitness)
            let log = CommitLog()
            func perform(_ kind: TransactionKind, _ body: (WriteTransaction) throws -> Void) -> [String]? {
                let transaction = WriteTransaction(writer.session, CancellationFlag(), author: "Ann", as: kind)
                let result = writer.perform(transaction, log: log) { store in
                    source.note("body")
                    try body(store)
                }
                guard case .success = result else { return nil }
                return source.takeCalls()
            }
            let number = reportsAuthors ? 1 : 10
            let whole = perform(.write) { try $0.create(Film.numbered(number)) }
            #expect(whole == ["prepare", "begins within", "body", "record Ann Film", "committed Film"])
            let isLeft = connection.author == nil && connection.committing == nil
            #expect(isLeft)
            // A single statement has no place for its author.
            let single = perform(.writingStatement) { try $0.create(Film.numbered(number + 1)) }
            let begins = reportsAuthors ? "begins within" : "begins"
            #expect(single == ["prepare", begins, "body", "record Ann Film", "committed Film"])
            let reading = perform(.write) { _ = try $0.count(Film.self) }
            #expect(reading == ["prepare", "begins within", "body", "record Ann ", "committed "])
            // A failed transaction is not recorded, and leaves nothing.
            let failing = perform(.write) { store in
                try store.create(Film.numbered(number + 2))
                throw RepositoryError.closed
            }
            #expect(failing == nil && !connection.isInTransaction)
            #expect(source.takeCalls() == ["prepare", "begins within", "body"])
            let films = try connection.rows("SELECT count(*) FROM \"Film\"")
            #expect(films == [[.integer(reportsAuthors ? 2 : 4)]])
            writer.poll(log)
            writer.catchUp()
            #expect(source.takeCalls() == ["look", "catch up"])
            writer.close()
        }
    }
}
