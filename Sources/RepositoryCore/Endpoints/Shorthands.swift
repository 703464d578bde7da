public import Signals

// Shorthands with the method names of the library CoreDataRepository. Each one fetches or follows a query.

extension Repository {
    /// Fetches the answer of a query, now and whenever the answer changes; see `follow(_:)`.
    ///
    /// ```swift
    /// let token = repository.fetchSubscription(Movie.where { $0.studio == nil })
    ///     .sink(onValue: { print($0.count) }, onCompletion: { _ in })
    /// ```
    /// - Delivery and failure: as `follow(_:)`.
    public func fetchSubscription<Query: LiveRepositoryQuery>(
        _ query: Query
    ) -> Signal<Query.Answer, RepositoryError> { follow(query) }

    /// Fetches the first item of a query.
    ///
    /// ```swift
    /// let best = try await repository.first(Movie.all.sorted(by: \.boxOffice, .descending)).value()
    /// ```
    /// - Delivery: the item, or `nil` when the query has no items; then the signal finishes.
    /// - Failure: as `fetch(_:)`.
    public func first<Query: RowsRepositoryQuery>(_ query: Query) -> Signal<Query.Row?, RepositoryError> {
        fetch(query.first)
    }

    /// Fetches the first item of a query, now and whenever the item changes or another item becomes the first.
    ///
    /// ```swift
    /// let token = repository.firstSubscription(Movie.all.sorted(by: \.boxOffice, .descending))
    ///     .sink(onValue: { print($0?.title ?? "none") }, onCompletion: { _ in })
    /// ```
    /// - Delivery: the current item, or `nil` when the query has no items, and then, in commit order, each first item
    ///   that differs from the one before; a slow sink receives only the latest. The signal does not finish.
    /// - Failure: as `first(_:)`; `.closed` when the repository is closed.
    public func firstSubscription<Query: RowsRepositoryQuery & LiveRepositoryQuery>(
        _ query: Query
    ) -> Signal<Query.Row?, RepositoryError> { follow(query.first) }

