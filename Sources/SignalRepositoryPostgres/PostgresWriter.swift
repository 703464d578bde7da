import Foundation
import SignalRepository

/// The connection that writes, and hears which tables its own triggers and cascades have changed.
final class PostgresWriter: StoreWriter, @unchecked Sendable {
    // Safe because only the writer's queue touches the following.
    let session: Session
    private let connection: PostgresConnection
    private let listener: PostgresListener
    private let lockTimeout: Duration

    init(
        _ connection: PostgresConnection, _ listener: PostgresListener, lockTimeout: Duration,
        now: @escaping @Sendable () -> Date
    ) {
        (self.connection, self.listener, self.lockTimeout) = (connection, listener, lockTimeout)
        session = Session(connection, now: now)
        connection.witness = listener
        listener.leaveOut(connection.number)
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
                listener.leaveOut(connection.number)
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

    /// Others are heard by the listener; what comes here too is read, so that the server need not keep it.
    func look(_ log: CommitLog) {
        hear(log, known: .none)
        // Of a connection that is gone, another may get the number.
        if !connection.isAlive() { listener.leaveOut(0) }
        listener.look()
    }

    /// Records the tables of which was heard that our own commits have changed.
    private func hear(_ log: CommitLog, known: DirtyTables) {
        let number = connection.number
        let tables = connection.notifiedTables { $0 == number }.filter { !known.contains($0) }
        if !tables.isEmpty { log.commitElsewhere(tables) }
        // After a commit whose connection was lost, nothing comes any more.
        if number == 0, !known.isEmpty { log.commitElsewhere() }
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
