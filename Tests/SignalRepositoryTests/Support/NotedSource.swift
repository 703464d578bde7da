@testable import RepositoryCore
@testable import SignalRepository
@testable import SignalRepositoryPostgres

/// A source of commits with given answers, which notes each call.
///
/// Safe because a test uses it and its connection on one thread.
final class NotedSource: PostgresSource, @unchecked Sendable {
    struct Notes {
        /// The transactions whose outcome was requested.
        var requested: [Int64] = []
        /// The numbers of the connections on which transactions have begun.
        var begun: [Int32] = []
        var recorded: [DirtyTables] = []
        var committed: [DirtyTables] = []
        /// Every call but the requests for an outcome, in order, as `record Ann Film`.
        var calls: [String] = []
    }

    let reportsAuthors: Bool
    let epoch: Int?
    private(set) var notes = Notes()
    /// The outcomes to return, one for each request; `nil` after the last.
    private var outcomes: [TransactionOutcome?]

    init(epoch: Int? = nil, outcomes: [TransactionOutcome?] = [], reportsAuthors: Bool = false) {
        (self.epoch, self.outcomes, self.reportsAuthors) = (epoch, outcomes, reportsAuthors)
    }

    var refusal: RepositoryError? { nil }

    func beginSnapshot(
        _ connection: PostgresConnection, after number: Int
    ) throws(RepositoryError) -> [UnnumberedCommit] { [] }

    func note(_ call: String) { notes.calls.append(call) }

    /// The calls since this was last called.
    func takeCalls() -> [String] {
        defer { notes.calls = [] }
        return notes.calls
    }

    private func note(_ call: String, on connection: PostgresConnection) {
        note(connection.isInTransaction ? "\(call) within" : call)
    }

    private func names(_ tables: DirtyTables) -> String {
        guard case .some(let names) = tables else { return "all" }
        return names.sorted().joined(separator: " ")
    }

    func catchUp() { note("catch up") }

    func expect(_ tables: Set<String>) {}

    func prepare(_ connection: PostgresConnection, _ log: CommitLog) { note("prepare", on: connection) }

    func begins(on connection: PostgresConnection) {
        notes.begun.append(connection.number)
        note("begins", on: connection)
    }

    func record(
        _ author: String?, captureVersion: Int, in log: CommitLog,
        _ commit: () throws(RepositoryError) -> DirtyTables
    ) throws(RepositoryError) {
        let tables = try commit()
        notes.recorded.append(tables)
        note("record \(author ?? "nobody") \(names(tables))")
    }

    func committed(on connection: PostgresConnection, _ tables: DirtyTables, in log: CommitLog) {
        notes.committed.append(tables)
        note("committed \(names(tables))")
    }

    func poll(_ connection: PostgresConnection, _ log: CommitLog) { note("look") }

    func outcome(of number: Int64, epoch: Int) -> TransactionOutcome? {
        notes.requested.append(number)
        return outcomes.isEmpty ? nil : outcomes.removeFirst()
    }
}
