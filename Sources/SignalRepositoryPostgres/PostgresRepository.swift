public import SignalRepository
public import Signals

/// A repository backed by a PostgreSQL server.
///
/// One connection writes, on its own serial queue; a few others read alongside it. Results arrive on a separate queue,
/// so a callback can do anything, including using the repository.
public final class PostgresRepository: Repository {
    private let engine: Engine
    /// By which commits are heard of.
    let source: any PostgresSource

    /// Connects, runs the migrations that the store has not seen, and makes its tables match the entities.
    ///
    /// `parameters` are a connection string of libpq; what it leaves out comes from libpq's environment variables. The
    /// store is the first schema of the connection's `search_path`. Everything is done in one transaction. Of several
    /// programs that open a store at once one does it, and the others wait, for `lockTimeout` or `ownershipTimeout`,
    /// whichever is longer.
    ///
    /// A new store gets its tables, and then what `whenNew` does, in the same transaction. `liveSource` says how
    /// commits are heard of; what that takes is made, too.
    /// - Failure: `.cannotOpen` for a server that does not answer or refuses; `.schemaMismatch`, `.migrationFailed` and
    ///   `.misuse` as for a file; `.busy` when another program works on the tables for too long; `.readOnly` without
    ///   the right to create tables. Nothing is written then. `.cannotOpen` also for a server or a role without
    ///   replication: it says what to run, and `.notifications` is the way without.
    public convenience init(
        _ parameters: String, entities: any Entity.Type..., migrations: [Migration] = [],
        dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, access: StoreAccess = .readWrite,
        liveSource: LiveSource = .notifications, options: RepositoryOptions = RepositoryOptions()
    ) throws(RepositoryError) {
        try self.init(
            parameters, entities: entities, migrations: migrations, dropping: dropping, whenNew: whenNew,
            access: access, liveSource: liveSource, options: options)
    }

    /// Connects, runs the migrations that the store has not seen, and makes its tables match the entities in a list.
    public convenience init(
        _ parameters: String, entities: [any Entity.Type], migrations: [Migration] = [],
        dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil, access: StoreAccess = .readWrite,
        liveSource: LiveSource = .notifications, options: RepositoryOptions = RepositoryOptions()
    ) throws(RepositoryError) {
        let declaration = try StoreDeclaration(
            entities, migrations, dropping: dropping, whenNew: whenNew, in: PostgresTypes())
        try self.init(parameters, declaration, access: access, liveSource: liveSource, options: options)
    }

    /// `rules` and `silence` are those of the stream, which tests change.
    init(
        _ parameters: String, _ declaration: StoreDeclaration, access: StoreAccess, liveSource: LiveSource,
        rules: StreamRules = .all, silence: SilenceLimits = SilenceLimits(), options: RepositoryOptions
    ) throws(RepositoryError) {
        let store = try PostgresStore(
            parameters, declaration, access: access, liveSource: liveSource, rules: rules, silence: silence,
            options: options)
        source = store.source
        engine = Engine(store, options: options)
    }

    deinit {
        engine.close(endsReads: false)
    }

    /// How the live queries have been kept up to date since the repository was opened.
    public var statistics: LiveStatistics { engine.statistics }

    /// See `Repository.read(_:)`.
    public func read<Output: Sendable>(
        for call: @autoclosure () -> RepositoryCall, _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        engine.reading(self, as: call().isStatement ? .readingStatement : .read, body)
    }

    /// See `Repository.transaction(author:_:)`.
    public func transaction<Output: Sendable>(
        for call: @autoclosure () -> RepositoryCall, author: String?,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        engine.writing(self, author: author, as: call().isStatement ? .writingStatement : .write, body)
    }

    /// See `Repository.follow(_:)`.
    public func follow<Output: Sendable & Equatable>(
        for call: @autoclosure () -> RepositoryCall, _ query: LiveQuery<Output>
    ) -> Signal<Committed<Output>, RepositoryError> {
        engine.following(self, query)
    }

    /// See `Repository.followValues(for:_:)`.
    public func followValues<Output: Sendable & Equatable>(
        for call: @autoclosure () -> RepositoryCall, _ query: LiveQuery<Output>
    ) -> Signal<Output, RepositoryError> {
        engine.followingValues(self, query)
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
        engine.streaming(self, rows)
    }

    /// See `Repository.close()`.
    @discardableResult
    public func close() -> Signal<Void, Never> { engine.closed() }
}

extension RepositoryCall {
    /// Whether the endpoint executes one statement as a rule, which then needs no transaction around it.
    ///
    /// One that reads and needs more, such as a query that includes something, is read again in a transaction.
    fileprivate var isStatement: Bool {
        guard !isOwnBody, count == nil else { return false }
        // What changes items by a condition reads what others may be changing, and so is a whole transaction.
        return Self.reads.contains(verb) || isAboutOne && Self.writes.contains(verb)
    }

    private static let reads: Set<RepositoryVerb> = [
        .read, .find, .first, .last, .exists, .fetch, .count, .sum, .average, .min, .max, .aggregate,
    ]
    private static let writes: Set<RepositoryVerb> = [.create, .update, .upsert, .delete]
}
