public import Signals

/// A repository backed by SQLite, in a file or in memory.
///
/// ```swift
/// let repository = try SQLiteRepository(.file("movies.sqlite"), entities: Movie.self)
/// let movies = try await repository.fetch(Movie.where(\.boxOffice > 1_000_000).sorted(by: \.title)).value()
/// ```
///
/// One connection writes, on its own serial queue; a few others read alongside it and never wait for it; in memory, one
/// connection does both. Results arrive on a separate queue, so a callback can do anything, including using the
/// repository.
///
/// The repository closes when `close()` is called or when it is released. A signal keeps its repository until the
/// signal itself is released; a live run alone does not.
public final class SQLiteRepository: Repository {
    let engine: Engine

    /// Opens a store, runs the migrations that it has not seen, and makes its tables match the entities.
    ///
    /// A new store gets its tables, and then what `whenNew` does: the triggers and first items that a program wants.
    /// That happens once for each store, in the transaction that makes the tables: if it fails, there is no store.
    ///
    /// ```swift
    /// let repository = try SQLiteRepository(
    ///     .inMemory, entities: Movie.self,
    ///     whenNew: { store in
    ///         try store.insert(movies)
    ///         try store.execute(
    ///             """
    ///             CREATE TRIGGER trimmed AFTER INSERT ON Movie \
    ///             BEGIN UPDATE Movie SET title = trim(title) WHERE id = new.id; END
    ///             """)
    ///     })
    /// ```
    /// - Failure: `.cannotOpen`, `.notADatabase`, `.schemaMismatch`, `.migrationFailed`, `.ownedElsewhere`, `.readOnly`
    ///   and the other file errors, each a sentence that says what to do. The file is then left as it was.
    public convenience init(
        _ location: StoreLocation, entities: any Entity.Type..., migrations: [Migration] = [],
        dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, access: StoreAccess = .readWrite,
        durability: StoreDurability = .full, options: RepositoryOptions = RepositoryOptions()
    ) throws(RepositoryError) {
        try self.init(
            location, entities: entities, migrations: migrations, dropping: dropping, whenNew: whenNew, access: access,
            durability: durability, options: options)
    }

    /// Opens a store, runs the migrations that it has not seen, and makes its tables match the entities in a list.
    public init(
        _ location: StoreLocation, entities: [any Entity.Type], migrations: [Migration] = [],
        dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, access: StoreAccess = .readWrite,
        durability: StoreDurability = .full, options: RepositoryOptions = RepositoryOptions()
    ) throws(RepositoryError) {
        var connectionOptions = ConnectionOptions()
        connectionOptions.durability = durability
        connectionOptions.busyTimeout = Int32(clamping: options.lockTimeout.milliseconds)
        connectionOptions.ownershipTimeout = options.ownershipTimeout.milliseconds
        connectionOptions.log = options.statementLog
        connectionOptions.now = options.now
        connectionOptions.checkpointPages = options.checkpointPages
        let opened = try OpenedStore(
            location, access: access, entities: entities, migrations: migrations, dropping: dropping, whenNew: whenNew,
            options: connectionOptions)
        engine = Engine(opened, options: options)
    }

    deinit {
        engine.close(endsReads: false)
    }

    /// How the live queries have been kept up to date since the repository was opened.
    ///
    /// ```swift
    /// print(repository.statistics.patched, repository.statistics.reads)
    /// ```
    public var statistics: LiveStatistics { engine.statistics }

    /// See `Repository.read(_:)`.
    public func read<Output: Sendable>(
        for call: @autoclosure () -> RepositoryCall, _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        engine.reading(self, body)
    }

    /// See `Repository.transaction(author:_:)`.
    public func transaction<Output: Sendable>(
        for call: @autoclosure () -> RepositoryCall, author: String?,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        engine.writing(self, author: author, body)
    }

    /// See `Repository.follow(_:)`.
    public func follow<Output: Sendable & Equatable>(
        for call: @autoclosure () -> RepositoryCall, _ query: LiveQuery<Output>
    ) -> Signal<Committed<Output>, RepositoryError> {
        engine.following(self, query)
    }

    /// See `Repository.changes(backlog:)`.
    public func followChanges(
        for call: @autoclosure () -> RepositoryCall, _ request: ChangeRequest
    ) -> Signal<ChangeSet, RepositoryError> {
        engine.followingChanges(self, request)
    }

    /// Streams the items of a query, on a connection of its own; see `stream(_:)`.
    public func stream<Output>(
        for call: @autoclosure () -> RepositoryCall, _ rows: RowsQuery<Output>
    ) -> Signal<Output, RepositoryError> {
        engine.canStream ? engine.streaming(self, rows) : streamAtOnce(for: call(), rows)
    }

    /// See `Repository.close()`.
    @discardableResult
    public func close() -> Signal<Void, Never> { engine.closed() }
}
