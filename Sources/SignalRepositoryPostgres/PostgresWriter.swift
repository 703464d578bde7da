import Foundation
import SignalRepository

/// The connection that writes, and hears which tables others have changed.
final class PostgresWriter: StoreWriter, @unchecked Sendable {
    // Safe because only the writer's queue touches the following.
    let session: Session
    private let connection: PostgresConnection
    private let lockTimeout: Duration

    init(_ connection: PostgresConnection, lockTimeout: Duration, now: @escaping @Sendable () -> Date) {
        (self.connection, self.lockTimeout) = (connection, lockTimeout)
        session = Session(connection, now: now)
    }

    /// A transaction that conflicts with one of another connection is run again, for as long as it may wait for a lock.
    func perform<Output>(
        _ transaction: WriteTransaction, log: CommitLog, keep: (Result<Output, any Error>) -> Void,
        _ body: (WriteTransaction) throws -> Output
    ) -> Result<Output, RepositoryError> {
        let clock = ContinuousClock()
        let deadline = clock.now + lockTimeout
        var transaction = transaction
        while true {
            do throws(RepositoryError) {
                return .success(try attempt(transaction, log, keep, body))
            } catch {
                guard error.isConflict, clock.now < deadline, transaction.cancellation.reason == nil else {
                    return .failure(transaction.cancellation.reason ?? error)
                }
            }
            transaction = WriteTransaction(
                session, transaction.cancellation, author: transaction.author, as: transaction.kind)
        }
    }

    private func attempt<Output>(
        _ transaction: WriteTransaction, _ log: CommitLog, _ keep: (Result<Output, any Error>) -> Void,
        _ body: (WriteTransaction) throws -> Output
    ) throws(RepositoryError) -> Output {
        let captureVersion = log.capture.version
        // One statement is committed as it is executed.
        connection.committing = { (written, execute) throws(RepositoryError) in
            try log.commit(.unclear, author: transaction.author, captureVersion: captureVersion) {
                () throws(RepositoryError) in try execute() > 0 ? .some(written) : .none
            }
        }
        defer { connection.committing = nil }
        do throws(RepositoryError) {
            let output = try connection.withCancellation(transaction.cancellation) { () throws(RepositoryError) in
                try connection.begin(transaction.kind)
                return try transaction.conclude(outcome(of: body, with: transaction, keep: keep)).get()
            }
            if connection.statementKind == nil {
                try log.commit(
                    transaction.changed, .unclear, author: transaction.author, captureVersion: captureVersion
                ) { () throws(RepositoryError) in try connection.commit() }
            }
            // What triggers and cascades have changed is known by now.
            hear(log, known: transaction.changed)
            transaction.committed()
            return output
        } catch {
            try? connection.rollback()
            if case .commitOutcomeUnknown = error { log.commitElsewhere() }
            throw error
        }
    }

    func look(_ log: CommitLog) { hear(log, known: .none) }

    /// Records the tables of which was heard that they have changed.
    private func hear(_ log: CommitLog, known: DirtyTables) {
        let tables = connection.notifiedTables().filter { !known.contains($0) }
        if !tables.isEmpty { log.commitElsewhere(tables) }
    }

    var isUpkeepDue: Bool { false }

    func keepUp() {}

    func announceClose() {}

    func close() { session.close() }
}

extension RepositoryError {
    /// Whether the transaction would have had another outcome a moment later, by PostgreSQL's own judgement.
    var isConflict: Bool {
        guard case .busy(let diagnosis) = self else { return false }
        return diagnosis.code == "40001" || diagnosis.code == "40P01"
    }
}
