public import Signals

// The endpoints that take any aggregate function; those named after one (`sum`, `average`, …) are short for these.

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
        where condition: Condition<Item>? = nil
    ) -> Signal<Output, RepositoryError> {
        read(for: RepositoryCall(function.verb, Item.self)) { store in
            try store.aggregate(function, of: column, where: condition)
        }
    }

    /// Computes a function of a column, now and whenever the result changes.
    ///
    /// - Delivery: the current result, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `aggregate(_:of:where:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil
    ) -> Signal<Output, RepositoryError> {
        let aggregation = Result { () throws(RepositoryError) in
            try Aggregation<Item, Output>(function, of: column, where: condition, isLive: true)
        }
        let query = LiveQuery(isSame: function.isSame) { store in try aggregation.get().value(in: store) }
            .following(aggregation)
        return followValues(for: RepositoryCall(function.liveVerb, Item.self), query)
    }

    /// Computes a function of a column for each group of items with the same value in another column.
    ///
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then it finishes.
    /// - Failure: `.overflow` when a result does not fit its type; `.decoding`; `.misuse`.
    public func aggregate<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil, groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        read(for: RepositoryCall(function.verb, Item.self)) { store in
            try store.aggregate(function, of: column, where: condition, groupedBy: key)
        }
    }

    /// Computes a function of a column for each group, now and whenever a result changes.
    ///
    /// - Delivery: the current groups, then each different array, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `aggregate(_:of:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil, groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        let aggregation = Result { () throws(RepositoryError) in
            try Aggregation<Item, Output>(function, of: column, where: condition, groupedBy: key, isLive: true)
        }
        let query = LiveQuery(isSame: function.areSame) { store in
            try aggregation.get().groups(by: Key.self, in: store)
        }.following(groupsOf: aggregation)
        return followValues(for: RepositoryCall(function.liveVerb, Item.self), query)
    }
}

extension ReadTransaction {
    /// Computes a function of a column over all items, or those that meet a condition.
    public func aggregate<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Output {
        try Aggregation(function, of: column, where: condition).value(in: self)
    }

    /// Computes a function of a column for each group of items with the same value in another column.
    public func aggregate<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        where condition: Condition<Item>? = nil, groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Output>] {
        try Aggregation(function, of: column, where: condition, groupedBy: key).groups(by: Key.self, in: self)
    }
}

extension AggregateFunction {
    /// The endpoint dedicated to a function.
    fileprivate var verb: RepositoryVerb {
        switch terms {
        case [.count]: .count
        case [.sum]: .sum
        case [.count, .sum]: .average
        case [.minimum]: .min
        case [.maximum]: .max
        default: .aggregate
        }
    }

    fileprivate var liveVerb: RepositoryVerb { RepositoryVerb(verb.name + "Subscription") }
}
