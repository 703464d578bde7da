public import Signals

extension Repository {
    /// Tells, commit by commit, which rows of any table changed.
    ///
    /// The sink hears of every commit whose write was attached after this signal was; nothing is conflated. When a sink
    /// is behind and more than `backlog` rows wait for it, all that waits becomes one change set that says so (its
    /// extent is `.unknown(.backlog)`), and what it stands for goes to `DiscardHook`; a change set that comes when
    /// nothing waits is always delivered whole.
    ///
    /// ```swift
    /// let token = repository.changes().sink(
    ///     onValue: { print($0.commit, $0.author ?? "somebody", $0.tables) }, onCompletion: { _ in })
    /// ```
    /// - Delivery: a `ChangeSet` for each commit that changed rows, in commit order, off the database's queues. It does
    ///   not finish.
    /// - Failure: `.misuse` when the SQLite of the system has no preupdate hook; `.closed` when the repository is
    ///   closed, after what waits.
    /// - Complexity: each row that changes is copied twice while somebody listens; the rows of one transaction are held
    ///   until its end.
    public func changes(backlog: Int = ChangeRequest.defaultBacklog) -> Signal<ChangeSet, RepositoryError> {
        followChanges(ChangeRequest(backlog: backlog))
    }

    /// Tells, commit by commit, which items of some entities changed; see `changes(backlog:)`.
    ///
    /// ```swift
    /// let deleted = repository.changes(of: Movie.self).tryMap { changes throws(RepositoryError) in
    ///     try changes.deleted(of: Movie.self)
    /// }
    /// ```
    /// - Delivery: a `ChangeSet` for each commit that changed items of the entities, without the rest of it, and one
    ///   for each commit of which the rows are not known; in commit order. It does not finish.
    /// - Failure: as `changes(backlog:)`.
    public func changes(
        of entity: any Entity.Type, _ others: any Entity.Type..., backlog: Int = ChangeRequest.defaultBacklog
    ) -> Signal<ChangeSet, RepositoryError> {
        followChanges(ChangeRequest(entities: [entity] + others, backlog: backlog))
    }

    /// Tells, commit by commit, what happens to the item with an id.
    ///
    /// Unlike `readSubscription(_:id:)` it does not begin with the item as it is, and leaves no commit out.
    ///
    /// ```swift
    /// let token = repository.objectChanges(Movie.self, id: id).sink(
    ///     onValue: { change in
    ///         if case .deleted = change { print("gone") }
    ///     },
    ///     onCompletion: { _ in })
    /// ```
    /// - Delivery: an `ObjectChange` for each commit that created, updated or deleted the item, and `.unknown` for each
    ///   of which the rows are not known; in commit order. It does not finish.
    /// - Failure: `.decoding` when a value is not one of its property's type; `.encoding` of the id; and as
    ///   `changes(backlog:)`.
    public func objectChanges<Item: Entity>(
        _ type: Item.Type, id: Item.ID
    ) -> Signal<ObjectChange<Item>, RepositoryError> {
        let request: ChangeRequest
        do {
            request = try ChangeRequest(type, id: id)
        } catch {
            return .fail(error)
        }
        return followChanges(request)
            .tryMap { changes throws(RepositoryError) in try ObjectChange<Item>(changes) }
            .compactMap { $0 }
    }
}
