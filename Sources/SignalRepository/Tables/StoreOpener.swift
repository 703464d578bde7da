/// The opener of files: it inspects a file before it writes, and makes the file's tables match the entities.
struct StoreOpener {
    private let entities: [any Entity.Type]
    private let declaration: StoreDeclaration
    private let history: StoreHistory
    private let options: ConnectionOptions

    init(
        _ entities: [any Entity.Type], _ migrations: [Migration], dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, history: StoreHistory = .none,
        _ options: ConnectionOptions
    ) throws(RepositoryError) {
        self.history = history
        try Connection.checkLibrary()
        try options.key?.check()
        declaration = try StoreDeclaration(
            entities, migrations, dropping: dropping, whenNew: whenNew, in: SQLiteTypes())
        (self.entities, self.options) = (entities, options)
    }

    /// The SQL dialect of the store's connections.
    ///
    /// It knows the views, because their rows have no rowid.
    var dialect: SQLiteDialect {
        SQLiteDialect(
            views: Set(declaration.tables.filter { $0.view != nil }.map(\.name)), own: options.customNames)
    }

    func openMemory() throws(RepositoryError) -> Connection {
        let connection = try Connection(path: ":memory:", options: options.with(.writer))
        connection.sqliteDialect = dialect
        try migrate(connection)
        return connection
    }

    /// Opens a file for writing; the caller must hold the right to write to it.
    func openWriting(_ path: DatabasePath) throws(RepositoryError) -> Connection {
        let isNew = path.content == .nothing
        if isNew { try path.create() }
        do throws(RepositoryError) {
            let connection = try Connection(path: path.path, options: options.with(.writer))
            connection.sqliteDialect = dialect
            guard connection.isWritable else {
                throw .readOnly(detail: "the file \(path.path) cannot be written")
            }
            _ = try work(on: connection)
            try connection.becomeWriter()
            try migrate(connection)
            return connection
        } catch {
            if isNew { path.remove() }
            throw error
        }
    }

    /// Determines the changes that the tables need, in one read transaction, because another program may be creating
    /// the tables.
    private func work(on connection: Connection) throws(RepositoryError) -> StoreWork {
        try connection.withinOneState { () throws(RepositoryError) in
            try declaration.work(SQLiteTables(connection))
        }
    }

    /// Inspects a file through a connection that cannot write, so that a rejected file stays unchanged and gets no log.
    func inspect(_ path: DatabasePath, _ access: StoreAccess) throws(RepositoryError) {
        guard path.content == .file else { return }
        do {
            try Self.withSnapshot(of: path, options) { connection throws(RepositoryError) in
                let tables = SQLiteTables(connection)
                if access != .readWrite { return try declaration.checkReadable(tables) }
                try declaration.checkDropped(try declaration.work(tables), tables)
            }
        } catch {
            switch (error, access) {
            // An interrupted transaction must be rolled back first. Only the writer can do that, and the writer
            // inspects the file again.
            case (.readOnly, .readWrite), (.cannotOpen, .readWrite): return
            default: throw error
            }
        }
    }

    /// Runs `body` with one state of a file, through a connection that leaves no log beside the file.
    static func withSnapshot<Output>(
        of path: DatabasePath, _ options: ConnectionOptions,
        _ body: (Connection) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        let isUnused = !path.hasSidecar && Connection.isInLogMode(path.path)
        func read(isUnused: Bool) throws(RepositoryError) -> Output {
            let role = ConnectionOptions.Role.inspector(isUnused: isUnused)
            let connection = try Connection(path: path.path, options: options.with(role))
            return try connection.withinOneState { () throws(RepositoryError) in try body(connection) }
        }
        let change = FileChange(path.path)
        do {
            return try read(isUnused: isUnused)
        } catch {
            // If another program used the file concurrently, the failed read may have seen half of a change.
            guard isUnused, path.hasSidecar || FileChange(path.path) != change else { throw error }
            return try read(isUnused: false)
        }
    }

    /// Makes the tables match the entities, in a single transaction.
    private func migrate(_ connection: Connection) throws(RepositoryError) {
        let entities = entities
        connection.checkWriting = { [unowned connection] () throws(RepositoryError) in
            try Self.checkTriggers(connection, entities)
        }
        let tables = SQLiteTables(connection)
        let work = try work(on: connection)
        let historyTable = HistoryTable(connection)
        let needsHistory = try historyTable.needsWork(for: history)
        guard !work.isEmpty || needsHistory else {
            return try Self.checkTriggers(connection, entities)
        }
        // A migration that replaces a table drops the old table. If SQLite enforced foreign keys, it would then apply
        // their delete rules to every row that refers to the table.
        let isFree = work.hasSteps
        if isFree { try connection.enforceReferences(false) }
        try connection.begin(.write)
        do {
            if !work.isEmpty { try declaration.perform(on: tables) }
            try historyTable.settle(history, isNew: work.isNew, isChanged: !work.isEmpty, now: options.now())
            try Self.checkTriggers(connection, entities)
            if isFree { try checkReferences(connection) }
            try connection.commit()
        } catch {
            try? connection.rollback()
            throw error
        }
        if isFree { try connection.enforceReferences(true) }
        connection.forgetStatements()
    }

    /// Throws if the schema makes every write of an entity fail, for example by a trigger that does not compile.
    static func checkWriting(_ connection: Connection, _ entities: [any Entity.Type]) throws(RepositoryError) {
        for entity in entities {
            for sql in try Self.statements(of: entity) {
                do {
                    _ = try connection.prepare(sql)
                } catch .misuse(let detail) {
                    throw .schemaMismatch(detail: "\(entity.entityName) cannot be written: \(detail)")
                }
            }
        }
    }

    private static func checkTriggers(
        _ connection: Connection, _ entities: [any Entity.Type]
    ) throws(RepositoryError) {
        guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") > 0 else { return }
        try checkWriting(connection, entities)
    }

    private static func statements<Item: Entity>(of entity: Item.Type) throws(RepositoryError) -> [String] {
        var statements: [String] = []
        // An upsert needs no check, because it runs only the triggers of an insert and an update.
        let kinds: [FixedStatement] = Item.schema.isView ? [.read] : [.read, .insert, .update, .delete]
        for kind in kinds { statements.append(try SQLiteDialect().fixed(kind, of: entity).text) }
        return statements
    }

    private func checkReferences(_ connection: Connection) throws(RepositoryError) {
        guard let first = try connection.brokenReferences().first else { return }
        throw .schemaMismatch(
            detail:
                "after the migrations \(first.rows) of \(first.table) would refer to rows of \(first.target) that do "
                + "not exist")
    }
}
