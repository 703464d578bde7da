import SignalRepository

/// Opens schemas: inspects before it writes, and migrates while nobody else does.
struct SchemaOpener {
    private let declaration: StoreDeclaration
    private let configuration: RepositoryConfiguration
    private let source: LiveSource
    /// The lock that who changes the tables of a schema holds to the end of the transaction; with the schema, it is one
    /// of the database.
    private static let lock = "hashtextextended(current_schema(), 7308332048012931938)"

    init(_ declaration: StoreDeclaration, _ configuration: RepositoryConfiguration, heardBy source: LiveSource) {
        (self.declaration, self.configuration, self.source) = (declaration, configuration, source)
    }

    private func tables(_ connection: PostgresConnection) -> PostgresTables {
        PostgresTables(
            connection, names: declaration.tables.map(\.name), heardBy: source, now: configuration.now)
    }

    /// Throws when the tables are not as they have to be for reading.
    func inspect(_ connection: PostgresConnection) throws(RepositoryError) {
        try connection.begin(.read)
        defer { try? connection.rollback() }
        let tables = tables(connection)
        try declaration.checkReadable(tables)
        guard source == .replication, let table = tables.unheard.min() else { return }
        throw .schemaMismatch(
            detail:
                "the table \(table) is not in the publication \(connection.publication): open the store for writing "
                + "once, or give liveSource: .notifications")
    }

    /// Makes the tables match what is declared.
    func open(_ connection: PostgresConnection) throws(RepositoryError) {
        guard try isOutdated(connection) else { return }
        let tables = try begin(connection)
        do throws(RepositoryError) {
            try declaration.perform(on: tables)
            // The references of tables that a new store begins with.
            try tables.tablesMade()
            // Steps may have given keys of their own.
            for table in declaration.tables where table.view == nil {
                try connection.advanceKeys(of: table.name)
            }
            try connection.commit()
        } catch {
            try? connection.rollback()
            throw error
        }
    }

    /// Whether there is something to do; throws when it cannot be done, before anybody has to wait for it.
    private func isOutdated(_ connection: PostgresConnection) throws(RepositoryError) -> Bool {
        try connection.begin(.read)
        defer { try? connection.rollback() }
        let tables = tables(connection)
        let work = try declaration.work(tables)
        try declaration.checkDropped(work, tables)
        return !work.isEmpty || !tables.unheard.isEmpty
    }

    /// Begins a transaction that nobody interferes with: it has the lock, and before steps run that of every table.
    private func begin(_ connection: PostgresConnection) throws(RepositoryError) -> PostgresTables {
        let patience = max(configuration.lockTimeout, configuration.ownershipTimeout)
        let deadline = ContinuousClock.now + patience
        while true {
            do throws(RepositoryError) {
                return try attempt(connection, max(1, min(patience.milliseconds, Int(Int32.max))))
            } catch {
                try? connection.rollback()
                // No step has run: one of two that waited for each other begins again.
                guard error.isConflict, ContinuousClock.now < deadline else { throw error }
            }
        }
    }

    private func attempt(
        _ connection: PostgresConnection, _ milliseconds: Int
    ) throws(RepositoryError) -> PostgresTables {
        // Not serializable: what it sees would be what was there before it had the lock.
        try connection.beginOpening()
        try connection.run("SET LOCAL lock_timeout TO \(milliseconds)")
        try connection.run("SELECT pg_advisory_xact_lock(\(Self.lock))")
        let tables = tables(connection)
        if try declaration.work(tables).hasSteps { try tables.beginSteps() }
        return tables
    }
}
