public import Signals

extension Repository {
    /// Reads the item with the given id.
    ///
    /// ```swift
    /// let movie = try await repository.read(Movie.self, id: id).value()
    /// ```
    /// - Delivery: the item; then the signal finishes.
    /// - Failure: `.notFound`; `.decoding` when a stored value does not fit its property's type.
    public func read<Item: Entity>(_ type: Item.Type, id: Item.ID) -> Signal<Item, RepositoryError> {
        signal(for: .read(oneStatement: RepositoryCall("read", type, id: id)) { store in try store.read(type, id: id) })
    }

    /// Reads many items by id, each independently, and reports the ids that fail.
    ///
    /// - Delivery: one `BatchResult` with the items in the order of their ids, and with the failed ids and their
    ///   errors; then the signal finishes.
    /// - Failure: only errors that concern the whole store.
    public func read<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) -> Signal<BatchResult<Item, Item.ID>, RepositoryError> {
        signal(for: .read(RepositoryCall("read", type, ids: ids)) { store in try store.read(type, ids: ids) })
    }

    /// Reads many items by id, all or none.
    ///
    /// - Delivery: the items in the order of their ids; then the signal finishes.
    /// - Failure: the error of the first id that fails.
    public func readAtomically<Item: Entity>(_ type: Item.Type, ids: [Item.ID]) -> Signal<[Item], RepositoryError> {
        signal(
            for: .read(RepositoryCall("readAtomically", type, ids: ids)) { store in
                try store.readAtomically(type, ids: ids)
            })
    }

    /// Reads the item with the given id, now and whenever the item changes.
    ///
    /// ```swift
    /// let token = repository.readSubscription(Movie.self, id: id)
    ///     .sink(onValue: { print($0?.title ?? "deleted") }, onCompletion: { _ in })
    /// ```
    /// - Delivery: the current item, or `nil` if it does not exist, and then, in commit order, each state that differs
    ///   from the one before: `nil` when the item is deleted, the new item when it is created again. A slow sink
    ///   receives only the latest state. The signal does not finish.
    /// - Failure: `.decoding`; `.closed` when the repository is closed.
    @inlinable
    public func readSubscription<Item: Entity & Equatable>(
        _ type: Item.Type, id: Item.ID
    ) -> Signal<Item?, RepositoryError> {
        let find: @Sendable (ReadTransaction) throws -> Item? = { store in try store.find(type, id: id) }
        let query = LiveQuery(item: find).followingRow(type, id: id, find)
        return signal(for: .values(RepositoryCall("readSubscription", type, id: id), query))
    }

    /// Reads the item with the given id, if it exists.
    ///
    /// ```swift
    /// let movie = try await repository.find(Movie.self, id: id).value()
    /// print(movie?.title ?? "none")
    /// ```
    /// - Delivery: the item, or `nil` if it does not exist; then the signal finishes.
    /// - Failure: `.decoding` when a stored value does not fit its property's type.
    public func find<Item: Entity>(_ type: Item.Type, id: Item.ID) -> Signal<Item?, RepositoryError> {
        signal(for: .read(oneStatement: RepositoryCall("find", type, id: id)) { store in try store.find(type, id: id) })
    }
}

extension ReadTransaction {
    /// Reads the item with the given id.
    ///
    /// - Failure: `.notFound`; `.decoding` when a stored value does not fit its property's type.
    @inlinable
    public func read<Item: Entity>(_ type: Item.Type, id: Item.ID) throws(RepositoryError) -> Item {
        guard let item = try find(type, id: id) else { throw .notFound(type, id: id) }
        return item
    }

    /// Reads the item with the given id, or returns `nil` if it does not exist.
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

    /// Returns the statement that reads one item, ready to be bound.
    @usableFromInline
    final func reading<Item: Entity>(_ type: Item.Type) throws(RepositoryError) -> EntityStatement {
        try checkUsable()
        let statement = try session.statements(of: type)[.read]
        record(statement.base)
        return statement
    }

    /// Reads many items by id, each independently, and reports the ids that fail.
    public func read<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) throws(RepositoryError) -> BatchResult<Item, Item.ID> {
        try each(ids) { id throws(RepositoryError) in try read(type, id: id) }
    }

    /// Reads many items by id, all or none.
    public func readAtomically<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) throws(RepositoryError) -> [Item] {
        try all(ids) { id throws(RepositoryError) in try read(type, id: id) }
    }
}
