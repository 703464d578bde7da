public import Signals

extension Repository {
    /// Adds up a column over the items that meet a condition.
    ///
    /// ```swift
    /// let gross = try await repository.sum(of: \Movie.boxOffice, where: { $0.title.count > 3 }).value()
    /// ```
    /// - Delivery and failure: as `sum(of:where:)` of a condition.
    public func sum<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Value.Sum, RepositoryError> {
        sum(of: column, where: condition(Item.queryTerms))
    }

    /// Adds up a column over the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `sumSubscription(of:where:)` of a condition.
    public func sumSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Value.Sum, RepositoryError> {
        sumSubscription(of: column, where: condition(Item.queryTerms))
    }

    /// Averages a column over the items that meet a condition.
    ///
    /// - Delivery and failure: as `average(of:where:)` of a condition.
    public func average<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Value.Average?, RepositoryError> {
        average(of: column, where: condition(Item.queryTerms))
    }

    /// Averages a column over the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `averageSubscription(of:where:)` of a condition.
    public func averageSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Value.Average?, RepositoryError> {
        averageSubscription(of: column, where: condition(Item.queryTerms))
    }

    /// Finds the least value of a column over the items that meet a condition.
    ///
    /// - Delivery and failure: as `min(of:where:)` of a condition.
    public func min<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Value.Plain?, RepositoryError> {
        min(of: column, where: condition(Item.queryTerms))
    }

    /// Finds the least value of a column over the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `minSubscription(of:where:)` of a condition.
    public func minSubscription<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Value.Plain?, RepositoryError> {
        minSubscription(of: column, where: condition(Item.queryTerms))
    }

    /// Finds the greatest value of a column over the items that meet a condition.
    ///
    /// - Delivery and failure: as `max(of:where:)` of a condition.
    public func max<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Value.Plain?, RepositoryError> {
        max(of: column, where: condition(Item.queryTerms))
    }

    /// Finds the greatest value of a column over the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `maxSubscription(of:where:)` of a condition.
    public func maxSubscription<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Value.Plain?, RepositoryError> {
        maxSubscription(of: column, where: condition(Item.queryTerms))
    }

    /// Summarizes a column over the items that meet a condition.
    ///
    /// - Delivery and failure: as `aggregate(of:where:)` of a condition.
    public func aggregate<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Summary<Value>, RepositoryError> {
        aggregate(of: column, where: condition(Item.queryTerms))
    }

    /// Summarizes a column over the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `aggregateSubscription(of:where:)` of a condition.
    public func aggregateSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Summary<Value>, RepositoryError> {
        aggregateSubscription(of: column, where: condition(Item.queryTerms))
    }

    /// Computes an aggregate function over the items that meet a condition.
    ///
    /// - Delivery and failure: as `aggregate(_:of:where:)` of a condition.
    public func aggregate<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Output, RepositoryError> {
        aggregate(function, of: column, where: condition(Item.queryTerms))
    }

    /// Computes an aggregate function over the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `aggregateSubscription(_:of:where:)` of a condition.
    public func aggregateSubscription<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Output, RepositoryError> {
        aggregateSubscription(function, of: column, where: condition(Item.queryTerms))
    }

    /// Adds up a column over each group of the items that meet a condition.
    ///
    /// - Delivery and failure: as `sum(of:where:groupedBy:)` of a condition.
    public func sum<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Sum>], RepositoryError> {
        sum(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Adds up a column over each group of the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `sumSubscription(of:where:groupedBy:)` of a condition.
    public func sumSubscription<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Sum>], RepositoryError> {
        sumSubscription(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Averages a column over each group of the items that meet a condition.
    ///
    /// - Delivery and failure: as `average(of:where:groupedBy:)` of a condition.
    public func average<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Average?>], RepositoryError> {
        average(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Averages a column over each group of the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `averageSubscription(of:where:groupedBy:)` of a condition.
    public func averageSubscription<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Average?>], RepositoryError> {
        averageSubscription(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Finds the least value of a column over each group of the items that meet a condition.
    ///
    /// - Delivery and failure: as `min(of:where:groupedBy:)` of a condition.
    public func min<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        min(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Finds the least value of a column over each group of the items that meet a condition, now
    /// and whenever the result changes.
    ///
    /// - Delivery and failure: as `minSubscription(of:where:groupedBy:)` of a condition.
    public func minSubscription<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        minSubscription(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Finds the greatest value of a column over each group of the items that meet a condition.
    ///
    /// - Delivery and failure: as `max(of:where:groupedBy:)` of a condition.
    public func max<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        max(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Finds the greatest value of a column over each group of the items that meet a condition,
    /// now and whenever the result changes.
    ///
    /// - Delivery and failure: as `maxSubscription(of:where:groupedBy:)` of a condition.
    public func maxSubscription<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Value.Plain?>], RepositoryError> {
        maxSubscription(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Summarizes a column over each group of the items that meet a condition.
    ///
    /// - Delivery and failure: as `aggregate(of:where:groupedBy:)` of a condition.
    public func aggregate<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Summary<Value>>], RepositoryError> {
        aggregate(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Summarizes a column over each group of the items that meet a condition, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `aggregateSubscription(of:where:groupedBy:)` of a condition.
    public func aggregateSubscription<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Summary<Value>>], RepositoryError> {
        aggregateSubscription(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Computes an aggregate function over each group of the items that meet a condition.
    ///
    /// - Delivery and failure: as `aggregate(_:of:where:groupedBy:)` of a condition.
    public func aggregate<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        aggregate(function, of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Computes a function of a column over each group of the items that meet a condition, now and whenever the result
    /// changes.
    ///
    /// - Delivery and failure: as `aggregateSubscription(_:of:where:groupedBy:)` of a condition.
    public func aggregateSubscription<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        aggregateSubscription(function, of: column, where: condition(Item.queryTerms), groupedBy: key)
    }
}
