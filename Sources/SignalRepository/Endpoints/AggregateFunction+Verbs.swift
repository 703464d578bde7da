public import Signals

// The verbs that take any aggregate function; those with a function's name (`sum`, `average`, …) are short for these.

extension Repository {
    /// Computes a function of a column over all items, or over those that pass a condition.
    ///
    /// ```swift
    /// let gross = try await repository.aggregate(.sum, of: \Movie.boxOffice).first()
    /// ```
    /// - Delivery: one value; then finished.
    /// - Failure: `.overflow` when the result does not fit its type; `.decoding`; `.misuse`.
    public func aggregate<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil
    ) -> Signal<Output, RepositoryError> {
        read { store in try store.aggregate(function, of: column, where: condition) }
    }

    /// Computes a function of a column, now and after every change of the result.
    ///
    /// - Delivery: the result as it is now, then each different one, in commit order; a slow sink gets the latest. It
    ///   does not finish.
    /// - Failure: as `aggregate(_:of:where:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil
    ) -> Signal<Output, RepositoryError> {
        let aggregation = Result { () throws(RepositoryError) in
            try Aggregation<Item, Output>(function, of: column, where: condition)
        }
        return follow(LiveQuery { store in try aggregation.get().value(in: store) }).map(\.value)
    }

    /// Computes a function of a column for each group of items that have the same value of another column.
    ///
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then finished.
    /// - Failure: `.overflow` when a result does not fit its type; `.decoding`; `.misuse`.
    public func aggregate<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil, groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        read { store in try store.aggregate(function, of: column, where: condition, groupedBy: key) }
    }

    /// Computes a function of a column for each group, now and after every change of a result.
    ///
    /// - Delivery: every group as it is now, then each different array, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    /// - Failure: as `aggregate(_:of:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil, groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        let aggregation = Result { () throws(RepositoryError) in
            try Aggregation<Item, Output>(function, of: column, where: condition, groupedBy: key)
        }
        return follow(LiveQuery { store in try aggregation.get().groups(by: Key.self, in: store) }).map(\.value)
    }
}

extension ReadTransaction {
    /// Computes a function of a column over all items, or over those that pass a condition.
    public func aggregate<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Output {
        try Aggregation(function, of: column, where: condition).value(in: self)
    }

    /// Computes a function of a column for each group of items that have the same value of another column.
    public func aggregate<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil, groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Output>] {
        try Aggregation(function, of: column, where: condition, groupedBy: key).groups(by: Key.self, in: self)
    }
}
