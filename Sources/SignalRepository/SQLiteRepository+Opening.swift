import Dispatch
public import Signals

/// How far the opening of a store has come.
public enum OpeningProgress: Sendable {
    /// A step begins that the store has not seen.
    case migrating(step: String)
    /// The store is open.
    case open(SQLiteRepository)
}

extension SQLiteRepository {
    /// Opens a store without blocking the thread that asks for it, and tells which migrations run.
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
    /// Each attach opens the store. One that is cancelled goes on to its end, since a migration is all or nothing, and
    /// then closes what it has opened.
    ///
    /// - Delivery: the name of each step as it begins, then the open repository, on a queue of its own; then it
    ///   finishes. A sink that blocks does not hold up the opening.
    /// - Failure: as the initializer.
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
