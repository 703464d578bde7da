public import Signals

extension Repository {
    /// Reports, commit by commit, which rows of any table changed.
    ///
    /// The sink receives a change set for each write that starts after the sink has attached. If more than `backlog`
    /// rows wait for a slow sink, one change set with the extent `.unknown(.backlog)` replaces the waiting change sets,
    /// which `DiscardHook` reports. A change set that arrives while none is waiting is delivered whole, at any size.
    ///
    /// ```swift
    /// let token = repository.changes().sink(
    ///     onValue: { print($0.commit, $0.author ?? "somebody", $0.tables) }, onCompletion: { _ in })
    /// ```
    /// - Delivery: a `ChangeSet` for each commit that changed rows, in commit order, not on a database queue. The
    ///   signal does not finish.
    /// - Failure: `.misuse` when SQLite lacks the preupdate hook, or on PostgreSQL without `liveSource: .replication`;
    ///   `.closed` when the repository is closed, after the waiting change sets.
    /// - Complexity: each changed row is copied twice while a sink is attached; the rows of a transaction are held
    ///   until the transaction ends.
    public func changes(backlog: Int = 100_000) -> Signal<ChangeSet, RepositoryError> {
        signal(for: .changes(RepositoryCall("changes"), ChangeRequest(backlog: backlog)))
    }

    /// Reports, commit by commit, which items of the given entities changed; see `changes(backlog:)`.
    ///
    /// ```swift
    /// let deleted = repository.changes(of: Movie.self).tryMap { changes throws(RepositoryError) in
    ///     try changes.deleted(of: Movie.self)
    /// }
    /// ```
    /// - Delivery: in commit order, a `ChangeSet` with only these entities' changes for each commit that changed their
    ///   items, and one for each commit whose rows are unknown. The signal does not finish.
    /// - Failure: as `changes(backlog:)`.
    public func changes(
        of entity: any Entity.Type, _ others: any Entity.Type..., backlog: Int = 100_000
    ) -> Signal<ChangeSet, RepositoryError> {
        let entities = [entity] + others
        let request = ChangeRequest(entities: entities, backlog: backlog)
        return signal(for: .changes(RepositoryCall("changes", entities), request))
    }

    /// Reports, commit by commit, the changes of the item with the given id.
    ///
    /// Unlike `readSubscription(_:id:)`, this signal does not begin with the current item, and it skips no commit.
    ///
    /// ```swift
    /// let token = repository.objectChanges(Movie.self, id: id).sink(
    ///     onValue: { change in
    ///         if case .deleted = change { print("gone") }
    ///     },
    ///     onCompletion: { _ in })
    /// ```
    /// - Delivery: in commit order, an `ObjectChange` for each commit that created, updated or deleted the item, and
    ///   `.unknown` for each commit whose rows are unknown. The signal does not finish.
    /// - Failure: `.decoding` when a value does not fit its property's type; `.encoding` when the id cannot be stored;
    ///   otherwise as `changes(backlog:)`.
    public func objectChanges<Item: Entity>(
        _ type: Item.Type, id: Item.ID
    ) -> Signal<ObjectChange<Item>, RepositoryError> {
        let request: ChangeRequest
        do {
            request = try ChangeRequest(type, id: id)
        } catch {
            return refused(error)
        }
        return signal(for: .changes(RepositoryCall("objectChanges", type, id: id), request))
            .tryMap { changes throws(RepositoryError) in try ObjectChange<Item>(changes) }
            .compactMap { $0 }
    }
}
