public import Signals

/// A repository over SQLite, in a file or in memory.
///
/// ```swift
/// let repository = try SQLiteRepository(.file("movies.sqlite"), entities: Movie.self)
/// let movies = try await repository.fetch(Movie.where(\.boxOffice > 1_000_000).sorted(by: \.title)).first()
/// ```
///
/// One connection writes, on a serial queue of its own; a few others read beside it and never wait for it; in memory
/// the one connection does both. Results arrive on a queue of their own, so a callback can do whatever it likes, the
/// use of the repository included.
///
/// The repository closes when `close()` is called or when it is released. A signal keeps its repository until the
/// signal itself is released; a live run alone does not.
public final class SQLiteRepository: Repository {
    let engine: Engine

    /// Opens a store, runs the migrations that it has not seen, and makes its tables fit the entities.
    ///
    /// - Failure: `.cannotOpen`, `.notADatabase`, `.schemaMismatch`, `.migrationFailed`, `.ownedElsewhere`, `.readOnly`
    ///   and the other errors of a file, each a sentence that says what to do. The file is left as it was then.
    public convenience init(
        _ store: Store, entities: any Entity.Type..., migrations: [Migration] = [], access: StoreAccess = .readWrite,
        durability: StoreDurability = .full, options: RepositoryOptions = RepositoryOptions()
    ) throws(RepositoryError) {
        try self.init(
            store, entities: entities, migrations: migrations, access: access, durability: durability, options: options)
    }

    /// Opens a store, runs the migrations that it has not seen, and makes its tables fit the entities of a list.
    public init(
        _ store: Store, entities: [any Entity.Type], migrations: [Migration] = [], access: StoreAccess = .readWrite,
        durability: StoreDurability = .full, options: RepositoryOptions = RepositoryOptions()
    ) throws(RepositoryError) {
        var connectionOptions = ConnectionOptions()
        connectionOptions.durability = durability
        connectionOptions.busyTimeout = Int32(clamping: options.lockTimeout.milliseconds)
        connectionOptions.ownershipTimeout = options.ownershipTimeout.milliseconds
        let opened = try OpenedStore(
            store, access: access, entities: entities, migrations: migrations, options: connectionOptions)
        engine = Engine(opened, options: options)
    }

    deinit {
        engine.close()
    }

    /// See `Repository.read(_:)`.
    public func read<Output: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        Signal(trusted: { sink in self.engine.read(sink, body) })
    }

    /// See `Repository.transaction(author:_:)`.
    public func transaction<Output: Sendable>(
        author: String?, _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Signal<Output, RepositoryError> {
        Signal(trusted: { sink in self.engine.write(sink, author: author, body) })
    }

    /// See `Repository.follow(_:)`.
    public func follow<Output: Sendable & Equatable>(
        _ query: LiveQuery<Output>
    ) -> Signal<Committed<Output>, RepositoryError> {
        Signal(trusted: { sink in self.engine.follow(sink, query) })
    }

    /// See `Repository.followChanges(_:)`.
    public func followChanges(_ request: ChangeRequest) -> Signal<ChangeSet, RepositoryError> {
        Signal(trusted: { sink in self.engine.followChanges(sink, request) })
    }

    /// See `Repository.close()`.
    @discardableResult
    public func close() -> Signal<Void, Never> {
        engine.close()
        return Signal(trusted: { [engine] sink in
            OneShot(sink).start { shot in engine.whenClosed { shot.finish(.success(())) } }
        })
    }
}
