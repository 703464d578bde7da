public import Signals

extension Repository {
    /// Stores an item, or replaces the one with the same id.
    ///
    /// ```swift
    /// let stored = try await repository.upsert(movie).first()
    /// ```
    /// - Delivery: the item, once it is committed; then finished.
    /// - Failure: `.constraint` when a rule other than that of the id is broken; `.encoding`.
    public func upsert<Item: Entity>(_ item: Item) -> Signal<Item, RepositoryError> {
        transaction { store in try store.upsert(item) }
    }

    /// Stores each of many items on its own, in one transaction: those that can be are, the others are reported.
    ///
    /// - Delivery: one `BatchResult` with the items that succeeded and those that failed, each with its error; then
    ///   finished.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is kept then.
    public func upsert<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        transaction { store in try store.upsert(items) }
    }

    /// Stores many items, all of them or none.
    ///
    /// - Delivery: the items, once they are committed; then finished.
    /// - Failure: that of the first item that fails. Nothing is kept then.
    public func upsertAtomically<Item: Entity>(_ items: [Item]) -> Signal<[Item], RepositoryError> {
        transaction { store in try store.upsertAtomically(items) }
    }
}

extension WriteTransaction {
    /// Stores an item, or replaces the one with the same id.
    ///
    /// - Failure: `.constraint` when a rule other than that of the id is broken; `.encoding`.
    @discardableResult
    public func upsert<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item {
        try checkUsable()
        try write(.upsert, item)
        return item
    }

    /// Stores each of many items on its own: those that can be are, the others are reported.
    @discardableResult
    public func upsert<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try each(items) { item throws(RepositoryError) in try upsert(item) }
    }

    /// Stores many items, all of them or none.
    @discardableResult
    public func upsertAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> [Item] {
        try transaction { store in
            try store.all(items) { item throws(RepositoryError) in try store.upsert(item) }
        }
    }
}
