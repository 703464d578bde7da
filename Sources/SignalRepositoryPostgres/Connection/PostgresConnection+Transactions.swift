import CPostgres
import Foundation
import RepositoryCore

extension PostgresConnection {
    func begin(_ kind: TransactionKind) throws(RepositoryError) {
        try resetTransaction()
        switch kind {
        case .read: try runRetrying("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        case .write: try runRetrying("BEGIN ISOLATION LEVEL SERIALIZABLE")
        case .readingStatement, .writingStatement: (statementKind, statementCount) = (kind, 0)
        }
    }

    private func resetTransaction() throws(RepositoryError) {
        (savepointDepth, statementKind, needsReread, locked) = (0, nil, false, nil)
        (touched, hasCalled) = ([], false)
        isChangingSchema = false
        try revive()
    }

    /// Begins a read-only transaction whose statements all see the same snapshot.
    ///
    /// It locks `tables` before it takes its snapshot, and any other table in `possible` before it reads that table. If
    /// another transaction truncated a table between the snapshot and the lock, the table would seem empty.
    func begin(locking tables: Set<String>, of possible: Set<String>) throws(RepositoryError) {
        try resetTransaction()
        let lock = tables.isEmpty ? "" : "; LOCK TABLE \(Identifier.list(tables.sorted())) IN ACCESS SHARE MODE"
        try runRetrying("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" + lock)
        locked = (tables, possible)
    }

    /// Calls `begin(locking:of:)`; if the server refuses a lock, begins without locks instead, and returns false.
    ///
    /// The server refuses a lock if the table was dropped, or the role may not read it.
    func begin(ofExisting possible: Set<String>, locking tables: Set<String>) throws(RepositoryError) -> Bool {
        do throws(RepositoryError) {
            try begin(locking: tables.intersection(possible), of: possible)
            return true
        } catch {
            // Only a query that reads the refused table should fail, not the whole transaction.
            guard error.refusesTable else { throw error }
        }
        try rollback()
        try begin(.read)
        return false
    }

    /// Takes the snapshot of a transaction, with the transaction's first query.
    ///
    /// During the call, the commit log blocks commits by this program. Otherwise, the log could record a commit as
    /// older than the snapshot, although the snapshot does not show it.
    func takeSnapshot() throws(RepositoryError) { try run("SELECT 1") }

    /// Locks tables that are about to be read; throws if one was rewritten after the snapshot.
    func lock(_ tables: Set<String>) throws(RepositoryError) {
        guard let locked, !tables.isSubset(of: locked.tables) else { return }
        let names = tables.subtracting(locked.tables).intersection(locked.possible).sorted()
        self.locked?.tables.formUnion(tables)
        guard !names.isEmpty else { return }
        do throws(RepositoryError) {
            try attempt { () throws(RepositoryError) in
                try run("LOCK TABLE \(Identifier.list(names)) IN ACCESS SHARE MODE")
            }
        } catch {
            // If the role may not read a table, the statement that reads it fails by itself.
            guard error.refusesTable else { throw error }
            return
        }
        if try wereRewritten(Set(names)) { throw tableRewritten }
    }

    /// Whether another transaction has truncated or rewritten one of the locked tables since the snapshot.
    ///
    /// The table then has a different file than the snapshot shows, and would seem empty.
    private func wereRewritten(_ tables: Set<String>) throws(RepositoryError) -> Bool {
        guard !tables.isEmpty else { return false }
        let changed = try rows(
            "SELECT 1 FROM pg_class WHERE relname = ANY(CAST(? AS text[])) AND relnamespace = \(SchemaShape.namespace) "
                + "AND relkind = 'r' AND pg_relation_filenode(oid) IS DISTINCT FROM relfilenode",
            [array(tables.sorted())])
        return !changed.isEmpty
    }

    private var tableRewritten: RepositoryError {
        .busy(
            Diagnosis(engine: Self.engine, code: "40001", message: "a table was rewritten while it was being read"))
    }

    /// Sets `needsReread` if one of the transaction's tables was rewritten since the snapshot.
    func checkForReread() throws(RepositoryError) {
        // If the transaction locks its tables, `lock(_:)` makes this check.
        guard statementKind == nil, locked == nil, isInTransaction, !isAborted, !isChangingSchema else { return }
        if try wereRewritten(touched) { needsReread = true }
    }

    /// Throws if the transaction must be repeated because a table that it has read was rewritten.
    func checkTables() throws(RepositoryError) {
        try checkForReread()
        if needsReread { throw tableRewritten }
    }

    /// Runs the first statement of a transaction; if the connection is lost, repeats it on a new one.
    private func runRetrying(_ sql: String) throws(RepositoryError) {
        do throws(RepositoryError) {
            try run(sql)
        } catch {
            guard !isOpen else { throw error }
            try reconnect()
            try run(sql)
        }
    }

    /// Begins a transaction in which each statement sees all earlier commits.
    func beginOpening() throws(RepositoryError) {
        try run("BEGIN ISOLATION LEVEL READ COMMITTED")
        savepointDepth = 0
    }

    func commit() throws(RepositoryError) {
        // Without a transaction, the single statement was committed when it was executed.
        guard statementKind == nil else { return }
        let epoch = commitStatusSource?.epoch
        var (number, isSent): (SQLValue?, Bool) = (nil, false)
        do throws(RepositoryError) {
            try withCancellation(nil) { () throws(RepositoryError) in
                // In an aborted transaction, COMMIT would roll back and report no failure.
                guard !isAborted else { throw aborted }
                try sendCommit(&number, &isSent)
            }
        } catch {
            let isLost = !isOpen
            try? rollback()
            guard isLost, isSent else { throw error }
            switch number {
            case .integer(let number)?: try settle(number, epoch: epoch, error)
            // The transaction wrote nothing, so the lost connection is the only failure.
            case .some: throw error
            case nil: throw outcomeUnknown
            }
        }
        // Makes other connections forget the statements that they prepared for the old tables and views.
        if isChangingSchema, let schemaChanges { knownSchemaChanges = schemaChanges.add() }
    }

    /// Queries the transaction's number, which is NULL if the transaction wrote nothing, and commits.
    ///
    /// Both are sent together, and the server answers the query before it begins to commit. Afterwards, `isSent` is
    /// false only if the server certainly does not commit, for example because a statement before the COMMIT failed.
    private func sendCommit(_ number: inout SQLValue?, _ isSent: inout Bool) throws(RepositoryError) {
        let query = try prepared("SELECT pg_current_xact_id_if_assigned()::text::bigint", parameterCount: 0)
        let handle = try open()
        guard PQenterPipelineMode(handle) == 1 else { throw lost("COMMIT") }
        defer { PQexitPipelineMode(handle) }
        let sendsAuthor = author != nil
        if let author, !send(author, handle) { throw lost("COMMIT") }
        isSent = true
        guard PQsendQueryPrepared(handle, query.name, 0, nil, nil, nil, 1) == 1, PQsendFlushRequest(handle) == 1,
            PQsendQueryParams(handle, "COMMIT", 0, nil, nil, nil, nil, 1) == 1, PQpipelineSync(handle) == 1
        else { throw lost("COMMIT") }
        var error: RepositoryError?
        for step in (sendsAuthor ? [CommitStep.author] : []) + [.number, .commit] {
            guard let result = nextResult(handle) else { throw error ?? lost("COMMIT") }
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK where step == .number:
                number = .null
                if PQgetisnull(result, 0, 0) == 0, let value = PQgetvalue(result, 0, 0) {
                    number = .integer(UnsafeRawPointer(value).loadUnaligned(as: Int64.self).bigEndian)
                }
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_ABORTED: break
            default:
                error = error ?? failure(result, step == .commit ? "COMMIT" : query.sql)
                // After a failure, the server skips the rest of a pipeline, so it does not commit. If the connection is
                // lost, the failure has no code, or a code of class 08, which a pooler sends.
                let code = PQresultErrorField(result, CPOSTGRES_SQLSTATE).map { String(cString: $0) }
                if step != .commit, let code, !code.hasPrefix("08") { isSent = false }
            }
            // Skip to the end of the statement's results.
            while let more = nextResult(handle) { PQclear(more) }
        }
        // The answer to the sync message that ends the pipeline.
        PQclear(nextResult(handle))
        if let error { throw error }
        guard isOpen else { throw lost("COMMIT") }
    }

