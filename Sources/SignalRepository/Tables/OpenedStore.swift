import Foundation

/// An open store, which has the connection that writes and makes the connections that read.
///
/// The engine closes the writing connection last, which releases the file.
final class OpenedStore: StoreEngine {
    private struct Writing {
        /// The connection that writes; `nil` if the store was opened read-only.
        var connection: Connection?
        var identity: FileIdentity?
        var reopen: (() throws(RepositoryError) -> Connection)?
    }

    let sqliteDialect: SQLiteDialect
    var dialect: any Dialect { sqliteDialect }
    private let writing: Lock<Writing>
    /// The connection that writes, for use on the writer's queue; `nil` if the store was opened read-only.
    var writer: Connection? { writing.withLock(\.connection) }
    /// The absolute path of the file, or `:memory:`.
    let path: String
    let options: ConnectionOptions
    private let history: StoreHistory
    /// Whether the library may create, lock and remove the store's files; false for another program's file.
    let isManaged: Bool
    private let access: StoreAccess
    /// Whether the file had a log or a journal when the store was opened for reading.
    private let hadLog: Bool
    private let attached: [AttachedStore]

    private var isInMemory: Bool { path == ":memory:" }

    var onlyConnection: Connection? { isInMemory ? writer : nil }

    /// Opens a store and makes its tables match the entities, or throws and leaves the store unchanged.
    init(
        _ location: StoreLocation, access: StoreAccess = .readWrite, entities: [any Entity.Type],
        migrations: [Migration] = [], dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, history: StoreHistory = .none,
        options: ConnectionOptions = ConnectionOptions()
    ) throws(RepositoryError) {
        (self.options, isManaged) = (options, true)
        (self.access, self.history) = (access, history)
        attached = try AttachedStore.all(options, to: location.path, entities)
        let opener = try StoreOpener(
            entities, migrations, dropping: dropping, whenNew: whenNew, history: history, options)
        sqliteDialect = opener.dialect.reading(attached)
        switch (location, access) {
        case (.inMemory, .readOnly), (.inMemory, .immutable):
            throw .misuse(detail: "a store in memory begins empty, and so cannot be opened read-only")
        case (.inMemory, .readWrite):
            path = ":memory:"
            hadLog = false
            writing = Lock(Writing(connection: try opener.openMemory()))
        case (.file(let name), .readOnly), (.file(let name), .immutable):
            let file = try DatabasePath(name, access: access)
            path = file.path
            try opener.inspect(file, access)
            if access == .readOnly { try Connection.checkLogFolder(file) }
            hadLog = file.hasSidecar
            // Only the file itself is identified, because other programs may create and remove its log at any time.
            writing = Lock(Writing(identity: FileIdentity(path, sidecars: [])))
        case (.file(let name), .readWrite):
            let file = try DatabasePath(name, access: .readWrite)
            let writer = try Self.openWriter(file, opener, options)
            hadLog = true
            path = writer.path
            let reopen = { () throws(RepositoryError) in
                let file = try DatabasePath(file.path, access: .readWrite)
                // If the file is missing, opening would create an empty one.
                guard file.content == .file else { throw .fileMoved(path: file.path) }
                return try Self.openWriter(file, opener, options)
            }
            writing = Lock(Writing(connection: writer, identity: writer.identity, reopen: reopen))
        }
        try checkAttached()
    }

    private static func openWriter(
        _ file: DatabasePath, _ opener: StoreOpener, _ options: ConnectionOptions
    ) throws(RepositoryError) -> Connection {
        try LogOwner.checkContent(of: file)
        try opener.inspect(file, .readWrite)
        let ownership = try FileOwnership(file, waiting: options.ownershipTimeout)
        // The path is checked again, because another process may have created the file during the wait.
        let present = try DatabasePath(file.path, access: .readWrite)
        try LogOwner.checkContent(of: present)
        if present.content == .nothing { ownership.recordNewStore() }
        let writer: Connection
        do throws(RepositoryError) {
            writer = try opener.openWriting(present)
        } catch {
            // `openWriting(_:)` has removed the unfinished files.
            if present.content == .nothing { ownership.record(nil) }
            throw error
        }
        writer.ownership = ownership
        writer.identity = FileIdentity(present.path, sidecars: ["-wal", "-shm", "-lock"])
        ownership.record(LogOwner(of: present.path))
        return writer
    }

