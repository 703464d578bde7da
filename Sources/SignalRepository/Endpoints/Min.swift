public import Signals

extension Repository {
    /// Finds the least value of a column over all items, or over those that pass a condition.
    ///
    /// ```swift
    /// let least = try await repository.min(of: \Movie.boxOffice, where: \.studio == "Gramercy").first()
    /// ```
    /// - Delivery: one value, `nil` when there is none; then finished.
    /// - Failure: `.decoding` when a stored value is not one of the column's type; `.misuse`.
    public func min<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Plain?, RepositoryError> {
        aggregate(.min, of: column, where: condition)
    }

    /// Finds the least value of a column, now and after every change of the result.
    ///
    /// - Delivery: the result as it is now, then each different one, in commit order; a slow sink gets the latest. It
    ///   does not finish.
    /// - Failure: as `min(of:where:)`, which ends it; `.closed` when the repository is closed.
    public func minSubscription<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Plain?, RepositoryError> {
        aggregateSubscription(.min, of: column, where: condition)
    }

    /// Finds the least value of a column over each group of items that have the same value of another column.
    ///
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then finished.
    /// - Failure: `.decoding` when a stored value is not one of the column's type; `.misuse`.
    public func min<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        aggregate(.min, of: column, where: condition, groupedBy: key)
    }

    /// Finds the least value of a column over each group, now and after every change of a result.
    ///
    /// - Delivery: every group as it is now, then each different array, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    /// - Failure: as `min(of:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func minSubscription<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        aggregateSubscription(.min, of: column, where: condition, groupedBy: key)
    }
}

extension ReadTransaction {
    /// Finds the least value of a column over all items, or over those that pass a condition.
    public func min<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Value.Plain? {
        try aggregate(.min, of: column, where: condition)
    }

    /// Finds the least value of a column over each group of items that have the same value of another column.
    public func min<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Plain?>] {
        try aggregate(.min, of: column, where: condition, groupedBy: key)
    }
}
