public import Signals

extension Repository {
    /// Sets properties to new values in every item that meets a condition: one statement, one transaction, one
    /// notification, of any size; all or none.
    ///
    /// ```swift
    /// let count = try await repository.update(
    ///     Movie.self, set: [.set(\.studio, to: nil)], where: \.studio == "Gramercy"
    /// ).value()
    /// ```
    /// `where: nil` changes every item; it has no default, so that nobody does this by omission.
    /// - Delivery: the number of items that met the condition, once the change is committed; then it finishes.
    /// - Failure: `.constraint` when a rule is broken; `.encoding`; `.misuse` for a property without a column or set
    ///   twice, and for an empty list. Nothing is kept.
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>], where condition: Condition<Item>?
    ) -> Signal<Int, RepositoryError> {
        transaction(for: RepositoryCall(.update, type), author: nil) { store in
            try store.update(type, set: assignments, where: condition)
        }
    }

    /// Sets properties to new values in every item that meets a condition, as `update(_:set:where:)` does, and delivers
    /// their ids.
    ///
    /// ```swift
    /// let ids = try await repository.updateReturningIDs(
    ///     Movie.self, set: [.set(\.studio, to: nil)], where: \.studio == "Gramercy"
    /// ).value()
    /// ```
    /// - Delivery: the ids of the changed items, as they are afterwards, in unspecified order, once the change is
    ///   committed; then it finishes. What triggers and rules of `.references` changed in addition is not included.
    /// - Failure: as `update(_:set:where:)`.
    /// - Complexity: the ids are held in memory, the items are not.
    public func updateReturningIDs<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>], where condition: Condition<Item>?
    ) -> Signal<[Item.ID], RepositoryError> {
        transaction(for: RepositoryCall(.updateReturningIDs, type), author: nil) { store in
            try store.updateReturningIDs(type, set: assignments, where: condition)
        }
    }
}

extension WriteTransaction {
    /// Sets properties to new values in every item that meets a condition, or in every item for `nil`, and returns the
    /// number of items that met it.
    ///
    /// - Failure: `.constraint` when a rule is broken; `.encoding`; `.misuse` for a property without a column or set
    ///   twice, and for an empty list. None of it is kept; earlier work stays.
    @discardableResult
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>], where condition: Condition<Item>?
    ) throws(RepositoryError) -> Int {
        try update(type, set: assignments, in: try session.dialect.rows(where: condition)) {
            sql throws(RepositoryError) in
            try changeRows(sql)
        }
    }

    /// Sets properties to new values in every item that meets a condition, or in every item for `nil`, and returns the
    /// ids of those that were changed, in unspecified order.
    ///
    /// - Failure: as `update(_:set:where:)`.
    /// - Complexity: the ids are held in memory, the items are not.
    @discardableResult
    public func updateReturningIDs<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>], where condition: Condition<Item>?
    ) throws(RepositoryError) -> [Item.ID] {
        try update(type, set: assignments, in: try session.dialect.rows(where: condition)) {
            sql throws(RepositoryError) in
            try changedIDs(of: type, sql)
        }
    }

    /// Sets properties in some rows, of which a statement's last part tells.
    func update<Item: Entity, Output>(
        _ type: Item.Type, set assignments: [Assignment<Item>], in rows: SQLText,
        _ body: (SQLText) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        try checkUsable()
        let sql = try session.dialect.update(type, set: timed(assignments), in: rows)
        do {
            return try body(sql)
        } catch {
            throw error.namingReference { () throws(RepositoryError) in
                var values: [(column: String, value: SQLValue)] = []
                for assignment in assignments {
                    let column = try Item.schema.column(for: assignment.column)
                    // What is computed differs from row to row.
                    guard case .given(let value) = assignment.value else { continue }
                    values.append((column.name, try column.stored(value)))
                }
                if let broken = try brokenReference(of: type, by: values) { return broken }
                return try session.connection.keepingReference(rows, of: Item.entityName, isDeletion: false)
            }
        }
    }

    /// Executes a statement that changes items, and returns the ids of those that it changed directly.
    func changedIDs<Item: Entity>(of type: Item.Type, _ sql: SQLText) throws(RepositoryError) -> [Item.ID] {
        // A nested transaction: the rows are changed before the first id is read, and if one cannot be read, nothing
        // must be left behind.
        try transaction { store in try store.readChangedIDs(of: type, sql) }
    }

    /// Does what `changedIDs(of:_:)` does, in a transaction that the caller has begun.
    func readChangedIDs<Item: Entity>(of type: Item.Type, _ sql: SQLText) throws(RepositoryError) -> [Item.ID] {
        let key = try Item.schema.key
        var sql = sql
        session.dialect.append(returning: key.columns, to: &sql)
        let statement = try session.statement(sql)
        record(statement)
        return try change(statement) { statement throws(RepositoryError) in
            defer { statement.reset() }
            return try statement.all { row throws(RepositoryError) in try row.id(key) }
        }
    }
}
