import CSQLite

extension Connection {
    func begin(_ kind: TransactionKind) throws(RepositoryError) {
        if !attachments.isEmpty { try renewAttachments() }
        try runCached(kind.isReading ? "BEGIN DEFERRED" : "BEGIN IMMEDIATE")
    }

    func commit() throws(RepositoryError) {
        do {
            try uncancelled { () throws(RepositoryError) in try runCached("COMMIT") }
            schemaWatch.commit()
        } catch {
            let error = isInTransaction ? naming(error) : error
            if isInTransaction { try? rollback() }
            if case .io(let diagnosis) = error { throw .commitOutcomeUnknown(diagnosis) }
            throw error
        }
    }

    func rollback() throws(RepositoryError) {
        // A later schema change may get the version of a change that is undone now, or that SQLite has already undone.
        // So nothing that was read under that version is kept.
        failureNames = FailureNames()
        schemaWatch.rollback()
        guard isInTransaction else { return }
        try uncancelled { () throws(RepositoryError) in try runCached("ROLLBACK") }
    }

    /// Runs `body` so that all its reading statements see the same commits.
    func withinOneState<Output>(_ body: () throws(RepositoryError) -> Output) throws(RepositoryError) -> Output {
        guard !isInTransaction else { return try body() }
        try begin(.read)
        do throws(RepositoryError) {
            let output = try body()
            try rollback()
            return output
        } catch {
            try? rollback()
            throw error
        }
    }

    func savepoint(_ step: SavepointStep, depth: Int) throws(RepositoryError) {
        switch step {
        case .begin:
            try runCached("SAVEPOINT level\(depth)")
        case .release:
            try uncancelled { () throws(RepositoryError) in try runCached("RELEASE level\(depth)") }
        case .rollback:
            guard isInTransaction else { return }
            failureNames = FailureNames()
            schemaWatch.rollback()
            try uncancelled { () throws(RepositoryError) in
                try runCached("ROLLBACK TO level\(depth)")
                try runCached("RELEASE level\(depth)")
            }
        }
        hooks?.savepoint(step)
    }

    /// Runs `work` without a savepoint, because in SQLite a failed statement undoes only its own changes.
    func attempt<Output>(_ work: () throws(RepositoryError) -> Output) throws(RepositoryError) -> Output {
        try work()
    }

    /// Defers the check of foreign keys to the end of the transaction.
    ///
    /// After this, SQLite recompiles every prepared statement at its next use, and the library then checks whether the
    /// schema has changed. To avoid these checks, the caller discards all prepared statements.
    func deferReferences() throws(RepositoryError) {
        try execute("PRAGMA defer_foreign_keys = ON")
    }

    /// Whether a deferred foreign key is violated now.
    var hasBrokenReferences: Bool {
        var (now, most): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &now, &most, 0)
        return now != 0
    }

    /// Returns a number that changes when another connection commits to a database, or empties its log by a checkpoint.
    ///
    /// The database is the store or an attached file. The number also changes for connections of other processes, but
    /// never for commits through this connection.
    func dataVersion(of database: String = "main") throws(RepositoryError) -> Int64 {
        let statement = try cached("PRAGMA \(Identifier.quoted(database)).data_version")
        defer { statement.reset() }
        guard try statement.step(), case .integer(let version) = try statement.value(at: 0) else { return 0 }
        return version
    }

    private func runCached(_ sql: String) throws(RepositoryError) {
        let statement = try cached(sql)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// Runs `body` without cancellation, because a transaction must end even if its work was cancelled.
    private func uncancelled(_ body: () throws(RepositoryError) -> Void) throws(RepositoryError) {
        try withCancellation(nil, body)
    }
}
