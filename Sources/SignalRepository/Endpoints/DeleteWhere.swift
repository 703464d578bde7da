public import Signals

extension Repository {
    /// Deletes every item that passes a condition: one statement, one transaction, one notification, of any size; all
    /// of them or none.
    ///
    /// ```swift
    /// let count = try await repository.delete(Movie.self, where: \.boxOffice < 1_000).first()
    /// ```
    /// `where: nil` deletes every item; it has no default, so that nobody does so by leaving it out.
    /// - Delivery: the number of items deleted, once the deletion is committed; then finished. What a rule of
    ///   `.references` deletes along with them is not counted.
    /// - Failure: `.constraint` when another item refers to one of them; `.misuse` for a property without a column.
    ///   Nothing is deleted then.
    public func delete<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>?
    ) -> Signal<Int, RepositoryError> {
        transaction { store in try store.delete(type, where: condition) }
    }
}

extension WriteTransaction {
    /// Deletes every item that passes a condition, every item for `nil`, and returns the number of items deleted.
    ///
    /// - Failure: `.constraint` when another item refers to one of them; `.misuse` for a property without a column.
    ///   Nothing is deleted then; what was done before stays.
    @discardableResult
    public func delete<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>?
    ) throws(RepositoryError) -> Int {
        try checkUsable()
        return try changeRows(try SQLText.delete(type, where: condition))
    }
}