    /// Counts the items of a type, or the items that meet a condition.
    ///
    /// ```swift
    /// let count = try await repository.count(Movie.self) { $0.studio == nil }.value()
    /// ```
    /// - Delivery: one number; then the signal finishes.
    /// - Failure: `.misuse` for a property without a column.
    public func count<Item: Entity>(
        _ type: Item.Type,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Int, RepositoryError> { fetch(Item.where(condition).count) }

    /// Counts the items that a query would fetch.
    ///
    /// - Delivery and failure: as `count(_:where:)`.
    public func count<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<Int, RepositoryError> { fetch(query.count) }

    /// Counts the items of a type, or the items that meet a condition, now and whenever the number changes.
    ///
    /// - Delivery: the current number and then, in commit order, each number that differs from the one before; a slow
    ///   sink receives only the latest number. The signal does not finish.
    /// - Failure: as `count(_:where:)`; `.closed` when the repository is closed.
    public func countSubscription<Item: Entity>(
        _ type: Item.Type,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Int, RepositoryError> { follow(Item.where(condition).count) }

    /// Counts the items that a query would fetch, now and whenever the number changes.
    ///
    /// - Delivery and failure: as `countSubscription(_:where:)`.
    public func countSubscription<Item: Fetchable>(_ query: FetchQuery<Item>) -> Signal<Int, RepositoryError> {
        follow(query.count)
    }

    /// Adds up a column over all items, or over the items that meet a condition.
    ///
    /// ```swift
    /// let gross = try await repository.sum(of: \Movie.boxOffice) { $0.studio == "Gramercy" }.value()
    /// ```
    /// - Delivery: one value, exact unless the column is floating-point; zero when there is nothing to add up; then the
    ///   signal finishes.
    /// - Failure: `.overflow` when the result does not fit its type; `.misuse`.
    public func sum<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Value.Sum, RepositoryError> { fetch(Item.where(condition).sum(of: column)) }

    /// Adds up a column, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `aggregateSubscription(_:of:where:)`.
    public func sumSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Value.Sum, RepositoryError> { follow(Item.where(condition).sum(of: column)) }

    /// Averages a column over all items, or over the items that meet a condition.
    ///
    /// ```swift
    /// let mean = try await repository.average(of: \Movie.boxOffice) { $0.studio == "Gramercy" }.value()
    /// ```
    /// - Delivery: one value, a `Double` or `Decimal`; `nil` when there is nothing to average; then the signal
    ///   finishes.
    /// - Failure: `.overflow` when the result does not fit its type; `.misuse`.
    public func average<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Value.Average?, RepositoryError> {
        fetch(Item.where(condition).average(of: column))
    }

    /// Averages a column, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `aggregateSubscription(_:of:where:)`.
    public func averageSubscription<Item: Entity, Value: NumericValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Value.Average?, RepositoryError> {
        follow(Item.where(condition).average(of: column))
    }

    /// Finds the smallest value of a column over all items, or over the items that meet a condition.
    ///
    /// ```swift
    /// let least = try await repository.min(of: \Movie.boxOffice) { $0.studio == "Gramercy" }.value()
    /// ```
    /// - Delivery: one value; `nil` when there are no values; then the signal finishes.
    /// - Failure: `.decoding` when a stored value does not fit the column's type; `.misuse`.
    public func min<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Value.Plain?, RepositoryError> { fetch(Item.where(condition).min(of: column)) }

    /// Finds the smallest value of a column, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `aggregateSubscription(_:of:where:)`.
    public func minSubscription<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Value.Plain?, RepositoryError> { follow(Item.where(condition).min(of: column)) }

    /// Finds the largest value of a column over all items, or over the items that meet a condition.
    ///
    /// ```swift
    /// let greatest = try await repository.max(of: \Movie.boxOffice) { $0.studio == "Gramercy" }.value()
    /// ```
    /// - Delivery: one value; `nil` when there are no values; then the signal finishes.
    /// - Failure: `.decoding` when a stored value does not fit the column's type; `.misuse`.
    public func max<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Value.Plain?, RepositoryError> { fetch(Item.where(condition).max(of: column)) }

    /// Finds the largest value of a column, now and whenever the result changes.
    ///
    /// - Delivery and failure: as `aggregateSubscription(_:of:where:)`.
    public func maxSubscription<Item: Entity, Value: OrderedValue>(
        of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Value.Plain?, RepositoryError> { follow(Item.where(condition).max(of: column)) }

    /// Computes an aggregate of a column over all items, or over the items that meet a condition.
    ///
    /// ```swift
    /// let gross = try await repository.aggregate(.sum, of: \Movie.boxOffice).value()
    /// ```
    /// - Delivery: one value; then the signal finishes.
    /// - Failure: `.overflow` when the result does not fit its type; `.decoding`; `.misuse`.
    public func aggregate<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Output, RepositoryError> {
        fetch(Item.where(condition).aggregate(function, of: column))
    }

    /// Computes an aggregate of a column, now and whenever the result changes.
    ///
    /// - Delivery: the current result and then, in commit order, each result that differs from the one before; a slow
    ///   sink receives only the latest result. The signal does not finish.
    /// - Failure: as `aggregate(_:of:where:)`; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<Output, RepositoryError> {
        follow(Item.where(condition).aggregate(function, of: column))
    }

    /// Computes an aggregate of a column for each group of items with the same value in another column.
    ///
    /// - Delivery: one array with every group, in the order of the keys, with the key `nil` first; then the signal
    ///   finishes.
    /// - Failure: `.overflow` when a result does not fit its type; `.decoding`; `.misuse`.
    public func aggregate<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        groupedBy key: KeyPath<Item, Key> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        fetch(Item.where(condition).aggregate(function, of: column, groupedBy: key))
    }

    /// Computes an aggregate of a column for each group, now and whenever a result changes.
    ///
    /// - Delivery: the current array and then, in commit order, each array that differs from the one before; a slow
    ///   sink receives only the latest array. The signal does not finish.
    /// - Failure: as `aggregate(_:of:groupedBy:where:)`; `.closed` when the repository is closed.
    public func aggregateSubscription<Item: Entity, Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Item, Value> & Sendable,
        groupedBy key: KeyPath<Item, Key> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<[Grouped<Key, Output>], RepositoryError> {
        follow(Item.where(condition).aggregate(function, of: column, groupedBy: key))
    }
}

extension ReadTransaction {
    /// Fetches the first row of a query; returns `nil` when the query has no rows.
    public func first<Query: RowsRepositoryQuery>(_ query: Query) throws(RepositoryError) -> Query.Row? {
        try fetch(query.first)
    }

    /// Counts the items of a type, or the items that meet a condition.
    public func count<Item: Entity>(
        _ type: Item.Type,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) throws(RepositoryError) -> Int {
        try fetch(Item.where(condition).count)
    }
}
