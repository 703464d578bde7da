import CPostgres
import SignalRepository

extension PostgresConnection {
    func begin(_ kind: TransactionKind) throws(RepositoryError) {
        (savepointDepth, statementKind, exceedsStatement) = (0, nil, false)
        switch kind {
        case .read: try run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        case .write: try run("BEGIN ISOLATION LEVEL SERIALIZABLE")
        case .readingStatement, .writingStatement: (statementKind, statementCount) = (kind, 0)
        }
    }

    /// Begins a transaction in which each statement sees what others have committed before it.
    func beginOpening() throws(RepositoryError) {
        try run("BEGIN ISOLATION LEVEL READ COMMITTED")
        savepointDepth = 0
    }

    func commit() throws(RepositoryError) {
        // One statement was committed when it was executed.
        guard statementKind == nil else { return }
        do {
            try withCancellation(nil) { () throws(RepositoryError) in
                // In an aborted transaction it is a rollback that reports no failure.
                guard !isAborted else { throw aborted }
                try run("COMMIT")
            }
        } catch {
            let isLost = !isOpen
            try? rollback()
            guard isLost else { throw error }
            throw outcomeUnknown
        }
    }

    var outcomeUnknown: RepositoryError {
        .commitOutcomeUnknown(
            Diagnosis(engine: Self.engine, code: "08006", message: "the connection was lost during COMMIT"))
    }

    func rollback() throws(RepositoryError) {
        guard isInTransaction else { return }
        try withCancellation(nil) { () throws(RepositoryError) in try run("ROLLBACK") }
    }

    var isInTransaction: Bool {
        guard let handle else { return false }
        return [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(handle))
    }

    private var isAborted: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_INERROR } ?? false }

    private var aborted: RepositoryError {
        .unexpected(
            Diagnosis(engine: Self.engine, code: "25P02", message: "the transaction was aborted by an earlier failure"))
    }

    /// Whether the server has not hung up.
    var isOpen: Bool { handle.map { PQstatus($0) == CONNECTION_OK } ?? false }

    func savepoint(_ step: SavepointStep, depth: Int) throws(RepositoryError) {
        switch step {
        case .begin:
            // What was to be one statement is more.
            if statementKind == .writingStatement, statementCount == 0 { try begin(.write) }
            try run("SAVEPOINT level\(depth)")
        case .release:
            try withCancellation(nil) { () throws(RepositoryError) in try run("RELEASE SAVEPOINT level\(depth)") }
        case .rollback:
            guard isInTransaction else { return }
            try withCancellation(nil) { () throws(RepositoryError) in
                try run("ROLLBACK TO SAVEPOINT level\(depth); RELEASE SAVEPOINT level\(depth)")
            }
        }
    }

    /// After a failure PostgreSQL takes nothing but a rollback, so that work a body can survive has a savepoint.
    func attempt<Output>(_ work: () throws(RepositoryError) -> Output) throws(RepositoryError) -> Output {
        guard isInTransaction, !isAborted else { return try work() }
        savepointDepth += 1
        let name = "attempt\(savepointDepth)"
        defer { savepointDepth -= 1 }
        try run("SAVEPOINT \(name)")
        do throws(RepositoryError) {
            let output = try work()
            try run("RELEASE SAVEPOINT \(name)")
            return output
        } catch {
            if isOpen {
                try withCancellation(nil) { () throws(RepositoryError) in
                    try run("ROLLBACK TO SAVEPOINT \(name); RELEASE SAVEPOINT \(name)")
                }
            }
            throw error
        }
    }
}
