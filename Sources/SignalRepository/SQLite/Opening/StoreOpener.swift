/// Opens files: inspects before it writes, acquires the right to write, and migrates what can be inferred.
struct StoreOpener {
    private let entities: [any Entity.Type]
    let declared: [TableShape]
    private let ledger: MigrationLedger
    private let dropping: Set<DroppedColumn>
    /// What a new store begins with.
    private let beginning: Migration?
    let options: ConnectionOptions

    init(
        _ entities: [any Entity.Type], _ migrations: [Migration], dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, _ options: ConnectionOptions
    ) throws(RepositoryError) {
        try Connection.checkLibrary()
        let shapes = try TableShape.tables(of: entities)
        self.entities = entities
        declared = shapes
        self.dropping = Set(dropping)
        beginning = whenNew.map { Migration("whenNew", $0) }
        for column in dropping {
            let table = shapes.first { $0.name == column.entity }
            guard table?.columns.contains(where: { $0.name == column.name }) != true else {
                throw .misuse(detail: "\(column.entity).\(column.name) is declared, and is to be dropped")
            }
        }
        ledger = try MigrationLedger(migrations)
        self.options = options
    }

    /// Opens a store in memory.
    func openMemory() throws(RepositoryError) -> Connection {
        let connection = try Connection(path: ":memory:", options: options.with(.writer))
        try allowSearch(connection)
        try migrate(connection)
        return connection
    }

    /// Opens a file for writing; the right to write to it is already held.
    func openWriting(_ path: DatabasePath) throws(RepositoryError) -> Connection {
        let isNew = path.content == .nothing
        if isNew { try path.create() }
        do throws(RepositoryError) {
            let connection = try Connection(path: path.path, options: options.with(.writer))
            guard connection.isWritable else {
                throw .readOnly(detail: "the file \(path.path) cannot be written")
            }
            _ = try work(connection)
            try connection.becomeWriter()
            try allowSearch(connection)
            try migrate(connection)
            return connection
        } catch {
            if isNew { path.remove() }
            throw error
        }
    }

    /// The file is known to be ours by then.
    private func allowSearch(_ connection: Connection) throws(RepositoryError) {
        // A change of another entity may cascade to one that is searched and not declared here.
        if declared.allSatisfy({ $0.search.parts.isEmpty }), try !SearchShape.isThere(in: connection) { return }
        try connection.allowSearchTriggers()
    }

    /// Inspects a file through a connection that cannot write, so that a rejected file stays as it is, with nothing
    /// beside it.
    func inspect(_ path: DatabasePath, _ access: StoreAccess) throws(RepositoryError) {
        guard path.content == .file else { return }
        let isUnused = !path.hasSidecar && Connection.isInLogMode(path.path)
        do {
            try look(path, access, isUnused: isUnused)
        } catch {
            // Somebody started using the file meanwhile, and what was read may be half of a change.
            if isUnused, path.hasSidecar { return try look(path, access, isUnused: false) }
            switch (error, access) {
            // An interrupted transaction must be undone first, which only the writer can do; it inspects the file
            // again.
            case (.readOnly, .readWrite), (.cannotOpen, .readWrite): return
            default: throw error
            }
        }
    }

    private func look(_ path: DatabasePath, _ access: StoreAccess, isUnused: Bool) throws(RepositoryError) {
        let role = ConnectionOptions.Role.inspector(isUnused: isUnused)
        let connection = try Connection(path: path.path, options: options.with(role))
        let work = try work(connection)
        guard access == .readOnly else { return try checkDropped(work.plan, connection) }
        if let migration = work.migrations.first {
            throw .schemaMismatch(
                detail: "the migration \"\(migration.name)\" was not run; open the file for writing once to run it")
        }
        try work.plan?.checkReadable()
    }

    /// What has to be done to a file.
    private struct Work {
        let isNew: Bool
        /// The migrations that the file has not seen.
        let migrations: [Migration]
        /// What is inferred; `nil` while migrations still have to determine the tables.
        let plan: SchemaPlan?

        var isEmpty: Bool { !isNew && migrations.isEmpty && plan?.steps.isEmpty != false }
    }

    /// Determines what has to be done to a file, or throws why nothing can be.
    private func work(_ connection: Connection) throws(RepositoryError) -> Work {
        let file = try fileShape(connection)
        try SchemaPlan.checkOrigin(file)
        try OwnTables.check(file)
        let pending = try ledger.pending(file, connection)
        let plan = pending.isEmpty || file.isEmpty ? try SchemaPlan(declared: declared, file: file) : nil
        return Work(isNew: file.isEmpty, migrations: pending, plan: plan)
    }

    /// Throws when a column that is not empty would be dropped, unless the program said so.
    private func checkDropped(_ plan: SchemaPlan?, _ connection: Connection) throws(RepositoryError) {
        for column in plan?.steps.compactMap(\.dropped) ?? [] where !dropping.contains(column) {
            let (name, table) = (Identifier.quoted(column.name), Identifier.quoted(column.entity))
            let count = try connection.integer("SELECT count(\(name)) FROM \(table)")
            guard count == 0 else {
                throw .schemaMismatch(
                    detail: "\(column.entity).\(column.name) is no longer declared, and dropping it would delete "
                        + "\(count) values: rename it in a migration, or allow that with "
                        + "dropping: [.column(\"\(column.name)\", of: \(column.entity).self)]")
            }
        }
    }

    /// What the file holds, as far as it matters: the shapes of the declared tables, and the names of everything.
    private func fileShape(_ connection: Connection) throws(RepositoryError) -> FileShape {
        try FileShape(connection, tables: declared.map(\.name) + [OwnTables.migrations, OwnTables.identity])
    }

    /// Makes the tables match the entities, in one transaction or not at all.
    private func migrate(_ connection: Connection) throws(RepositoryError) {
        let work = try work(connection)
        guard !work.isEmpty else { return try checkTriggers(connection) }
        // A step that replaces a table drops the old one, which would delete every row that refers to it.
        let isFree = work.plan == nil
        if isFree { try connection.enforceReferences(false) }
        try connection.begin(.write)
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
        // The rest is inferred from the tables as the migrations left them.
        let plan =
            if let plan = work.plan { plan } else { try SchemaPlan(declared: declared, file: fileShape(connection)) }
        try checkDropped(plan, connection)
        // Where it is not allowed, the file goes on without saying what its columns mean.
        _ = try connection.redeclare(plan.steps.filter { $0.kind == .describe }.map { ($0.subject, $0.sql) })
        for step in plan.steps where step.kind != .describe { try run(step, on: connection) }
        try ledger.record(work.migrations, on: connection)
        if work.isNew { try beginning?.run(on: connection) }
        try checkTriggers(connection)
    }

    /// Throws when an entity cannot be written because of a trigger: every write would fail, from the first to the
    /// last.
    private func checkTriggers(_ connection: Connection) throws(RepositoryError) {
        guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") > 0 else { return }
        for entity in entities {
            for sql in try Self.statements(of: entity) {
                do {
                    _ = try connection.prepare(sql)
                } catch .misuse(let detail) {
                    throw .schemaMismatch(
                        detail: "\(entity.entityName) cannot be written, because a trigger cannot run: \(detail)")
                }
            }
        }
    }

    private static func statements<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [String] {
        var statements: [String] = []
        for kind in FixedStatement.allCases { statements.append(try SQLiteDialect().fixed(kind, of: entity).text) }
        return statements
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
        if let column = step.relaxed { return try column.relax(on: connection) }
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
