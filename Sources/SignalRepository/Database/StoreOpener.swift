import CSQLite

/// Opens files: looks before it writes, takes the right to write, and migrates what can be inferred.
struct StoreOpener {
    let declared: [TableShape]
    let options: ConnectionOptions

    init(_ entities: [any Entity.Type], _ options: ConnectionOptions) throws(RepositoryError) {
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
            _ = try SchemaPlan(declared: declared, file: try FileShape(connection))
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
        let plan = try SchemaPlan(declared: declared, file: try FileShape(connection))
        if access == .readOnly { try plan.checkReadable() }
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

    /// Makes the tables those of the entities, in one transaction or not at all.
    private func migrate(_ connection: Connection) throws(RepositoryError) {
        guard try needsWork(connection) else { return }
        try connection.beginWrite()
        do {
            // Again, now that nobody else can write.
            let plan = try SchemaPlan(declared: declared, file: try FileShape(connection))
            if plan.isNew {
                try connection.execute("PRAGMA application_id = \(FileShape.applicationID)")
                try connection.execute("PRAGMA user_version = \(FileShape.version)")
            }
            for step in plan.steps { try run(step, on: connection) }
            try connection.commit()
        } catch {
            try? connection.rollback()
            throw error
        }
        connection.forgetStatements()
    }

    private func needsWork(_ connection: Connection) throws(RepositoryError) -> Bool {
        let plan = try SchemaPlan(declared: declared, file: try FileShape(connection))
        return plan.isNew || !plan.steps.isEmpty
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
