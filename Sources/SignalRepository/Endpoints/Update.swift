public import Signals

extension Repository {
    /// Replaces a stored item, identified by its id.
    ///
    /// ```swift
    /// var renamed = movie
    /// renamed.title = "Tár"
    /// let updated = try await repository.update(renamed).value()
    /// ```
    /// - Delivery: the item, once it is committed; then it finishes.
    /// - Failure: `.notFound` when there is no item with this id; `.constraint`; `.encoding`.
    public func update<Item: Entity>(_ item: Item) -> Signal<Item, RepositoryError> {
        transaction(for: RepositoryCall(.update, item), author: nil) { store in try store.update(item) }
    }

    /// Replaces many items independently, in one transaction, and reports those that fail.
    ///
    /// - Delivery: one `BatchResult` with the items that succeeded and those that failed, each with its error; then it
    ///   finishes.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is kept.
    public func update<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        transaction(for: RepositoryCall(.update, items), author: nil) { store in try store.update(items) }
    }

    /// Replaces many items, all or none.
    ///
    /// - Delivery: the items, once they are committed; then it finishes.
    /// - Failure: that of the first item that fails. Nothing is kept.
    public func updateAtomically<Item: Entity>(_ items: [Item]) -> Signal<[Item], RepositoryError> {
        transaction(for: RepositoryCall(.updateAtomically, items), author: nil) { store in
            try store.updateAtomically(items)
        }
    }
}

extension WriteTransaction {
    /// Replaces a stored item, identified by its id.
    ///
    /// - Failure: `.notFound` when there is no item with this id; `.constraint`; `.encoding`.
    @discardableResult
    public func update<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item {
        try checkUsable()
        return try store(.update, item)
    }

    /// Replaces many items independently, and reports those that fail.
    @discardableResult
    public func update<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try each(items) { item throws(RepositoryError) in try update(item) }
    }

    /// Replaces many items, all or none.
    @discardableResult
    public func updateAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> [Item] {
        try transaction { store in
            try store.all(items) { item throws(RepositoryError) in try store.update(item) }
        }
    }
}
