public import Signals

extension Repository {
    /// Replaces an item that is stored, known by its id.
    ///
    /// ```swift
    /// var renamed = movie
    /// renamed.title = "Tár"
    /// let updated = try await repository.update(renamed).first()
    /// ```
    /// - Delivery: the item, once it is committed; then finished.
    /// - Failure: `.notFound` when there is no item with this id; `.constraint`; `.encoding`.
    public func update<Item: Entity>(_ item: Item) -> Signal<Item, RepositoryError> {
        transaction { store in try store.update(item) }
    }

    /// Replaces each of many items on its own, in one transaction: those that can be are, the others are reported.
    ///
    /// - Delivery: one `BatchResult` with the items that succeeded and those that failed, each with its error; then
    ///   finished.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is kept then.
    public func update<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        transaction { store in try store.update(items) }
    }

    /// Replaces many items, all of them or none.
    ///
    /// - Delivery: the items, once they are committed; then finished.
    /// - Failure: that of the first item that fails. Nothing is kept then.
    public func updateAtomically<Item: Entity>(_ items: [Item]) -> Signal<[Item], RepositoryError> {
        transaction { store in try store.updateAtomically(items) }
    }
}

extension WriteTransaction {
    /// Replaces an item that is stored, known by its id.
    ///
    /// - Failure: `.notFound` when there is no item with this id; `.constraint`; `.encoding`.
    @discardableResult
    public func update<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item {
        try checkUsable()
        if try write(.update, item) == 0 { throw .notFound(entity: Item.entityName, id: "\(item.id)") }
        return item
    }

    /// Replaces each of many items on its own: those that can be are, the others are reported.
    @discardableResult
    public func update<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try each(items) { item throws(RepositoryError) in try update(item) }
    }

    /// Replaces many items, all of them or none.
    @discardableResult
    public func updateAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> [Item] {
        try transaction { store in
            try store.all(items) { item throws(RepositoryError) in try store.update(item) }
        }
    }
}
