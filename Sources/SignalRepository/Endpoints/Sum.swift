public import Signals

extension Repository {
    /// Adds up a column over all items, or over those that pass a condition.
    ///
    /// ```swift
    /// let gross = try await repository.sum(of: \Movie.boxOffice, where: \.studio == "Gramercy").first()
    /// ```
    /// - Delivery: one value, exact; zero when there is nothing to add up; then finished.
    /// - Failure: `.overflow` when the result does not fit its type, never a wrong number; `.misuse`.
    public func sum<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Sum, RepositoryError> {
        aggregate(.sum, of: column, where: condition)
    }

    /// Adds up a column, now and after every change of the result.
    ///
    /// - Delivery: the result as it is now, then each different one, in commit order; a slow sink gets the latest. It
    ///   does not finish.
    /// - Failure: as `sum(of:where:)`, which ends it; `.closed` when the repository is closed.
    public func sumSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Sum, RepositoryError> {
        aggregateSubscription(.sum, of: column, where: condition)
    }

    /// Adds up a column over each group of items that have the same value of another column.
    ///
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then finished.
    /// - Failure: `.overflow` when the result does not fit its type, never a wrong number; `.misuse`.
    public func sum<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Sum>], RepositoryError> {
        aggregate(.sum, of: column, where: condition, groupedBy: key)
    }

    /// Adds up a column over each group, now and after every change of a result.
    ///
    /// - Delivery: every group as it is now, then each different array, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    /// - Failure: as `sum(of:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func sumSubscription<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Sum>], RepositoryError> {
        aggregateSubscription(.sum, of: column, where: condition, groupedBy: key)
    }
}

extension ReadTransaction {
    /// Adds up a column over all items, or over those that pass a condition.
    public func sum<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Value.Sum {
        try aggregate(.sum, of: column, where: condition)
    }

    /// Adds up a column over each group of items that have the same value of another column.
    public func sum<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Sum>] {
        try aggregate(.sum, of: column, where: condition, groupedBy: key)
    }
}
