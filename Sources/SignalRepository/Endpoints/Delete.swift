public import Signals

extension Repository {
    /// Deletes a stored item, known by its id.
    ///
    /// ```swift
    /// let token = repository.delete(movie).sink(onValue: {}, onCompletion: { print($0) })
    /// ```
    /// - Delivery: one empty value, once the deletion is committed; then finished.
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ item: Item) -> Signal<Void, RepositoryError> {
        delete(Item.self, id: item.id)
    }

    /// Deletes the item with an id.
    ///
    /// - Delivery: one empty value, once the deletion is committed; then finished.
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ type: Item.Type, id: Item.ID) -> Signal<Void, RepositoryError> {
        transaction { store in try store.delete(type, id: id) }
    }

    /// Deletes each of many items on its own, in one transaction: those that can be are, the others are reported.
    ///
    /// - Delivery: one `BatchResult` with the items that were deleted and those that failed, each with its error; then
    ///   finished.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is deleted then.
    public func delete<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        transaction { store in try store.delete(items) }
    }

    /// Deletes the items with many ids, each on its own, in one transaction: those that can be are, the others are
    /// reported.
    ///
    /// - Delivery: one `BatchResult` with the ids whose items were deleted and those that failed, each with its error;
    ///   then finished.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is deleted then.
    public func delete<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) -> Signal<BatchResult<Item.ID, Item.ID>, RepositoryError> {
        transaction { store in try store.delete(type, ids: ids) }
    }

    /// Deletes many items, all of them or none.
    ///
    /// - Delivery: one empty value, once the deletions are committed; then finished.
    /// - Failure: that of the first item that fails. Nothing is deleted then.
    public func deleteAtomically<Item: Entity>(_ items: [Item]) -> Signal<Void, RepositoryError> {
        transaction { store in try store.deleteAtomically(items) }
    }

    /// Deletes the items with many ids, all of them or none.
    ///
    /// - Delivery: one empty value, once the deletions are committed; then finished.
    /// - Failure: that of the first id that fails. Nothing is deleted then.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, ids: [Item.ID]) -> Signal<Void, RepositoryError> {
        transaction { store in try store.deleteAtomically(type, ids: ids) }
    }
}

extension WriteTransaction {
    /// Deletes a stored item, known by its id.
    ///
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ item: Item) throws(RepositoryError) {
        try delete(Item.self, id: item.id)
    }

    /// Deletes the item with an id.
    ///
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ type: Item.Type, id: Item.ID) throws(RepositoryError) {
        try checkUsable()
        let statement = try session.statements(of: type)[.delete]
        do {
            try statement.bind(id: id, of: type)
            try change(statement) { statement throws(RepositoryError) in try statement.run() }
        } catch {
            throw error.about(type, id: id)
        }
        if session.connection.changes == 0 { throw .notFound(entity: Item.entityName, id: "\(id)") }
    }

    /// Deletes each of many items on its own: those that can be are, the others are reported.
    @discardableResult
    public func delete<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try each(items) { item throws(RepositoryError) in
            try delete(item)
            return item
        }
    }

    /// Deletes the items with many ids, each on its own: those that can be are, the others are reported.
    @discardableResult
    public func delete<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) throws(RepositoryError) -> BatchResult<Item.ID, Item.ID> {
        try each(ids) { id throws(RepositoryError) in
            try delete(type, id: id)
            return id
        }
    }

    /// Deletes many items, all of them or none.
    public func deleteAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) {
        try deleteAtomically(Item.self, ids: items.map(\.id))
    }

    /// Deletes the items with many ids, all of them or none.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, ids: [Item.ID]) throws(RepositoryError) {
        try transaction { store in
            _ = try store.all(ids) { id throws(RepositoryError) in try store.delete(type, id: id) }
        }
    }
}
