public import Signals

extension Repository {
    /// Gives properties new values in every item that passes a condition: one statement, one transaction, one
    /// notification, of any size; all of them or none.
    ///
    /// ```swift
    /// let count = try await repository.update(
    ///     Movie.self, set: [.set(\.studio, to: nil)], where: \.studio == "Gramercy"
    /// ).first()
    /// ```
    /// `where: nil` changes every item; it has no default, so that nobody does so by leaving it out.
    /// - Delivery: the number of items that passed the condition, once the change is committed; then finished.
    /// - Failure: `.constraint` when a rule is broken; `.encoding`; `.misuse` for a property without a column or set
    ///   twice, and for an empty list. Nothing is kept then.
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>], where condition: Condition<Item>?
    ) -> Signal<Int, RepositoryError> {
        transaction { store in try store.update(type, set: assignments, where: condition) }
    }
}

extension WriteTransaction {
    /// Gives properties new values in every item that passes a condition, in every item for `nil`, and returns the
    /// number of items that passed.
    ///
    /// - Failure: `.constraint` when a rule is broken; `.encoding`; `.misuse` for a property without a column or set
    ///   twice, and for an empty list. Nothing of it is kept then; what was done before stays.
    @discardableResult
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>], where condition: Condition<Item>?
    ) throws(RepositoryError) -> Int {
        try checkUsable()
        return try changeRows(try SQLText.update(type, set: assignments, where: condition))
    }

    /// Executes a statement that changes rows, and returns how many it changed itself.
    func changeRows(_ sql: SQLText) throws(RepositoryError) -> Int {
        let statement = try session.statement(sql)
        record(statement)
        return try change(statement) { statement throws(RepositoryError) in
            try statement.run()
            return session.connection.changes
        }
    }
}
