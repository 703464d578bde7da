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

    /// Checks a file and opens it to be read.
    func openReading(_ path: DatabasePath) throws(RepositoryError) -> Connection {
        let connection = try Connection(path: path.path, options: options.with(.reader))
        try SchemaPlan(declared: declared, file: try FileShape(connection)).checkReadable()
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
    func inspect(_ path: DatabasePath) throws(RepositoryError) {
        guard path.content == .file else { return }
        do {
            let connection = try Connection(path: path.path, options: options.with(.inspector(hasLog: path.hasLog)))
            _ = try SchemaPlan(declared: declared, file: try FileShape(connection))
        } catch {
            switch error {
            // A transaction that was cut off must be undone first, which only the writer can; it looks again.
            case .readOnly, .cannotOpen: return
            default: throw error
            }
        }
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
