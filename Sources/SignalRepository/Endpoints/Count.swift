public import Signals

extension Repository {
    /// Counts the items of a type, or those that pass a condition.
    ///
    /// ```swift
    /// let count = try await repository.count(Movie.self, where: \.studio == nil).first()
    /// ```
    /// - Delivery: one number; then finished.
    /// - Failure: `.misuse` for a property without a column.
    public func count<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>? = nil
    ) -> Signal<Int, RepositoryError> {
        count(FetchQuery(condition: condition))
    }

    /// Counts the items that a query would fetch.
    ///
    /// - Delivery: one number; then finished.
    /// - Failure: `.misuse` for a property without a column.
    public func count<Item: Entity>(_ query: FetchQuery<Item>) -> Signal<Int, RepositoryError> {
        read { store in try store.count(query) }
    }

    /// Counts the items of a type, or those that pass a condition, now and after every change of the number.
    ///
    /// - Delivery: the number as it is now, and then each different one, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    /// - Failure: as `count(_:where:)`, which ends it; `.closed` when the repository is closed.
    public func countSubscription<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>? = nil
    ) -> Signal<Int, RepositoryError> {
        countSubscription(FetchQuery(condition: condition))
    }

    /// Counts the items that a query would fetch, now and after every change of the number.
    ///
    /// - Delivery: the number as it is now, and then each different one, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    /// - Failure: as `count(_:)`, which ends it; `.closed` when the repository is closed.
    public func countSubscription<Item: Entity>(_ query: FetchQuery<Item>) -> Signal<Int, RepositoryError> {
        let sql = Result { () throws(RepositoryError) in try SQLText.count(query) }
        return follow(LiveQuery { store in try store.number(sql.get()) }).map(\.value)
    }

    /// Counts the items of each group of those that have the same value of a column.
    ///
    /// ```swift
    /// let studios = try await repository.count(Movie.self, groupedBy: \.studio).first()
    /// ```
    /// - Delivery: one array with every group, in the order of the keys, `nil` first; then finished.
    /// - Failure: `.misuse` for a property without a column.
    public func count<Item: Entity, Key: ColumnValue & Equatable>(
        _ type: Item.Type, where condition: Condition<Item>? = nil, groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Int>], RepositoryError> {
        read { store in try store.count(type, where: condition, groupedBy: key) }
    }

    /// Counts the items of each group, now and after every change of a number.
    ///
    /// - Delivery: every group as it is now, then each different array, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    /// - Failure: as `count(_:where:groupedBy:)`, which ends it; `.closed` when the repository is closed.
    public func countSubscription<Item: Entity, Key: ColumnValue & Equatable>(
        _ type: Item.Type, where condition: Condition<Item>? = nil, groupedBy key: KeyPath<Item, Key> & Sendable
    ) -> Signal<[Grouped<Key, Int>], RepositoryError> {
        let aggregation = Result { () throws(RepositoryError) in
            try Aggregation<Item, Int>(.rows, of: nil, where: condition, groupedBy: key)
        }
        return follow(LiveQuery { store in try aggregation.get().groups(by: Key.self, in: store) }).map(\.value)
    }
}

extension ReadTransaction {
    /// Counts the items of a type, or those that pass a condition.
    public func count<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>? = nil
    ) throws(RepositoryError) -> Int {
        try count(FetchQuery(condition: condition))
    }

    /// Counts the items that a query would fetch.
    public func count<Item: Entity>(_ query: FetchQuery<Item>) throws(RepositoryError) -> Int {
        try checkUsable()
        return try number(try SQLText.count(query))
    }

    /// Counts the items of each group of those that have the same value of a column.
    public func count<Item: Entity, Key: ColumnValue & Equatable>(
        _ type: Item.Type, where condition: Condition<Item>? = nil, groupedBy key: KeyPath<Item, Key> & Sendable
    ) throws(RepositoryError) -> [Grouped<Key, Int>] {
        try Aggregation<Item, Int>(.rows, of: nil, where: condition, groupedBy: key).groups(by: Key.self, in: self)
    }

    /// Executes a statement that gives one number.
    final func number(_ sql: SQLText) throws(RepositoryError) -> Int {
        try query(try session.statement(sql)) { statement throws(RepositoryError) in
            guard try statement.step() else { return 0 }
            return try statement.value(Int.self, at: 0)
        }
    }
}
