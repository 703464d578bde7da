import Foundation
import RepositoryCore

/// The store's writer: it runs write transactions on one connection, and has `source` record their commits.
final class PostgresWriter: StoreWriter, @unchecked Sendable {
    // Safe because only the writer's queue accesses the properties below, which `WriterQueue` asserts.
    let session: Session
    private let connection: PostgresConnection
    private let source: any PostgresSource
    private let lockTimeout: Duration
    /// Whether the current attempt moved the key sequence past the existing keys, because a generated key was taken.
    private var hasAdvancedKeys = false
    /// The key past which the sequence was last moved.
    ///
    /// If the greatest key is the same again, moving the sequence did not help, so the transaction is not repeated.
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

    /// Runs a transaction.
    ///
    /// Repeats it after a conflict with another connection until the lock timeout has passed, and after another program
    /// has taken a generated key.
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
                // Taken keys need no deadline: the key sequence has moved past them, so the repetitions end.
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
        // Outside a transaction, executing a statement commits it. So `record` wraps the execution.
        connection.committing = { [source] (written, execute) throws(RepositoryError) in
            try source.record(transaction.author, captureVersion: captureVersion, in: log) {
                () throws(RepositoryError) in try execute() > 0 ? .some(written) : .none
            }
        }
        defer { (connection.committing, connection.author) = (nil, nil) }
        do throws(RepositoryError) {
            try connection.withCancellation(transaction.cancellation) { () throws(RepositoryError) in
                // Sending the author takes a second statement, and so requires a transaction.
                try connection.begin(author == nil ? transaction.kind : .write)
                source.begins(on: connection)
                try transaction.run { try body(transaction) }
                // If items of a batch failed because their keys were taken, the transaction is repeated.
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
            // If a table was rewritten, throws a conflict instead: such a table looks empty in an older snapshot.
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

    /// Moves the key sequence past the existing keys if another program has taken a generated key.
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
