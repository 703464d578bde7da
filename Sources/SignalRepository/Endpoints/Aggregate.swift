public import Signals

extension Repository {
    /// Computes the count, sum, average, least and greatest value of a column in one statement.
    ///
    /// ```swift
    /// let summary = try await repository.aggregate(of: \Movie.boxOffice).value()
    /// print(summary.count, summary.sum)
    /// ```
    /// - Delivery: one summary; then it finishes.
    /// - Failure: `.overflow` when a result does not fit its type; `.misuse`.
    public func aggregate<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Summary<Value>, RepositoryError> {
        aggregate(.summary, of: column, where: condition)
    }

    /// Computes the summary of a column, now and whenever it changes.
    ///
    /// - Delivery: the current summary, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `aggregate(of:where:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Summary<Value>, RepositoryError> {
        aggregateSubscription(.summary, of: column, where: condition)
    }

    /// Computes the summary of a column for each group of items with the same value in another column.
    ///
    /// ```swift
    /// let studios = try await repository.aggregate(of: \Movie.boxOffice, groupedBy: \.studio).value()
    /// ```
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then it finishes.
    /// - Failure: `.overflow` when a result does not fit its type; `.misuse`.
    public func aggregate<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Summary<Value>>], RepositoryError> {
        aggregate(.summary, of: column, where: condition, groupedBy: key)
    }

    /// Computes the summary of a column for each group, now and whenever one changes.
    ///
    /// - Delivery: the current groups, then each different array, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `aggregate(of:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Summary<Value>>], RepositoryError> {
        aggregateSubscription(.summary, of: column, where: condition, groupedBy: key)
    }
}

extension ReadTransaction {
    /// Computes the count, sum, average, least and greatest value of a column in one statement.
    public func aggregate<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Summary<Value> {
        try aggregate(.summary, of: column, where: condition)
    }

    /// Computes the summary of a column for each group of items with the same value in another column.
    public func aggregate<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Summary<Value>>] {
        try aggregate(.summary, of: column, where: condition, groupedBy: key)
    }
}