    /// Opens another program's file without changing it.
    ///
    /// Other programs may write to the file at any time. So the library takes no lock that excludes them, and leaves
    /// the log to SQLite.
    init(
        adopting name: String, access: StoreAccess, entities: [any Entity.Type], options: ConnectionOptions
    ) throws(RepositoryError) {
        (self.options, isManaged, history) = (options, false, .none)
        self.access = access
        try Connection.checkLibrary()
        try options.key?.check()
        attached = try AttachedStore.all(options, to: name, entities)
        let file = try DatabasePath(name, access: access)
        switch file.content {
        case .nothing: throw .cannotOpen(path: file.path, reason: "the file does not exist")
        case .emptyFile: throw .cannotOpen(path: file.path, reason: DatabasePath.emptiness)
        case .file: path = file.path
        }
        hadLog = file.hasSidecar
        if access == .readOnly { try Connection.checkLogFolder(file) }
        let identity = FileIdentity(path, sidecars: [])
        let open = { [path] () throws(RepositoryError) -> Connection in
            let connection = try Connection(
                path: path, options: options.with(access == .readWrite ? .writer : access.readerRole))
            try connection.allowDoubleQuotedStrings()
            let adoption = try connection.withinOneState { () throws(RepositoryError) in
                try Adoption(entities, access, in: connection)
            }
            connection.sqliteDialect = SQLiteDialect(
                isAdopted: true, tables: adoption.tables, own: options.customNames)
            guard access == .readWrite else { return connection }
            guard connection.isWritable else { throw .readOnly(detail: "the file \(path) cannot be written") }
            try connection.becomeAdoptedWriter()
            connection.checkWriting = { [unowned connection] () throws(RepositoryError) in
                try StoreOpener.checkWriting(connection, entities)
            }
            try connection.checkWriting?()
            connection.identity = FileIdentity(path, sidecars: [])
            return connection
        }
        let connection: Connection
        do throws(RepositoryError) {
            connection = try open()
        } catch {
            // SQLite may have created a log just to read the file.
            if !hadLog { Connection.removeEmptyLog(of: path, options.key?.current) }
            throw error
        }
        sqliteDialect = connection.sqliteDialect.reading(attached)
        let isWriting = access == .readWrite
        writing = Lock(
            Writing(
                connection: isWriting ? connection : nil, identity: identity, reopen: isWriting ? open : nil))
        try checkAttached()
    }

    /// Opens and closes one reader, so that opening the store throws if a file cannot be attached.
    private func checkAttached() throws(RepositoryError) {
        guard !attached.isEmpty else { return }
        do {
            try makeReader().close()
        } catch {
            writer?.close()
            readersClosed()
            throw error
        }
    }

    /// Opens a file for reading: a store of this library, or another program's file.
    ///
    /// A store must have run exactly the migrations named in `migrations`, because its values could otherwise have
    /// other meanings. If `migrations` is `nil`, a store may have run any migrations.
    convenience init(
        reading name: String, _ access: StoreAccess, _ entities: [any Entity.Type], migrations: [String]?,
        options: ConnectionOptions
    ) throws(RepositoryError) {
        try options.key?.check()
        var options = options
        options.attached = []
        let file = try DatabasePath(name, access: access)
        let seen = try StoreOpener.withSnapshot(of: file, options) { connection throws(RepositoryError) -> [String]? in
            try connection.isOfStore() ? try connection.seenMigrations() : nil
        }
        if let seen {
            try self.init(
                .file(name), access: access, entities: entities, migrations: (migrations ?? seen).map { Migration($0) },
                options: options)
        } else {
            try self.init(adopting: name, access: access, entities: entities, options: options)
        }
    }

