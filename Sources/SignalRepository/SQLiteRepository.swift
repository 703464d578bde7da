public import Signals

/// A repository backed by SQLite, in a file or in memory.
///
/// ```swift
/// let repository = try SQLiteRepository(.file("movies.sqlite"), entities: Movie.self)
/// let movies = try await repository.fetch(Movie.where { $0.boxOffice > 1_000_000 }.sorted(by: \.title)).value()
/// ```
///
/// One connection writes, on its own serial queue. A few other connections read at the same time, without waiting for
/// the writer. A store in memory has one connection, which reads and writes. Results arrive on a separate queue, so a
/// callback can do anything, including using the repository.
///
/// The repository closes when `close()` is called or when it is released. A signal holds a strong reference to its
/// repository until the signal itself is released. A live subscription alone does not keep the repository open.
public final class SQLiteRepository: Repository {
    let engine: Engine
    let opened: OpenedStore

    /// Opens a store, runs the migrations that the store has not run yet, and makes its tables match the entities.
    ///
    /// Use `whenNew` to add triggers and first items to a new store. It runs once for each store, in the transaction
    /// that creates the tables, after the tables exist. If it fails, no store is created.
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
    /// While a model still changes often, pass `erasingIfChanged: true`. Instead of failing with `.schemaMismatch`,
    /// opening then deletes everything in the store's file, so never use it for files with user data. Opening does not
    /// erase the file of another library, the file of a newer program, or a history that the configuration does not
    /// name. If another program uses the file, opening fails with `.ownedElsewhere`.
    ///
    /// With a key in the configuration, the SQLite that the program links encrypts the file; see `EncryptionKey`.
    /// - Failure: `.cannotOpen`, `.notADatabase`, `.wrongKey`, `.schemaMismatch`, `.migrationFailed`,
    ///   `.ownedElsewhere`, `.readOnly` and the other file errors, each with a message that says what to do. After a
    ///   failure, the file is unchanged.
    public convenience init(
        _ location: StoreLocation, entities: any Entity.Type..., migrations: [Migration] = [],
        dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, erasingIfChanged: Bool = false,
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(RepositoryError) {
        try self.init(
            location, entities: entities, migrations: migrations, dropping: dropping, whenNew: whenNew,
            erasingIfChanged: erasingIfChanged, configuration: configuration)
    }

    /// Opens a store, runs the migrations that it lacks, and makes its tables match the entities in a list.
    public init(
        _ location: StoreLocation, entities: [any Entity.Type], migrations: [Migration] = [],
        dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, erasingIfChanged: Bool = false,
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(RepositoryError) {
        let connectionOptions = ConnectionOptions(configuration)
        let open = { () throws(RepositoryError) -> OpenedStore in
            try OpenedStore(
                location, access: configuration.access, entities: entities, migrations: migrations,
                dropping: dropping, whenNew: whenNew, history: configuration.history, options: connectionOptions)
        }
        let opened: OpenedStore
        do throws(RepositoryError) {
            opened = try open()
        } catch {
            guard erasingIfChanged, configuration.access == .readWrite, case .schemaMismatch = error,
                try OpenedStore.erase(
                    location, migrations: migrations.map(\.name), history: configuration.history,
                    options: connectionOptions)
            else { throw error }
            opened = try open()
        }
        self.opened = opened
        engine = Engine(opened, configuration)
    }

    /// Adopts a file that another library, a script or another program has made.
    ///
    /// ```swift
    /// struct Artist: Entity {
    ///     let id: Int
    ///     var name: String?
    ///     static let schema = Schema(Column("ArtistId", \Artist.id), Column("Name", \.name), make: Artist.init)
    /// }
    ///
    /// let music = try SQLiteRepository(
    ///     adopting: "chinook.sqlite", entities: Artist.self,
    ///     configuration: RepositoryConfiguration(access: .readOnly))
    /// ```
    /// The entities describe all or some of the file's tables, with all or some of their columns. Only the writes of
    /// this repository change the file: the library adds no table, index, application ID or setting. Other programs may
    /// write to the file at the same time, and live queries follow their commits as usual. If another program holds a
    /// lock for longer than `lockTimeout`, the waiting operation fails with `.busy`.
    ///
    /// Live queries are updated from changed rows. A live query is re-read if it uses a view, a UTF-16 file, or a table
    /// with virtual columns or a hidden rowid. It is also re-read if it groups by, joins on or aggregates a column with
    /// a collation or without a type.
    ///
    /// - Failure: `.schemaMismatch` with all mismatches; `.misuse` for a store of this library; `.cannotOpen`,
    ///   `.notADatabase`, `.wrongKey`, `.readOnly` and the other file errors. After a failure, the file is unchanged.
    public convenience init(
        adopting path: String, entities: any Entity.Type...,
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(RepositoryError) {
        try self.init(adopting: path, entities: entities, configuration: configuration)
    }

    /// Adopts a file that another library, a script or another program has made, for the entities in a list.
    public init(
        adopting path: String, entities: [any Entity.Type],
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(RepositoryError) {
        guard configuration.history == .none else {
            throw .misuse(detail: "an adopted file keeps no history: leave history out of the configuration")
        }
        opened = try OpenedStore(
            adopting: path, access: configuration.access, entities: entities,
            options: ConnectionOptions(configuration))
        engine = Engine(opened, configuration)
    }

    deinit {
        engine.close(endsReads: false)
    }

    /// Statistics about how live queries were kept up to date since the repository was opened.
    ///
    /// ```swift
    /// print(repository.statistics.updatedInPlace, repository.statistics.reads)
    /// ```
    public var statistics: LiveStatistics { engine.statistics }

    /// See `Repository.signal(for:)`.
    public func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError> {
        engine.signal(for: request, to: self)
    }

    /// See `Repository.close()`.
    @discardableResult
    public func close() -> Signal<Void, Never> { engine.closed() }
}

extension ConnectionOptions {
    fileprivate init(_ configuration: RepositoryConfiguration) {
        self.init()
        key = StoreKey(configuration.key)
        durability = configuration.durability
        busyTimeout = Int32(clamping: configuration.lockTimeout.milliseconds)
        ownershipTimeout = configuration.ownershipTimeout.milliseconds
        log = configuration.statementLog
        (functions, collations) = (configuration.functions, configuration.collations)
        attached = configuration.attached
        now = configuration.now
        checkpointPages = configuration.checkpointPages
    }
}
