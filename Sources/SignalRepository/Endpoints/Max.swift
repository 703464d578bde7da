public import Signals

extension Repository {
    /// Finds the greatest value of a column over all items, or those that meet a condition.
    ///
    /// ```swift
    /// let greatest = try await repository.max(of: \Movie.boxOffice, where: \.studio == "Gramercy").value()
    /// ```
    /// - Delivery: one value, `nil` when there is none; then it finishes.
    /// - Failure: `.decoding` when a stored value does not fit the column's type; `.misuse`.
    public func max<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Plain?, RepositoryError> {
        aggregate(.max, of: column, where: condition)
    }

    /// Finds the greatest value of a column, now and whenever the result changes.
    ///
    /// - Delivery: the current result, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `max(of:where:)`, which ends it; `.closed` when the repository is closed.
    public func maxSubscription<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Plain?, RepositoryError> {
        aggregateSubscription(.max, of: column, where: condition)
    }

    /// Finds the greatest value of a column over each group of items with the same value in another column.
    ///
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then it finishes.
    /// - Failure: `.decoding` when a stored value does not fit the column's type; `.misuse`.
    public func max<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        aggregate(.max, of: column, where: condition, groupedBy: key)
    }

    /// Finds the greatest value of a column over each group, now and whenever a result changes.
    ///
    /// - Delivery: the current groups, then each different array, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `max(of:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func maxSubscription<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        aggregateSubscription(.max, of: column, where: condition, groupedBy: key)
    }
}

extension ReadTransaction {
    /// Finds the greatest value of a column over all items, or those that meet a condition.
    public func max<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Value.Plain? {
        try aggregate(.max, of: column, where: condition)
    }

    /// Finds the greatest value of a column over each group of items with the same value in another column.
    public func max<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Plain?>] {
        try aggregate(.max, of: column, where: condition, groupedBy: key)
    }
}
