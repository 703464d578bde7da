// What a transaction does for a condition in a closure.

extension ReadTransaction {
    /// Counts the items that meet a condition.
    public func count<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Int {
        try count(type, where: condition(Item.queryTerms))
    }

    /// Counts the items that meet a condition, group by group.
    public func count<Item: Entity, Key: ColumnValue & Equatable>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Int>] {
        try count(type, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Adds up a column over the items that meet a condition.
    public func sum<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Value.Sum {
        try sum(of: column, where: condition(Item.queryTerms))
    }

    /// Averages a column over the items that meet a condition.
    public func average<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Value.Average? {
        try average(of: column, where: condition(Item.queryTerms))
    }

    /// Finds the least value of a column over the items that meet a condition.
    public func min<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Value.Plain? {
        try min(of: column, where: condition(Item.queryTerms))
    }

    /// Finds the greatest value of a column over the items that meet a condition.
    public func max<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Value.Plain? {
        try max(of: column, where: condition(Item.queryTerms))
    }

    /// Summarizes a column over the items that meet a condition.
    public func aggregate<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Summary<Value> {
        try aggregate(of: column, where: condition(Item.queryTerms))
    }

    /// Computes an aggregate function over the items that meet a condition.
    public func aggregate<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Output {
        try aggregate(function, of: column, where: condition(Item.queryTerms))
    }

    /// Adds up a column over each group of the items that meet a condition.
    public func sum<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Sum>] {
        try sum(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Averages a column over each group of the items that meet a condition.
    public func average<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Average?>] {
        try average(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Finds the least value of a column over each group of the items that meet a condition.
    public func min<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Plain?>] {
        try min(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Finds the greatest value of a column over each group of the items that meet a condition.
    public func max<Item: Entity, Value: OrderedValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Value.Plain?>] {
        try max(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Summarizes a column over each group of the items that meet a condition.
    public func aggregate<Item: Entity, Value: NumericValue, Key: ColumnValue & Equatable>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Summary<Value>>] {
        try aggregate(of: column, where: condition(Item.queryTerms), groupedBy: key)
    }

    /// Computes an aggregate function over each group of the items that meet a condition.
    public func aggregate<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>,
        groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Output>] {
        try aggregate(function, of: column, where: condition(Item.queryTerms), groupedBy: key)
    }
}

extension WriteTransaction {
    /// Deletes the items that meet a condition, and returns how many there were.
    @discardableResult
    public func delete<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Int {
        try delete(type, where: condition(Item.queryTerms))
    }

    /// Deletes the items that meet a condition, and returns their ids.
    @discardableResult
    public func deleteReturningIDs<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> [Item.ID] {
        try deleteReturningIDs(type, where: condition(Item.queryTerms))
    }

    /// Changes the items that meet a condition, and returns how many there were.
    @discardableResult
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>],
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Int {
        try update(type, set: assignments, where: condition(Item.queryTerms))
    }

    /// Changes the items that meet a condition, and returns their ids.
    @discardableResult
    public func updateReturningIDs<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>],
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> [Item.ID] {
        try updateReturningIDs(type, set: assignments, where: condition(Item.queryTerms))
    }
}