    /// Sends the transaction's author as a logical message, which the replication stream reports.
    private func send(_ author: String, _ handle: OpaquePointer) -> Bool {
        let text = "SELECT pg_logical_emit_message(true, '\(Self.authorPrefix)', $1::bytea)"
        return author.utf8CString.withUnsafeBufferPointer { bytes in
            // Safe because the bytes are sent, or copied, in the call.
            PQsendQueryParams(handle, text, 1, [17], [bytes.baseAddress], [Int32(bytes.count - 1)], [1], 1) == 1
        }
    }

    private enum CommitStep { case author, number, commit }

    /// Finds out whether a transaction was committed, after its connection was lost during COMMIT.
    ///
    /// It tries until the lock timeout. If the server has crashed, it may have given the number to a later transaction.
    /// A connection that was open before the COMMIT rules out a crash, so the status "committed" counts only if such a
    /// connection returns it. The status "aborted" always counts.
    private func settle(_ number: Int64, epoch: Int?, _ error: RepositoryError) throws(RepositoryError) {
        let clock = ContinuousClock()
        let deadline = clock.now + outcomeTimeout
        var pause: Int32 = 10
        repeat {
            if let epoch, let outcome = commitStatusSource?.outcome(of: number, epoch: epoch) {
                if outcome == .committed { return }
                if outcome == .aborted { throw error }
            } else if let connection = try? PostgresConnection(parameters) {
                let outcome = connection.outcome(of: number)
                connection.close()
                if outcome == .committed { throw outcomeUnknown }
                if outcome == .aborted { throw error }
            }
            // The server may not have noticed that the connection is lost, or may not have restarted yet.
            _ = poll(nil, 0, pause)
            pause = min(2 * pause, 200)
        } while clock.now < deadline
        throw outcomeUnknown
    }

