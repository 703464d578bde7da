public import Signals

extension Repository {
    /// Deletes every item that meets a condition: one statement, one transaction, one notification, of any size; all or
    /// none.
    ///
    /// ```swift
    /// let count = try await repository.delete(Movie.self, where: \.boxOffice < 1_000).value()
    /// ```
    /// `where: nil` deletes every item; it has no default, so that nobody does this by omission.
    /// - Delivery: the number of deleted items, once the deletion is committed; then it finishes. What a rule of
    ///   `.references` deletes along with them is not counted.
    /// - Failure: `.constraint` when another item refers to one of them; `.misuse` for a property without a column.
    ///   Nothing is deleted.
    public func delete<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>?
    ) -> Signal<Int, RepositoryError> {
        transaction(for: RepositoryCall(.delete, type), author: nil) { store in
            try store.delete(type, where: condition)
        }
    }

    /// Deletes every item that meets a condition, as `delete(_:where:)` does, and delivers their ids.
    ///
    /// ```swift
    /// let ids = try await repository.deleteReturningIDs(Movie.self, where: \.boxOffice < 1_000).value()
    /// ```
    /// - Delivery: the ids of the deleted items, in unspecified order, once the deletion is committed; then it
    ///   finishes. What a rule of `.references` deletes along with them is not included.
    /// - Failure: as `delete(_:where:)`.
    /// - Complexity: the ids are held in memory, the items are not.
    public func deleteReturningIDs<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>?
    ) -> Signal<[Item.ID], RepositoryError> {
        transaction(for: RepositoryCall(.deleteReturningIDs, type), author: nil) { store in
            try store.deleteReturningIDs(type, where: condition)
        }
    }
}

extension WriteTransaction {
    /// Deletes every item that meets a condition, or every item for `nil`, and returns the number of deleted items.
    ///
    /// - Failure: `.constraint` when another item refers to one of them; `.misuse` for a property without a column.
    ///   Nothing is deleted; earlier work stays.
    @discardableResult
    public func delete<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>?
    ) throws(RepositoryError) -> Int {
        try delete(type, condition) { sql throws(RepositoryError) in try changeRows(sql) }
    }

    /// Deletes every item that meets a condition, or every item for `nil`, and returns their ids, in unspecified order.
    ///
    /// - Failure: as `delete(_:where:)`.
    /// - Complexity: the ids are held in memory, the items are not.
    @discardableResult
    public func deleteReturningIDs<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>?
    ) throws(RepositoryError) -> [Item.ID] {
        try delete(type, condition) { sql throws(RepositoryError) in try changedIDs(of: type, sql) }
    }

    private func delete<Item: Entity, Output>(
        _ type: Item.Type, _ condition: Condition<Item>?, _ body: (SQLText) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        try checkUsable()
        let rows = try session.dialect.rows(where: condition)
        do {
            return try body(session.dialect.delete(type, in: rows))
        } catch {
            throw error.namingReference { () throws(RepositoryError) in
                try session.connection.keepingReference(rows, of: Item.entityName, isDeletion: true)
            }
        }
    }
}
