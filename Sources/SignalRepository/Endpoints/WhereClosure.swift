public import Signals

// The endpoints that take a condition, with the condition in a closure: each line of it has to hold. They are declared
// again because Swift converts no closure to another type, and the endpoints of a condition do the work.

extension Repository {
    /// Counts the items that meet a condition.
    ///
    /// ```swift
    /// let long = try await repository.count(Movie.self) { $0.title.count > 12 }.value()
    /// ```
    /// - Delivery and failure: as `count(_:where:)` of a condition.
    public func count<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Int, RepositoryError> {
        count(type, where: condition(Item.queryTerms))
    }

    /// Counts the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `countSubscription(_:where:)` of a condition.
    public func countSubscription<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Int, RepositoryError> {
        countSubscription(type, where: condition(Item.queryTerms))
    }

    /// Counts the items that meet a condition, group by group.
    ///
    /// - Delivery and failure: as `count(_:where:groupedBy:)` of a condition.
    public func count<Item: Entity, Key: ColumnValue & Equatable>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Int>], RepositoryError> {
        count(type, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Counts the items that meet a condition, group by group, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `countSubscription(_:where:groupedBy:)` of a condition.
    public func countSubscription<Item: Entity, Key: ColumnValue & Equatable>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Int>], RepositoryError> {
        countSubscription(type, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Deletes the items that meet a condition, and delivers how many there were.
    ///
    /// ```swift
    /// let count = try await repository.delete(Movie.self) { $0.title.hasPrefix("The ") && $0.studio == nil }.value()
    /// ```
    /// - Delivery and failure: as `delete(_:where:)` of a condition.
    public func delete<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Int, RepositoryError> {
        delete(type, where: condition(Item.queryTerms))
    }

    /// Deletes the items that meet a condition, and delivers their ids.
    ///
    /// - Delivery and failure: as `deleteReturningIDs(_:where:)` of a condition.
    public func deleteReturningIDs<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<[Item.ID], RepositoryError> {
        deleteReturningIDs(type, where: condition(Item.queryTerms))
    }

    /// Changes the items that meet a condition, and delivers how many there were.
    ///
    /// - Delivery and failure: as `update(_:set:where:)` of a condition.
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>],
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Int, RepositoryError> {
        update(type, set: assignments, where: condition(Item.queryTerms))
    }

    /// Changes the items that meet a condition, and delivers their ids.
    ///
    /// - Delivery and failure: as `updateReturningIDs(_:set:where:)` of a condition.
    public func updateReturningIDs<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>],
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<[Item.ID], RepositoryError> {
        updateReturningIDs(type, set: assignments, where: condition(Item.queryTerms))
    }
}
