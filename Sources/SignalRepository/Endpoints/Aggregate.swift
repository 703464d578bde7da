public import Signals

extension Repository {
    /// Computes count, sum, average, least and greatest value of a column in one statement.
    ///
    /// ```swift
    /// let summary = try await repository.aggregate(of: \Movie.boxOffice).first()
    /// print(summary.count, summary.sum)
    /// ```
    /// - Delivery: one summary; then finished.
    /// - Failure: `.overflow` when a result does not fit its type; `.misuse`.
    public func aggregate<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Summary<Value>, RepositoryError> {
        aggregate(.summary, of: column, where: condition)
    }

    /// Computes the summary of a column, now and after every change of it.
    ///
    /// - Delivery: the summary as it is now, then each different one, in commit order; a slow sink gets the latest. It
    ///   does not finish.
    /// - Failure: as `aggregate(of:where:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) -> Signal<Summary<Value>, RepositoryError> {
        aggregateSubscription(.summary, of: column, where: condition)
    }

    /// Computes the summary of a column for each group of items that have the same value of another column.
    ///
    /// ```swift
    /// let studios = try await repository.aggregate(of: \Movie.boxOffice, groupedBy: \.studio).first()
    /// ```
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then finished.
    /// - Failure: `.overflow` when a result does not fit its type; `.misuse`.
    public func aggregate<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Summary<Value>>], RepositoryError> {
        aggregate(.summary, of: column, where: condition, groupedBy: key)
    }

    /// Computes the summary of a column for each group, now and after every change of one.
    ///
    /// - Delivery: every group as it is now, then each different array, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    /// - Failure: as `aggregate(of:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Summary<Value>>], RepositoryError> {
        aggregateSubscription(.summary, of: column, where: condition, groupedBy: key)
    }
}

extension ReadTransaction {
    /// Computes count, sum, average, least and greatest value of a column in one statement.
    public func aggregate<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Summary<Value> {
        try aggregate(.summary, of: column, where: condition)
    }

    /// Computes the summary of a column for each group of items that have the same value of another column.
    public func aggregate<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable, where condition: Condition<Item>? = nil,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Summary<Value>>] {
        try aggregate(.summary, of: column, where: condition, groupedBy: key)
    }
}
