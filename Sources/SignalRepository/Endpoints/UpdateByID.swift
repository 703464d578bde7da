public import Signals

extension Repository {
    /// Sets some properties of the item with an id, and delivers the item.
    ///
    /// ```swift
    /// let movie = try await repository.update(Movie.self, id: id, set: [.set(\.studio, to: "Miramax")]).value()
    /// ```
    /// What else has changed meanwhile stays: other properties are not written.
    /// - Delivery: the item as it is then, once it is committed; then it finishes.
    /// - Failure: `.notFound`; otherwise as `update(_:set:where:)`. Nothing is kept.
    public func update<Item: Entity>(
        _ type: Item.Type, id: Item.ID, set assignments: [Assignment<Item>]
    ) -> Signal<Item, RepositoryError> {
        transaction(for: RepositoryCall(.update, type, id: id), author: nil) { store in
            try store.update(type, id: id, set: assignments)
        }
    }
}

extension WriteTransaction {
    /// Sets some properties of the item with an id, and returns the item as it is then.
    ///
    /// - Failure: `.notFound`; otherwise as `update(_:set:where:)`. None of it is kept; earlier work stays.
    @discardableResult
    public func update<Item: Entity>(
        _ type: Item.Type, id: Item.ID, set assignments: [Assignment<Item>]
    ) throws(RepositoryError) -> Item {
        // A nested transaction: if what is stored is no item, nothing must be left behind.
        try transaction { store in
            let key = try Item.schema.key.names
            let row = try SQLText(whereIs: id, of: type)
            let now = try store.update(type, set: assignments, in: row) { sql throws(RepositoryError) -> Item.ID? in
                // In a nested transaction, RETURNING takes five times as long: it is for an id that may change.
                if try assignments.assigns(oneOf: key) { return try store.readChangedIDs(of: type, sql).first }
                return try store.changeRows(sql) > 0 ? id : nil
            }
            guard let now else { throw try store.unchanged(.update, type, id: id) }
            return try store.read(type, id: now)
        }
    }
}
