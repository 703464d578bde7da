@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// A source of commits with given answers, which notes each call.
///
/// Safe because a test uses it, and the connection that asks it, on one thread.
final class NotedSource: PostgresSource, @unchecked Sendable {
    struct Notes {
        /// The transactions that were asked for.
        var asked: [Int64] = []
        /// The numbers of the connections on which transactions have begun.
        var begun: [Int32] = []
        var recorded: [DirtyTables] = []
        var committed: [DirtyTables] = []
        var prepared = 0
        var looks = 0
        var catchUps = 0
    }

    let tellsAuthors: Bool
    let view: Int?
    private(set) var notes = Notes()
    /// What is answered to one question after the other; nothing after the last.
    private var outcomes: [TransactionOutcome?]

    init(view: Int? = nil, outcomes: [TransactionOutcome?] = [], tellsAuthors: Bool = false) {
        (self.view, self.outcomes, self.tellsAuthors) = (view, outcomes, tellsAuthors)
    }

    var refusal: RepositoryError? { nil }

    func beginSnapshot(
        _ connection: any StoreConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] { [] }

    func catchUp() { notes.catchUps += 1 }

    func expect(_ tables: Set<String>) {}

    func prepare(_ connection: PostgresConnection, _ log: CommitLog) { notes.prepared += 1 }

    func begins(on connection: PostgresConnection) { notes.begun.append(connection.number) }

    func record(
        _ author: String?, captureVersion: Int, in log: CommitLog,
        _ commit: () throws(RepositoryError) -> DirtyTables
    ) throws(RepositoryError) {
        let tables = try commit()
        notes.recorded.append(tables)
    }

    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog) {
        notes.committed.append(tables)
    }

    func look(_ connection: PostgresConnection, _ log: CommitLog) { notes.looks += 1 }

    func outcome(of number: Int64, view: Int) -> TransactionOutcome? {
        notes.asked.append(number)
        return outcomes.isEmpty ? nil : outcomes.removeFirst()
    }
}
