import Foundation
import Signals
import Testing

@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// The calls of the writer to the source of commits, and their order.
@Suite("R14 The writer and the source of commits", .timeLimit(.minutes(10))) struct WriterSourceTests {
    @Test("Each transaction is prepared, noted when it has begun, recorded with its author, and concluded")
    func order() async throws {
        let store = try TestServer.shared.get().store()
        await closed(try PostgresRepository(store, entities: Film.self, liveSource: .notifications))
        for tellsAuthors in [true, false] {
            let source = NotingSource(tellsAuthors)
            let connection = try PostgresConnection(store)
            let writer = PostgresWriter(connection, source, lockTimeout: .zero, now: { Date() })
            #expect(source.take() == ["begins"])
            let isWitness = connection.witness === source
            #expect(isWitness)
            let log = CommitLog()
            func perform(_ kind: TransactionKind, _ body: (WriteTransaction) throws -> Void) -> [String]? {
                let transaction = WriteTransaction(writer.session, CancellationFlag(), author: "Ann", as: kind)
                let result = writer.perform(transaction, log: log) { store in
                    source.note("body")
                    try body(store)
                }
                guard case .success = result else { return nil }
                return source.take()
            }
            let number = tellsAuthors ? 1 : 10
            let whole = perform(.write) { try $0.create(Film.numbered(number)) }
            #expect(whole == ["prepare", "begins within", "body", "record Ann Film", "committed Film"])
            let isLeft = connection.author == nil && connection.committing == nil
            #expect(isLeft)
            // A single statement has no place for its author.
            let single = perform(.writingStatement) { try $0.create(Film.numbered(number + 1)) }
            let begins = tellsAuthors ? "begins within" : "begins"
            #expect(single == ["prepare", begins, "body", "record Ann Film", "committed Film"])
            let reading = perform(.write) { _ = try $0.count(Film.self) }
            #expect(reading == ["prepare", "begins within", "body", "record Ann ", "committed "])
            // A failed transaction is not recorded, and leaves nothing.
            let failing = perform(.write) { store in
                try store.create(Film.numbered(number + 2))
                throw RepositoryError.closed
            }
            #expect(failing == nil && !connection.isInTransaction)
            #expect(source.take() == ["prepare", "begins within", "body"])
            let films = try connection.rows("SELECT count(*) FROM \"Film\"")
            #expect(films == [[.integer(tellsAuthors ? 2 : 4)]])
            writer.look(log)
            writer.catchUp()
            #expect(source.take() == ["look", "catch up"])
            writer.close()
        }
    }
}

/// Notes each call.
private final class NotingSource: PostgresSource {
    let tellsAuthors: Bool
    private let notes = Lock([String]())

    init(_ tellsAuthors: Bool) { self.tellsAuthors = tellsAuthors }

    func note(_ text: String) { notes.withLock { $0.append(text) } }

    func take() -> [String] {
        notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }

    private func names(_ tables: DirtyTables) -> String {
        guard case .some(let names) = tables else { return "all" }
        return names.sorted().joined(separator: " ")
    }

    var refusal: RepositoryError? { nil }

    func beginSnapshot(
        _ connection: any StoreConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] { [] }

    func expect(_ tables: Set<String>) {}

    func prepare(_ connection: PostgresConnection, _ log: CommitLog) {
        note(connection.isInTransaction ? "prepare within" : "prepare")
    }

    func begins(on connection: PostgresConnection) { note(connection.isInTransaction ? "begins within" : "begins") }

    func record(
        _ author: String?, captureVersion: Int, in log: CommitLog,
        _ commit: () throws(RepositoryError) -> DirtyTables
    ) throws(RepositoryError) {
        let tables = try commit()
        note("record \(author ?? "nobody") \(names(tables))")
    }

    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog) {
        note("committed \(names(tables))")
    }

    func look(_ connection: PostgresConnection, _ log: CommitLog) { note("look") }

    func catchUp() { note("catch up") }

    var view: Int? { nil }

    func outcome(of number: Int64, view: Int) -> TransactionOutcome? { nil }
}
