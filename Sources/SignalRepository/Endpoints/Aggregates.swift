public import Signals

// One engine, which takes any function; `Shorthands.swift` has one for each function.

extension Repository {
    /// Computes a function of a column over all items, or those that meet a condition.
    ///
    /// ```swift
    /// let gross = try await repository.aggregate(.sum, of: \Movie.boxOffice).value()
    /// ```
    /// - Delivery: one value; then it finishes.
    /// - Failure: `.overflow` when the result does not fit its type; `.decoding`; `.misuse`.
    public func aggregate<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Output, RepositoryError> {
        fetch(FetchQuery(condition: .narrowing(condition)).aggregated(function, of: column))
    }

    /// Computes a function of a column, now and whenever the result changes.
    ///
    /// - Delivery: the current result, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `aggregate(_:of:where:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Output, RepositoryError> {
        follow(FetchQuery(condition: .narrowing(condition)).aggregated(function, of: column))
    }

    /// Computes a function of a column for each group of items with the same value in another column.
    ///
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then it finishes.
    /// - Failure: `.overflow` when a result does not fit its type; `.decoding`; `.misuse`.
    public func aggregate<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        groupedBy key: KeyPath<Item, Key> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        let condition = Condition.narrowing(condition)
        return signal(
            for: .read(oneStatement: RepositoryCall(function.name, Item.self)) { store in
                try Aggregation(function, of: column, where: condition, groupedBy: key).groups(by: Key.self, in: store)
            })
    }

    /// Computes a function of a column for each group, now and whenever a result changes.
    ///
    /// - Delivery: the current groups, then each different array, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `aggregate(_:of:groupedBy:where:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        groupedBy key: KeyPath<Item, Key> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        signal(
            for: .values(
                RepositoryCall(function.name + "Subscription", Item.self),
                LiveQuery(function, of: column, where: .narrowing(condition), groupedBy: key)))
    }
}

extension ReadTransaction {
    /// Computes a function of a column over all items, or those that meet a condition.
    public func aggregate<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) throws(RepositoryError) -> Output {
        try fetch(FetchQuery(condition: .narrowing(condition)).aggregated(function, of: column))
    }

    /// Computes a function of a column for each group of items with the same value in another column.
    public func aggregate<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        groupedBy key: KeyPath<Item, Key> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) throws(RepositoryError) -> [Grouped<Key, Output>] {
        try Aggregation(function, of: column, where: .narrowing(condition), groupedBy: key).groups(
            by: Key.self, in: self)
    }
}

extension AggregateFunction {
    /// The name of its shorthand.
    var name: String {
        switch terms {
        case [.count]: "count"
        case [.sum]: "sum"
        case [.count, .sum]: "average"
        case [.minimum]: "min"
        case [.maximum]: "max"
        default: "aggregate"
        }
    }
}
