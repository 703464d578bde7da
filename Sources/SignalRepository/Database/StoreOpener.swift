import CSQLite

/// Opens files: looks before it writes, takes the right to write, and migrates what can be inferred.
struct StoreOpener {
    let declared: [TableShape]
    private let ledger: MigrationLedger
    let options: ConnectionOptions

    init(
        _ entities: [any Entity.Type], _ migrations: [Migration], _ options: ConnectionOptions
    ) throws(RepositoryError) {
        guard sqlite3_libversion_number() >= 3_037_000 else {
            throw .misuse(detail: "SQLite \(String(cString: sqlite3_libversion())) is too old; 3.37 is needed")
        }
        var shapes: [TableShape] = []
        for entity in entities {
            let shape = try TableShape(entity)
            guard !shapes.contains(where: { $0.name.lowercased() == shape.name.lowercased() }) else {
                throw .misuse(detail: "two entities have the name \(shape.name)")
            }
            shapes.append(shape)
        }
        declared = shapes
        ledger = try MigrationLedger(migrations)
        self.options = options
    }

    /// Opens a store in memory.
    func openMemory() throws(RepositoryError) -> Connection {
        let connection = try Connection(path: ":memory:", options: options.with(.writer))
        try migrate(connection)
        return connection
    }

    /// Opens a file to be written, whose right to write is held.
    func openWriting(_ path: DatabasePath) throws(RepositoryError) -> Connection {
        let isNew = path.content == .nothing
        if isNew { try path.create() }
        do throws(RepositoryError) {
            let connection = try Connection(path: path.path, options: options.with(.writer))
            guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
                throw .readOnly(detail: "the file \(path.path) cannot be written")
            }
            _ = try work(connection)
            try connection.becomeWriter()
            try migrate(connection)
            return connection
        } catch {
            if isNew { path.remove() }
            throw error
        }
    }

    /// Looks at a file through a connection that cannot write, so that a file which is refused stays as it is, with
    /// nothing beside it.
    func inspect(_ path: DatabasePath, _ access: StoreAccess) throws(RepositoryError) {
        guard path.content == .file else { return }
        let isUnused = !path.hasSidecar && Self.isInLogMode(path)
        do {
            try look(path, access, isUnused: isUnused)
        } catch {
            // Somebody began to use the file meanwhile, and what was read may be half of a change.
            if isUnused, path.hasSidecar { return try look(path, access, isUnused: false) }
            switch (error, access) {
            // A transaction that was cut off must be undone first, which only the writer can; it looks again.
            case (.readOnly, .readWrite), (.cannotOpen, .readWrite): return
            default: throw error
            }
        }
    }

    private func look(_ path: DatabasePath, _ access: StoreAccess, isUnused: Bool) throws(RepositoryError) {
        let role = ConnectionOptions.Role.inspector(isUnused: isUnused)
        let connection = try Connection(path: path.path, options: options.with(role))
        let work = try work(connection)
        guard access == .readOnly else { return }
        if let migration = work.migrations.first {
            throw .schemaMismatch(
                detail: "the migration \"\(migration.name)\" was not run; open the file for writing once to run it")
        }
        try work.plan?.checkReadable()
    }

    /// Whether the header says that the file is used with a log: SQLite would make one just to read it.
    ///
    /// The header is read through SQLite's own descriptor. Closing another one would release the locks that a
    /// connection of this process may hold.
    private static func isInLogMode(_ path: DatabasePath) -> Bool {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(path.path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            return false
        }
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let read = file.pointee.pMethods?.pointee.xRead
        else { return false }
        var version: UInt8 = 0
        return read(file, &version, 1, 18) == SQLITE_OK && version == 2
    }

    /// What has to be done to a file.
    private struct Work {
        let isNew: Bool
        /// The migrations that the file has not seen.
        let migrations: [Migration]
        /// What is inferred; `nil` while migrations have still to say what the tables are.
        let plan: SchemaPlan?

        var isEmpty: Bool { !isNew && migrations.isEmpty && plan?.steps.isEmpty != false }
    }

    /// Finds out what has to be done to a file, or throws why nothing can be.
    private func work(_ connection: Connection) throws(RepositoryError) -> Work {
        let file = try FileShape(connection)
        try SchemaPlan.checkOrigin(file)
        let pending = try ledger.pending(file, connection)
        let plan = pending.isEmpty || file.isEmpty ? try SchemaPlan(declared: declared, file: file) : nil
        return Work(isNew: file.isEmpty, migrations: pending, plan: plan)
    }

    /// Makes the tables those of the entities, in one transaction or not at all.
    private func migrate(_ connection: Connection) throws(RepositoryError) {
        let work = try work(connection)
        guard !work.isEmpty else { return }
        // A step that replaces a table drops the old one, which would delete every row that refers to it.
        let isFree = work.plan == nil
        if isFree { try connection.enforceReferences(false) }
        try connection.beginWrite()
        do {
            try perform(connection)
            if isFree { try checkReferences(connection) }
            try connection.commit()
        } catch {
            try? connection.rollback()
            throw error
        }
        if isFree { try connection.enforceReferences(true) }
        connection.forgetStatements()
    }

    private func perform(_ connection: Connection) throws(RepositoryError) {
        // Again, now that nobody else can write.
        let work = try work(connection)
        if work.isNew {
            try connection.execute("PRAGMA application_id = \(FileShape.applicationID)")
            try connection.execute("PRAGMA user_version = \(FileShape.version)")
        } else {
            for migration in work.migrations { try migration.run(on: connection) }
            connection.forgetStatements()
        }
        // What the migrations made of the tables is what the rest is inferred from.
        let plan =
            if let plan = work.plan { plan } else { try SchemaPlan(declared: declared, file: FileShape(connection)) }
        for step in plan.steps { try run(step, on: connection) }
        try ledger.record(work.migrations, on: connection)
    }

    private func checkReferences(_ connection: Connection) throws(RepositoryError) {
        let broken = try connection.rows(
            "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2")
        guard let first = broken.first, case .text(let table) = first[0], case .text(let target) = first[1],
            case .integer(let count) = first[2]
        else { return }
        throw .schemaMismatch(
            detail: "after the migrations \(count) of \(table) would refer to rows of \(target) that do not exist")
    }

    private func run(_ step: SchemaPlan.Step, on connection: Connection) throws(RepositoryError) {
        do {
            try connection.execute(step.sql, step.values)
        } catch {
            switch error {
            case .constraint, .misuse: throw .schemaMismatch(detail: "\(step.subject) cannot be migrated: \(error)")
            default: throw error
            }
        }
    }
}
