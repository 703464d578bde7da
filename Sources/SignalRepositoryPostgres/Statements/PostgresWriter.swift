import Foundation
import RepositoryCore

/// The connection that writes; the commit source records its commits.
final class PostgresWriter: StoreWriter, @unchecked Sendable {
    // Safe because only the writer's queue touches the following, which `WriterQueue` asserts.
    let session: Session
    private let connection: PostgresConnection
    private let source: any PostgresSource
    private let lockTimeout: Duration
    /// Whether generated keys were taken, and the sequence was moved past the existing ones.
    private var hasAdvancedKeys = false
    /// The key past which the sequence was last moved; moving it there again would change nothing.
    private var greatestKey: Int64?

    init(
        _ connection: PostgresConnection, _ source: any PostgresSource, lockTimeout: Duration,
        now: @escaping @Sendable () -> Date
    ) {
        (self.connection, self.source, self.lockTimeout) = (connection, source, lockTimeout)
        session = Session(connection, now: now)
        connection.commitStatusSource = source
        source.begins(on: connection)
    }

    /// Runs a transaction, and repeats it after a conflict with another connection, within the lock timeout.
    func perform(
        _ transaction: WriteTransaction, log: CommitLog, _ body: (WriteTransaction) throws -> Void
    ) -> Result<Void, RepositoryError> {
        let clock = ContinuousClock()
        let deadline = clock.now + lockTimeout
        var transaction = transaction
        greatestKey = nil
        while true {
            hasAdvancedKeys = false
            connection.takenKey = nil
            do throws(RepositoryError) {
                return .success(try attempt(transaction, log, body))
            } catch {
                try? advanceKeys()
                // Each repetition moves the sequence past the taken keys, so this ends by itself.
                let isRepeated = hasAdvancedKeys || error.isConflict && clock.now < deadline
                guard isRepeated, transaction.cancellation.reason == nil else {
                    return .failure(transaction.cancellation.reason ?? error)
                }
                _ = session.forgetOutdatedStatements()
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
        let author = source.reportsAuthors ? transaction.author : nil
        // A single statement is committed as it is executed.
        connection.committing = { [source] (written, execute) throws(RepositoryError) in
            try source.record(transaction.author, captureVersion: captureVersion, in: log) {
                () throws(RepositoryError) in try execute() > 0 ? .some(written) : .none
            }
        }
        defer { (connection.committing, connection.author) = (nil, nil) }
        do throws(RepositoryError) {
            try connection.withCancellation(transaction.cancellation) { () throws(RepositoryError) in
                // The author is sent by another statement, so a transaction is needed.
                try connection.begin(author == nil ? transaction.kind : .write)
                source.begins(on: connection)
                try transaction.run { try body(transaction) }
                // Items that failed individually are repeated with keys that are free.
                try advanceKeys()
                if hasAdvancedKeys { throw Self.keyTaken }
                try connection.checkTables()
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
            var error = error
            // It may have failed because a table that was rewritten seemed to be empty.
            do throws(RepositoryError) {
                try connection.checkTables()
            } catch let other {
                if other.isConflict { error = other }
            }
            try? connection.rollback()
            if case .commitOutcomeUnknown = error { log.recordExternalCommit() }
            throw error
        }
    }

    /// If a generated key was taken by another program, moves the sequence past the existing keys.
    private func advanceKeys() throws(RepositoryError) {
        guard let table = connection.takenKey else { return }
        connection.takenKey = nil
        if !connection.isInTransaction { connection.statementKind = nil }
        guard let greatest = try connection.advanceKeys(of: table), greatest != greatestKey else { return }
        (greatestKey, hasAdvancedKeys) = (greatest, true)
    }

    static var keyTaken: RepositoryError {
        .busy(
            Diagnosis(
                engine: PostgresConnection.engine, code: "40001", message: "another program has taken a key"))
    }

    func poll(_ log: CommitLog) { source.poll(connection, log) }

    func catchUp() { source.catchUp() }

    var isMaintenanceDue: Bool { false }

    func runMaintenance() {}

    func announceClose() {}

    func close() { session.close() }
}

extension RepositoryError {
    /// Whether PostgreSQL reports that the transaction might succeed if it is repeated.
    var isConflict: Bool {
        guard case .busy(let diagnosis) = self else { return false }
        return ["40001", "40P01", ServerFailure.outdated].contains(diagnosis.code)
    }
}
