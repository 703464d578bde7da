public import Signals

extension Repository {
    /// Deletes a stored item, identified by its id.
    ///
    /// ```swift
    /// let token = repository.delete(movie).sink(onValue: {}, onCompletion: { print($0) })
    /// ```
    /// - Delivery: one empty value, once the deletion is committed; then it finishes.
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ item: Item) -> Signal<Void, RepositoryError> {
        delete(Item.self, id: item.id)
    }

    /// Deletes the item with an id.
    ///
    /// - Delivery: one empty value, once the deletion is committed; then it finishes.
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ type: Item.Type, id: Item.ID) -> Signal<Void, RepositoryError> {
        transaction(for: RepositoryCall(.delete, type, id: id), author: nil) { store in try store.delete(type, id: id) }
    }

    /// Deletes many items independently, in one transaction, and reports those that fail.
    ///
    /// - Delivery: one `BatchResult` with the items that were deleted and those that failed, each with its error; then
    ///   it finishes.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is deleted.
    public func delete<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        transaction(for: RepositoryCall(.delete, items), author: nil) { store in try store.delete(items) }
    }

    /// Deletes the items with many ids independently, in one transaction, and reports those that fail.
    ///
    /// - Delivery: one `BatchResult` with the ids whose items were deleted and those that failed, each with its error;
    ///   then it finishes.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is deleted.
    public func delete<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) -> Signal<BatchResult<Item.ID, Item.ID>, RepositoryError> {
        transaction(for: RepositoryCall(.delete, type, ids: ids), author: nil) { store in
            try store.delete(type, ids: ids)
        }
    }

    /// Deletes many items, all or none.
    ///
    /// - Delivery: one empty value, once the deletions are committed; then it finishes.
    /// - Failure: that of the first item that fails. Nothing is deleted.
    public func deleteAtomically<Item: Entity>(_ items: [Item]) -> Signal<Void, RepositoryError> {
        transaction(for: RepositoryCall(.deleteAtomically, items), author: nil) { store in
            try store.deleteAtomically(items)
        }
    }

    /// Deletes the items with many ids, all or none.
    ///
    /// - Delivery: one empty value, once the deletions are committed; then it finishes.
    /// - Failure: that of the first id that fails. Nothing is deleted.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, ids: [Item.ID]) -> Signal<Void, RepositoryError> {
        transaction(for: RepositoryCall(.deleteAtomically, type, ids: ids), author: nil) { store in
            try store.deleteAtomically(type, ids: ids)
        }
    }
}

extension WriteTransaction {
    /// Deletes a stored item, identified by its id.
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
            try change(statement.base) { _ throws(RepositoryError) in try statement.run() }
        } catch {
            let named = error.namingReference { () throws(RepositoryError) in
                try session.connection.keepingReference(
                    try SQLText(whereIs: id, of: type), of: Item.entityName, isDeletion: true)
            }
            throw named.about(type, id: id)
        }
        if session.connection.changes == 0 { throw try unchanged(.delete, type, id: id) }
    }

    /// Deletes many items independently, and reports those that fail.
    @discardableResult
    public func delete<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try each(items) { item throws(RepositoryError) in
            try delete(item)
            return item
        }
    }

    /// Deletes the items with many ids independently, and reports those that fail.
    @discardableResult
    public func delete<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) throws(RepositoryError) -> BatchResult<Item.ID, Item.ID> {
        try each(ids) { id throws(RepositoryError) in
            try delete(type, id: id)
            return id
        }
    }

    /// Deletes many items, all or none.
    public func deleteAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) {
        try deleteAtomically(Item.self, ids: items.map(\.id))
    }

    /// Deletes the items with many ids, all or none.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, ids: [Item.ID]) throws(RepositoryError) {
        try transaction { store in
            _ = try store.all(ids) { id throws(RepositoryError) in try store.delete(type, id: id) }
        }
    }
}
