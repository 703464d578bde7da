import Dispatch
public import Signals

/// The progress of opening a store.
public enum OpeningProgress: Sendable {
    /// The store begins a migration that it has not run yet.
    case migrating(step: String)
    /// The store is open.
    case open(SQLiteRepository)
}

extension SQLiteRepository {
    /// Opens a store without blocking the calling thread, and reports which migrations run.
    ///
    /// ```swift
    /// let opening = SQLiteRepository.opening(.file("movies.sqlite"), entities: Movie.self).sink(
    ///     onValue: { progress in
    ///         switch progress {
    ///         case .migrating(let step): print("Please wait: \(step) …")
    ///         case .open(let repository): print("ready", repository.statistics.reads)
    ///         }
    ///     }, onCompletion: { completion in print(completion) })
    /// ```
    /// Each sink that attaches opens the store. Cancelling does not interrupt an opening in progress, because a
    /// migration is all or nothing; the store is then closed right after the opening.
    ///
    /// - Delivery: the name of each migration as it begins, then the open repository, on a queue of this signal; then
    ///   it finishes. A sink that blocks that queue does not delay the opening.
    /// - Failure: as for the initializer.
    public static func opening(
        _ location: StoreLocation, entities: any Entity.Type..., migrations: [Migration] = [],
        dropping: [DroppedColumn] = [],
        whenNew: (@Sendable (MigrationTransaction) throws -> Void)? = nil,
        configuration: RepositoryConfiguration = RepositoryConfiguration()
    ) -> Signal<OpeningProgress, RepositoryError> {
        .create { emitter in
            DispatchQueue(label: "SignalRepository.opening").async {
                guard !emitter.isCancelled else { return }
                let steps = migrations.map { step in
                    Migration(step.name) { store in
                        emitter.send(.migrating(step: step.name))
                        try step.body(store)
                    }
                }
                do throws(RepositoryError) {
                    let repository = try SQLiteRepository(
                        location, entities: entities, migrations: steps, dropping: dropping, whenNew: whenNew,
                        configuration: configuration)
                    emitter.send(.open(repository))
                    emitter.finish()
                } catch {
                    emitter.fail(error)
                }
            }
            return {}
        }
        .receive(on: DispatchQueue(label: "SignalRepository.progress"))
    }
}
