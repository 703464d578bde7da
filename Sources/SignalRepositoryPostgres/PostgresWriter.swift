import Foundation
import SignalRepository

/// The connection that writes; the source has its commits recorded.
final class PostgresWriter: StoreWriter, @unchecked Sendable {
    // Safe because only the writer's queue touches the following, which `WriterQueue` asserts.
    let session: Session
    private let connection: PostgresConnection
    private let source: any PostgresSource
    private let lockTimeout: Duration

    init(
        _ connection: PostgresConnection, _ source: any PostgresSource, lockTimeout: Duration,
        now: @escaping @Sendable () -> Date
    ) {
        (self.connection, self.source, self.lockTimeout) = (connection, source, lockTimeout)
        session = Session(connection, now: now)
        connection.witness = source
        source.begins(on: connection)
    }

    /// A transaction that conflicts with one of another connection is run again, for as long as it may wait for a lock.
    func perform(
        _ transaction: WriteTransaction, log: CommitLog, _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError> {
        let clock = ContinuousClock()
        let deadline = clock.now + lockTimeout
        var transaction = transaction
        while true {
            do throws(RepositoryError) {
                return .success(try attempt(transaction, log, body))
            } catch {
                guard error.isConflict, clock.now < deadline, transaction.cancellation.reason == nil else {
                    return .failure(transaction.cancellation.reason ?? error)
                }
            }
            transaction = WriteTransaction(
                session, transaction.cancellation, author: transaction.author, as: transaction.kind)
        }
    }

    private func attempt(
        _ transaction: WriteTransaction, _ log: CommitLog, _ body: (WriteTransaction) throws -> Void
    ) throws(RepositoryError) {
        source.prepare(connection, log)
        let captureVersion = log.capture.version
        let author = source.tellsAuthors ? transaction.author : nil
        // One statement is committed as it is executed.
        connection.committing = { [source] (written, execute) throws(RepositoryError) in
            try source.record(transaction.author, captureVersion: captureVersion, in: log) {
                () throws(RepositoryError) in try execute() > 0 ? .some(written) : .none
            }
        }
        defer { (connection.committing, connection.author) = (nil, nil) }
        do throws(RepositoryError) {
            try connection.withCancellation(transaction.cancellation) { () throws(RepositoryError) in
                // The author is told by another statement.
                try connection.begin(author == nil ? transaction.kind : .write)
                source.begins(on: connection)
                try transaction.conclude(outcome(of: body, with: transaction)).get()
            }
            if connection.statementKind == nil {
                connection.author = transaction.changed.isEmpty ? nil : author
                try source.record(transaction.author, captureVersion: captureVersion, in: log) {
                    () throws(RepositoryError) in
                    try connection.commit()
                    return transaction.changed
                }
            }
            source.committed(on: connection, transaction.changed, in: log)
            transaction.committed()
        } catch {
            try? connection.rollback()
            if case .commitOutcomeUnknown = error { log.commitElsewhere() }
            throw error
        }
    }

    func look(_ log: CommitLog) { source.look(connection, log) }

    func catchUp() { source.catchUp() }

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
