public import Signals

extension Repository {
    /// Counts the items of a type, or those that pass a condition.
    ///
    /// - Delivery: one number; then finished.
    public func count<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>? = nil
    ) -> Signal<Int, RepositoryError> {
        count(FetchQuery(condition: condition))
    }

    /// Counts the items that a query would fetch.
    ///
    /// - Delivery: one number; then finished.
    public func count<Item: Entity>(_ query: FetchQuery<Item>) -> Signal<Int, RepositoryError> {
        read { store in try store.count(query) }
    }

    /// Counts the items of a type, or those that pass a condition, now and after every change of the number.
    ///
    /// - Delivery: the number as it is now, and then each different one, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    public func countSubscription<Item: Entity>(
        _ type: Item.Type, where condition: Condition<Item>? = nil
    ) -> Signal<Int, RepositoryError> {
        countSubscription(FetchQuery(condition: condition))
    }

    /// Counts the items that a query would fetch, now and after every change of the number.
    ///
    /// - Delivery: the number as it is now, and then each different one, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    public func countSubscription<Item: Entity>(_ query: FetchQuery<Item>) -> Signal<Int, RepositoryError> {
        let sql = Result { () throws(RepositoryError) in try SQLText.count(query) }
        return follow(LiveQuery { store in try store.number(sql.get()) }).map(\.value)
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

    /// Executes a statement that gives one number.
    final func number(_ sql: SQLText) throws(RepositoryError) -> Int {
        try query(try session.statement(sql)) { statement throws(RepositoryError) in
            guard try statement.step() else { return 0 }
            return try statement.value(Int.self, at: 0)
        }
    }
}
