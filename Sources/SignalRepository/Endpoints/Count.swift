public import Signals

extension Repository {
    /// Counts the items of each group with the same value in a column.
    ///
    /// ```swift
    /// let studios = try await repository.count(Movie.self, groupedBy: \.studio).value()
    /// ```
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then it finishes.
    /// - Failure: `.misuse` for a property without a column.
    public func count<Item: Entity, Key: ColumnValue & Equatable>(
        _ type: Item.Type, groupedBy key: KeyPath<Item, Key> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<[Grouped<Key, Int>], RepositoryError> {
        let condition = Condition.narrowing(condition)
        return signal(
            for: .read(oneStatement: RepositoryCall("count", type)) { store in
                try Aggregation<Item, Int>(.rows, of: nil, where: condition, groupedBy: key).groups(
                    by: Key.self, in: store)
            })
    }

    /// Counts the items of each group, now and whenever a number changes.
    ///
    /// - Delivery: the current groups, then each different array, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `count(_:groupedBy:where:)`, which ends it; `.closed` when the repository is closed.
    public func countSubscription<Item: Entity, Key: ColumnValue & Equatable>(
        _ type: Item.Type, groupedBy key: KeyPath<Item, Key> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) -> Signal<[Grouped<Key, Int>], RepositoryError> {
        let rows = AggregateFunction<Never, Int>.rows
        return signal(
            for: .values(
                RepositoryCall("countSubscription", type),
                LiveQuery(rows, of: nil, where: .narrowing(condition), groupedBy: key)))
    }
}

extension ReadTransaction {
    /// Counts the items of a type, or those that meet a condition.
    public func count<Item: Entity>(
        _ type: Item.Type,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) throws(RepositoryError) -> Int {
        try fetch(FetchQuery(condition: .narrowing(condition)).count)
    }

    /// Counts the items of each group with the same value in a column.
    public func count<Item: Entity, Key: ColumnValue & Equatable>(
        _ type: Item.Type, groupedBy key: KeyPath<Item, Key> & Sendable,
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item> = { _ in .true }
    ) throws(RepositoryError) -> [Grouped<Key, Int>] {
        try Aggregation<Item, Int>(.rows, of: nil, where: .narrowing(condition), groupedBy: key)
            .groups(by: Key.self, in: self)
    }

    /// Executes a statement that returns one number.
    final func number(_ sql: QuerySQL) throws(RepositoryError) -> Int {
        try checkUsable()
        return try query(try session.statement(sql)) { statement throws(RepositoryError) in
            try statement.first { row throws(RepositoryError) in try row.value(Int.self, at: 0) } ?? 0
        }
    }
}
