public import Signals

extension Repository {
    /// Averages a column over all items, or those that meet a condition.
    ///
    /// ```swift
    /// let mean = try await repository.average(of: \Movie.boxOffice, where: \.studio == "Gramercy").value()
    /// ```
    /// - Delivery: one value, a `Double` or `Decimal`; `nil` when there is nothing to average; then it finishes.
    /// - Failure: `.overflow` when the result does not fit its type, never a wrong number; `.misuse`.
    public func average<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Average?, RepositoryError> {
        aggregate(.average, of: column, where: condition)
    }

    /// Averages a column, now and whenever the result changes.
    ///
    /// - Delivery: the current result, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `average(of:where:)`, which ends it; `.closed` when the repository is closed.
    public func averageSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Value.Average?, RepositoryError> {
        aggregateSubscription(.average, of: column, where: condition)
    }

    /// Averages a column over each group of items with the same value in another column.
    ///
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then it finishes.
    /// - Failure: `.overflow` when the result does not fit its type, never a wrong number; `.misuse`.
    public func average<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Average?>], RepositoryError> {
        aggregate(.average, of: column, where: condition, groupedBy: key)
    }

    /// Averages a column over each group, now and whenever a result changes.
    ///
    /// - Delivery: the current groups, then each different array, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `average(of:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func averageSubscription<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Average?>], RepositoryError> {
        aggregateSubscription(.average, of: column, where: condition, groupedBy: key)
    }
}

extension ReadTransaction {
    /// Averages a column over all items, or those that meet a condition.
    public func average<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Value.Average? {
        try aggregate(.average, of: column, where: condition)
    }

    /// Averages a column over each group of items with the same value in another column.
    public func average<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Average?>] {
        try aggregate(.average, of: column, where: condition, groupedBy: key)
    }
}