    /// Empties the file of a store; throws if another program has the file open.
    ///
    /// The file stays at its path, so a link to it leads to the new store. The method also throws if the store keeps a
    /// history that `history` does not declare.
    ///
    /// - Returns: False if the file is another program's, has another layout version, or has run a migration that is
    ///   not in `migrations`. Such a file is not erased.
    static func erase(
        _ location: StoreLocation, migrations: [String], history: StoreHistory, options: ConnectionOptions
    ) throws(RepositoryError) -> Bool {
        guard case .file(let name) = location else { return false }
        let file = try DatabasePath(name, access: .readWrite)
        let ownership = try FileOwnership(file, waiting: options.ownershipTimeout)
        defer { ownership.release() }
        let isManaged = try StoreOpener.withSnapshot(of: file, options) { connection throws(RepositoryError) in
            guard try connection.isOfStore(), try connection.integer("PRAGMA user_version") == FileShape.version,
                try Set(connection.seenMigrations()).isSubset(of: migrations)
            else { return false }
            _ = try HistoryTable(connection).needsWork(for: history)
            return true
        }
        guard isManaged else { return false }
        let inUse = RepositoryError.ownedElsewhere(
            path: file.path, detail: "another program has it open, so it is not erased")
        do throws(RepositoryError) {
            // SQLite would merge a log that is left beside the file into the new store.
            let connection = try Connection(path: file.path, options: options.with(.writer))
            defer { connection.close() }
            try connection.removeLog()
        } catch .busy {
            throw inUse
        }
        guard let lock = WholeFileLock(file.path), !file.hasSidecar else { throw inUse }
        ownership.recordNewStore()
        try lock.truncate()
        return true
    }

    func makeWriter(now: @escaping @Sendable () -> Date) -> (any StoreWriter)? {
        writer.map { makeWriter($0, now: now) }
    }

    func reopenWriter(now: @escaping @Sendable () -> Date) throws(RepositoryError) -> (any StoreWriter)? {
        guard let reopen = writing.withLock(\.reopen) else { return nil }
        let connection = try reopen()
        writing.withLock { ($0.connection, $0.identity) = (connection, connection.identity) }
        return makeWriter(connection, now: now)
    }

    private func makeWriter(_ connection: Connection, now: @escaping @Sendable () -> Date) -> SQLiteWriter {
        SQLiteWriter(
            connection, checkpointBound: !isInMemory && isManaged ? options.checkpointPages : nil, history: history,
            now: now)
    }

    func makeCommitSource() -> any CommitSource<Connection> { SQLiteCommitSource(attached: attached.map(\.path)) }

    /// Removes the empty log that reading created, and its index, unless another program uses the file.
    func readersClosed() {
        for file in attached { file.release() }
        guard access != .readWrite, !hadLog, (try? writing.withLock(\.identity)?.check()) != nil else { return }
        Connection.removeEmptyLog(of: path, options.key?.current)
    }

    func makeReader() throws(RepositoryError) -> Connection {
        guard !isInMemory else { throw .misuse(detail: "a store in memory has one connection") }
        let reader = try Connection(path: path, options: options.with(access.readerRole))
        if !isManaged || attached.contains(where: \.isAdopted) { try reader.allowDoubleQuotedStrings() }
        reader.sqliteDialect = sqliteDialect
        try writing.withLock(\.identity)?.check()
        for file in attached { try file.keepAttached(to: reader) }
        return reader
    }

    /// Returns the connection that writes; must be called on the writer's queue.
    func writingConnection() throws(RepositoryError) -> Connection {
        guard let writer else { throw .readOnly(detail: "the repository was opened for reading only") }
        return writer
    }

    /// Runs `body` in a read transaction of a new connection, or with the only connection of a store in memory.
    func reading<Output>(
        _ cancellation: CancellationFlag, _ body: (Connection) throws -> Output
    ) throws -> Output {
        if let onlyConnection { return try body(onlyConnection) }
        let connection = try makeReader()
        defer { connection.close() }
        return try connection.withCancellation(cancellation) {
            try connection.begin(.read)
            defer { try? connection.rollback() }
            return try body(connection)
        }
    }
}

extension SQLiteDialect {
    /// Returns the dialect for readers, which also knows the tables of attached files.
    fileprivate func reading(_ attached: [AttachedStore]) -> SQLiteDialect {
        var dialect = self
        for file in attached {
            dialect.views.formUnion(file.dialect.views)
            dialect.tables.merge(file.dialect.tables) { own, _ in own }
        }
        return dialect
    }
}

extension StoreLocation {
    fileprivate var path: String {
        switch self {
        case .inMemory: ":memory:"
        case .file(let name): name
        }
    }
}

extension StoreAccess {
    fileprivate var readerRole: ConnectionOptions.Role { self == .immutable ? .immutable : .reader }
}