    /// Returns the server's status of a transaction; `nil` if the server cannot be queried.
    func outcome(of number: Int64) -> TransactionOutcome? {
        do throws(RepositoryError) {
            // A standby may not have replayed the commit yet, so its answer does not count.
            let rows = try rows(
                "SELECT pg_xact_status(?::bigint::text::xid8) WHERE NOT pg_is_in_recovery()", [.integer(number)])
            guard case .text(let word)? = rows.first?.first else { return .unknown }
            return TransactionOutcome(rawValue: word) ?? .unknown
        } catch {
            // The server has not assigned this number yet, so it has lost the transaction in a crash.
            if case .misuse = error { return .aborted }
            return nil
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

    var isOpen: Bool { handle.map { PQstatus($0) == CONNECTION_OK } ?? false }

    func savepoint(_ step: SavepointStep, depth: Int) throws(RepositoryError) {
        switch step {
        case .begin:
            // Work with a savepoint has more than one statement, so it needs a transaction.
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

    /// Calls `work` in a savepoint, because PostgreSQL accepts nothing but a rollback after a failed statement.
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

extension RepositoryError {
    /// Whether a lock was refused because the table does not exist, or the role may not read it.
    fileprivate var refusesTable: Bool {
        switch self {
        case .misuse, .cannotOpen: true
        default: false
        }
    }
}

/// The status of a transaction, in the words that `pg_xact_status` returns.
enum TransactionOutcome: String {
    case committed, aborted
    case inProgress = "in progress"
    /// The server no longer knows the transaction.
    case unknown
}
