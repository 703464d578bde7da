public import RepositoryCore
public import Signals

/// A repository backed by a PostgreSQL server.
///
/// One connection writes, on its own serial queue; a few others read alongside it. Results arrive on a separate queue,
/// so a callback can do anything, including using the repository.
public final class PostgresRepository: Repository {
    private let engine: Engine
    let source: any PostgresSource

    /// Connects, runs the migrations that the store has not seen, and makes its tables match the entities.
    ///
    /// `parameters` is a connection string of libpq, whose environment variables supply what it leaves out. The store
    /// is the first schema of the connection's `search_path`. Everything is done in one transaction. If several
    /// programs open a store at once, one does it and the others wait, for `lockTimeout` or `ownershipTimeout`,
    /// whichever is longer.
    ///
    /// A new store gets its tables, and then what `whenNew` does, in the same transaction. `liveSource` selects how the
    /// repository learns of commits; the triggers or the publication that it needs are created, too.
    /// - Failure: `.cannotOpen` for a server that does not answer or refuses; `.schemaMismatch`, `.migrationFailed` and
    ///   `.misuse` as for a file; `.busy` if another program works on the tables for too long; `.readOnly` without the
    ///   right to create tables. Nothing is written then. With `.replication`, also `.cannotOpen` for a server or a
    ///   role that cannot replicate: the message says what to run, and `.notifications` works without.
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

    /// Connects, runs the migrations that the store has not seen, and makes its tables match the entities in a list.
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

    /// Opens a store with the stream's `rules` and `silence`, which tests change.
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

    /// How the live queries have been kept up to date since the repository was opened.
    public var statistics: LiveStatistics { engine.statistics }

    /// See `Repository.signal(for:)`.
    public func signal<Output>(for request: Request<Output>) -> Signal<Output, RepositoryError> {
        engine.signal(for: request, to: self)
    }

    /// See `Repository.close()`.
    @discardableResult
    public func close() -> Signal<Void, Never> { engine.closed() }
}
