import RepositoryCore

/// The procedure that opens a schema: it inspects the schema before it writes, and migrates the tables under a lock.
struct SchemaOpener {
    private let declaration: StoreDeclaration
    private let configuration: RepositoryConfiguration
    private let source: LiveSource
    /// The key of the advisory lock that a transaction takes before it changes tables, and holds to its end.
    ///
    /// The key depends on the schema's name, because all schemas of a database share its advisory locks.
    private static let lock = "hashtextextended(current_schema(), 7308332048012931938)"

    init(_ declaration: StoreDeclaration, _ configuration: RepositoryConfiguration, reportedBy source: LiveSource) {
        (self.declaration, self.configuration, self.source) = (declaration, configuration, source)
    }

    private func tables(_ connection: PostgresConnection) -> PostgresTables {
        PostgresTables(
            connection, names: declaration.tables.map(\.name), reportedBy: source, now: configuration.now)
    }

    /// Throws if a read-only repository cannot use the tables as they are.
    func inspect(_ connection: PostgresConnection) throws(RepositoryError) {
        try connection.begin(.read)
        defer { try? connection.rollback() }
        let tables = tables(connection)
        try declaration.checkReadable(tables)
        try readViews(connection)
        guard source == .replication, let table = tables.unreported.min() else { return }
        throw .schemaMismatch(
            detail:
                "the table \(table) is not in the publication \(connection.publication): open the store for writing "
                + "once, or use liveSource: .notifications")
    }

    /// Makes the tables match the declaration.
    func open(_ connection: PostgresConnection) throws(RepositoryError) {
        guard try isOutdated(connection) else { return }
        let tables = try begin(connection)
        do throws(RepositoryError) {
            try declaration.perform(on: tables)
            // Creates the foreign keys that the steps for a new store (`whenNew`) have left pending.
            try tables.tablesMade()
            // Migration steps may have inserted explicit keys, so the sequences move past these keys.
            for table in declaration.tables where table.view == nil {
                try connection.advanceKeys(of: table.name)
            }
            try readViews(connection)
            try connection.commit()
        } catch {
            try? connection.rollback()
            throw error
        }
    }

    /// Records the tables that the declared views read.
    private func readViews(_ connection: PostgresConnection) throws(RepositoryError) {
        guard declaration.tables.contains(where: { $0.view != nil }) else { return }
        connection.viewTables = try connection.tablesOfViews()
    }

    /// Whether the tables must be changed.
    ///
    /// Throws if the declaration does not allow the change. This check comes before `begin`, because other programs
    /// have to wait for the locks that `begin` takes.
    private func isOutdated(_ connection: PostgresConnection) throws(RepositoryError) -> Bool {
        try connection.begin(.read)
        defer { try? connection.rollback() }
        let tables = tables(connection)
        let work = try declaration.work(tables)
        try declaration.checkDropped(work, tables)
        guard work.isEmpty, tables.unreported.isEmpty else { return true }
        try readViews(connection)
        return false
    }

    /// Begins a transaction that holds the advisory lock and, if migration steps will run, a lock on every table whose
    /// changes are reported.
    private func begin(_ connection: PostgresConnection) throws(RepositoryError) -> PostgresTables {
        let timeout = max(configuration.lockTimeout, configuration.ownershipTimeout)
        let deadline = ContinuousClock.now + timeout
        while true {
            do throws(RepositoryError) {
                return try attempt(connection, max(1, min(timeout.milliseconds, Int(Int32.max))))
            } catch {
                try? connection.rollback()
                // No step has run yet. So if the server aborted the transaction to end a deadlock, the loop begins it
                // again.
                guard error.isConflict, ContinuousClock.now < deadline else { throw error }
            }
        }
    }

    private func attempt(
        _ connection: PostgresConnection, _ milliseconds: Int
    ) throws(RepositoryError) -> PostgresTables {
        // READ COMMITTED, because the snapshot of a serializable transaction would be older than the lock.
        try connection.beginOpening()
        try connection.run("SET LOCAL lock_timeout TO \(milliseconds)")
        try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
        let tables = tables(connection)
        if try declaration.work(tables).hasSteps { try tables.beginSteps() }
        return tables
    }
}
