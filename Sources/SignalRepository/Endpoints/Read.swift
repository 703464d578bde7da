public import Signals

extension Repository {
    /// Reads the item with an id.
    ///
    /// ```swift
    /// let movie = try await repository.read(Movie.self, id: id).first()
    /// ```
    /// - Delivery: the item; then finished.
    /// - Failure: `.notFound`; `.decoding` when a stored value is not one of its property's type.
    public func read<Item: Entity>(_ type: Item.Type, id: Item.ID) -> Signal<Item, RepositoryError> {
        read { store in try store.read(type, id: id) }
    }

    /// Reads the items with many ids, each on its own: those that can be read are, the other ids are reported.
    ///
    /// - Delivery: one `BatchResult` with the items in the order of their ids, and the ids that failed, each with its
    ///   error; then finished.
    /// - Failure: only what concerns the store as a whole.
    public func read<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) -> Signal<BatchResult<Item, Item.ID>, RepositoryError> {
        read { store in try store.read(type, ids: ids) }
    }

    /// Reads the items with many ids, all of them or none.
    ///
    /// - Delivery: the items in the order of their ids; then finished.
    /// - Failure: that of the first id that fails.
    public func readAtomically<Item: Entity>(_ type: Item.Type, ids: [Item.ID]) -> Signal<[Item], RepositoryError> {
        read { store in try store.readAtomically(type, ids: ids) }
    }

    /// Reads the item with an id, now and after every change of it.
    ///
    /// ```swift
    /// let token = repository.readSubscription(Movie.self, id: id)
    ///     .sink(onValue: { print($0?.title ?? "deleted") }, onCompletion: { _ in })
    /// ```
    /// - Delivery: the item as it is now, or `nil` when there is none, then each different state, in commit order:
    ///   `nil` when it is deleted, the item when it is created again. A slow sink gets the latest. It does not finish.
    /// - Failure: `.decoding`, which ends it; `.closed` when the repository is closed.
    @inlinable
    public func readSubscription<Item: Entity & Equatable>(
        _ type: Item.Type, id: Item.ID
    ) -> Signal<Item?, RepositoryError> {
        follow(LiveQuery { store in try store.find(type, id: id) }).map(\.value)
    }
}

extension ReadTransaction {
    /// Reads the item with an id.
    ///
    /// - Failure: `.notFound`; `.decoding` when a stored value is not one of its property's type.
    @inlinable
    public func read<Item: Entity>(_ type: Item.Type, id: Item.ID) throws(RepositoryError) -> Item {
        guard let item = try find(type, id: id) else { throw .notFound(entity: Item.entityName, id: "\(id)") }
        return item
    }

    /// Reads the item with an id, or answers `nil` when there is none.
    @inlinable
    public func find<Item: Entity>(_ type: Item.Type, id: Item.ID) throws(RepositoryError) -> Item? {
        let statement = try reading(type)
        do {
            try statement.bind(id: id, of: type)
            return try statement.item(of: type)
        } catch {
            throw error.about(type, id: id)
        }
    }

    /// Returns the statement that reads one item, about to be executed.
    @usableFromInline
    final func reading<Item: Entity>(_ type: Item.Type) throws(RepositoryError) -> Statement {
        try checkUsable()
        let statement = try session.statements(of: type)[.read]
        record(statement)
        return statement
    }

    /// Reads the items with many ids, each on its own: those that can be read are, the other ids are reported.
    public func read<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) throws(RepositoryError) -> BatchResult<Item, Item.ID> {
        try each(ids) { id throws(RepositoryError) in try read(type, id: id) }
    }

    /// Reads the items with many ids, all of them or none.
    public func readAtomically<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) throws(RepositoryError) -> [Item] {
        try all(ids) { id throws(RepositoryError) in try read(type, id: id) }
    }
}
