public import Signals

extension Repository {
    /// Adds up a column over all items, or those that meet a condition.
    ///
    /// ```swift
    /// let gross = try await repository.sum(of: \Movie.boxOffice, where: \.studio == "Gramercy").value()
    /// ```
    /// - Delivery: one exact value; zero when there is nothing to add up; then it finishes.
    /// - Failure: `.overflow` when the result does not fit its type, never a wrong number; `.misuse`.
    public func sum<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Sum, RepositoryError> {
        aggregate(.sum, of: column, where: condition)
    }

    /// Adds up a column, now and whenever the result changes.
    ///
    /// - Delivery: the current result, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `sum(of:where:)`, which ends it; `.closed` when the repository is closed.
    public func sumSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Sum, RepositoryError> {
        aggregateSubscription(.sum, of: column, where: condition)
    }

    /// Adds up a column over each group of items with the same value in another column.
    ///
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then it finishes.
    /// - Failure: `.overflow` when the result does not fit its type, never a wrong number; `.misuse`.
    public func sum<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Sum>], RepositoryError> {
        aggregate(.sum, of: column, where: condition, groupedBy: key)
    }

    /// Adds up a column over each group, now and whenever a result changes.
    ///
    /// - Delivery: the current groups, then each different array, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `sum(of:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func sumSubscription<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Sum>], RepositoryError> {
        aggregateSubscription(.sum, of: column, where: condition, groupedBy: key)
    }
}

extension ReadTransaction {
    /// Adds up a column over all items, or those that meet a condition.
    public func sum<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Value.Sum {
        try aggregate(.sum, of: column, where: condition)
    }

    /// Adds up a column over each group of items with the same value in another column.
    public func sum<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Sum>] {
        try aggregate(.sum, of: column, where: condition, groupedBy: key)
    }
}
