public import RepositoryCore
public import Signals

/// A repository backed by a PostgreSQL server.
///
/// One connection writes, on its own serial queue, and a few other connections read at the same time. Results arrive on
/// a separate queue, so a callback can do anything, including using the repository.
public final class PostgresRepository: Repository {
    private let engine: Engine
    let source: any PostgresSource

    /// Connects, runs the migrations that the store has not run yet, and makes its tables match the entities.
    ///
    /// `parameters` is a connection string of libpq; environment variables of libpq supply what the string leaves out.
    /// The store is the first schema of the connection's `search_path`. All changes are made in one transaction. If
    /// several programs open a store at once, one of them makes the changes. The others wait for `lockTimeout` or
    /// `ownershipTimeout`, whichever is longer.
    ///
    /// For a new store, `whenNew` runs after its tables are created, in the same transaction. `liveSource` selects how
    /// the repository learns of commits; opening also creates the triggers or the publication that the source needs.
    /// - Failure: `.cannotOpen` for a server that does not answer or refuses the connection; `.schemaMismatch`,
    ///   `.migrationFailed` and `.misuse` as for a file; `.busy` if another program works on the tables for too long;
    ///   `.readOnly` if the role may not create tables. A failed opening leaves the store unchanged. With
    ///   `.replication`, also `.cannotOpen` for a server or a role that cannot replicate: the message says what to run,
    ///   and `.notifications` works without replication.
    public convenience init(
        _ parameters: String, entities: any Entity.Type..., migrations: [Migration] = [],
        dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, liveSource: LiveSource = .notifications,
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(RepositoryError) {
        try self.init(
            parameters, entities: entities, migrations: migrations, dropping: dropping, whenNew: whenNew,
            liveSource: liveSource, configuration: configuration)
    }

    /// Connects, runs the migrations that the store lacks, and makes its tables match the entities in a list.
    public convenience init(
        _ parameters: String, entities: [any Entity.Type], migrations: [Migration] = [],
        dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, liveSource: LiveSource = .notifications,
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) throws(RepositoryError) {
        let declaration = try StoreDeclaration(
            entities, migrations, dropping: dropping, whenNew: whenNew, in: PostgresTypes())
        try self.init(parameters, declaration, liveSource: liveSource, configuration: configuration)
    }

    /// Opens a store; tests pass other `rules` and `silence` limits for the replication stream.
    init(
        _ parameters: String, _ declaration: StoreDeclaration, liveSource: LiveSource,
        rules: StreamRules = .all, silence: SilenceLimits = SilenceLimits(), configuration: RepositoryConfiguration
    ) throws(RepositoryError) {
        let store = try PostgresStore(
            parameters, declaration, liveSource: liveSource, rules: rules, silence: silence,
            configuration: configuration)
        source = store.source
        engine = Engine(store, configuration)
    }

    deinit {
        engine.close(endsReads: false)
    }

    /// Statistics about how live queries were kept up to date since the repository was opened.
    public var statistics: LiveStatistics { engine.statistics }

    /// See `Repository.signal(for:)`.
    public func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError> {
        engine.signal(for: request, to: self)
    }

    /// See `Repository.close()`.
    @discardableResult
    public func close() -> Signal<Void, Never> { engine.closed() }
}
