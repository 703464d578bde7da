import CSQLite

extension Connection {
    /// Begins a transaction that reads one unchanging state.
    func beginRead() throws(RepositoryError) {
        try runCached("BEGIN DEFERRED")
    }

    /// Begins a transaction that writes; the lock is taken now, so that it cannot fail halfway.
    func beginWrite() throws(RepositoryError) {
        try runCached("BEGIN IMMEDIATE")
    }

    /// Commits.
    ///
    /// A failure after which the state on disk is unknown is `.commitOutcomeUnknown`. After any failure no transaction
    /// is open any more.
    func commit() throws(RepositoryError) {
        do {
            try uncancelled { () throws(RepositoryError) in try runCached("COMMIT") }
        } catch {
            let error = isInTransaction ? naming(error) : error
            if isInTransaction { try? rollback() }
            if case .io(let diagnosis) = error { throw .commitOutcomeUnknown(diagnosis) }
            throw error
        }
    }

    /// Rolls back, if a transaction is open: SQLite ends one by itself after some failures.
    func rollback() throws(RepositoryError) {
        guard isInTransaction else { return }
        // A later schema change may get the number of one that is undone here.
        failureNames = FailureNames()
        try uncancelled { () throws(RepositoryError) in try runCached("ROLLBACK") }
    }

    /// Begins a transaction inside the transaction.
    func beginSavepoint(depth: Int) throws(RepositoryError) {
        try runCached("SAVEPOINT level\(depth)")
        hooks?.savepointBegan()
    }

    /// Keeps what was done since the savepoint.
    func releaseSavepoint(depth: Int) throws(RepositoryError) {
        try uncancelled { () throws(RepositoryError) in try runCached("RELEASE level\(depth)") }
        hooks?.savepointReleased()
    }

    /// Undoes what was done since the savepoint, and ends it.
    func rollbackSavepoint(depth: Int) throws(RepositoryError) {
        guard isInTransaction else { return }
        failureNames = FailureNames()
        try uncancelled { () throws(RepositoryError) in
            try runCached("ROLLBACK TO level\(depth)")
            try runCached("RELEASE level\(depth)")
        }
        hooks?.savepointRolledBack()
    }

    /// A number that changes when another connection, in any process, has committed.
    func dataVersion() throws(RepositoryError) -> Int64 {
        let statement = try cached("PRAGMA data_version")
        defer { statement.reset() }
        guard try statement.step(), case .integer(let version) = try statement.value(at: 0) else { return 0 }
        return version
    }

    /// A number that changes when the store does, whoever commits; a change by others shows once this connection reads.
    var version: UInt32 {
        var version: UInt32 = 0
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    private func runCached(_ sql: String) throws(RepositoryError) {
        let statement = try cached(sql)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// Ending a transaction is never cancelled: the flag of the work that it ends may be set.
    private func uncancelled(_ body: () throws(RepositoryError) -> Void) throws(RepositoryError) {
        try withCancellation(nil, body)
    }
}
