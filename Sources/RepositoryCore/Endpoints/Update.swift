public import Signals

extension Repository {
    /// Replaces a stored item, identified by its id.
    ///
    /// ```swift
    /// var renamed = movie
    /// renamed.title = "Tár"
    /// let updated = try await repository.update(renamed).value()
    /// ```
    /// - Delivery: the item, once it is committed; then the signal finishes.
    /// - Failure: `.notFound` when there is no item with this id; `.constraint`; `.encoding`.
    public func update<Item: Entity>(_ item: Item) -> Signal<Item, RepositoryError> {
        signal(for: .write(oneStatement: RepositoryCall("update", item)) { store in try store.update(item) })
    }

    /// Replaces many items independently, in one transaction, and reports the items that fail.
    ///
    /// - Delivery: one `BatchResult` with the stored items, and with the failed items and their errors; then the signal
    ///   finishes.
    /// - Failure: only errors that concern the whole store: `.full`, `.busy`, `.io` and so on. Nothing is stored.
    public func update<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        signal(for: .write(RepositoryCall("update", items)) { store in try store.update(items) })
    }

    /// Replaces many items, all or none.
    ///
    /// - Delivery: the items, once they are committed; then the signal finishes.
    /// - Failure: the error of the first item that fails. Nothing is stored.
    public func updateAtomically<Item: Entity>(_ items: [Item]) -> Signal<[Item], RepositoryError> {
        signal(
            for: .write(RepositoryCall("updateAtomically", items)) { store in
                try store.updateAtomically(items)
            })
    }

    /// Sets some properties of the item with the given id, and delivers the item.
    ///
    /// ```swift
    /// let movie = try await repository.update(Movie.self, id: id, set: [.set(\.studio, to: "Miramax")]).value()
    /// ```
    /// Other properties are not written, so concurrent changes to them remain.
    /// - Delivery: the updated item, once it is committed; then the signal finishes.
    /// - Failure: `.notFound`; otherwise as `update(_:set:where:)`. Nothing is stored.
    public func update<Item: Entity>(
        _ type: Item.Type, id: Item.ID, set assignments: [Assignment<Item>]
    ) -> Signal<Item, RepositoryError> {
        signal(
            for: .write(oneStatement: RepositoryCall("update", type, id: id)) { store in
                try store.update(type, id: id, set: assignments)
            })
    }

    /// Sets properties in every item that meets a condition, all or none, with one statement, one transaction and one
    /// notification.
    ///
    /// ```swift
    /// let count = try await repository.update(
    ///     Movie.self, set: [.set(\.studio, to: nil)]
    /// ) { $0.studio == "Gramercy" }.value()
    /// ```
    /// To change every item, pass `{ _ in .true }`: a call without a condition does not compile.
    /// - Delivery: the number of items that met the condition, once the change is committed; then the signal finishes.
    /// - Failure: `.constraint` when a rule is broken; `.encoding`; `.misuse` for a property that has no column or is
    ///   set twice, and if there are no assignments. Nothing is changed.
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>],
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Int, RepositoryError> {
        let condition = Condition(condition)
        return signal(
            for: .write(RepositoryCall("update", type)) { store in
                try store.update(type, set: assignments, where: { _ in condition })
            })
    }

    /// Sets properties in every item that meets a condition, as `update(_:set:where:)` does, and delivers the items'
    /// ids.
    ///
    /// ```swift
    /// let ids = try await repository.updateReturningIDs(
    ///     Movie.self, set: [.set(\.studio, to: nil)]
    /// ) { $0.studio == "Gramercy" }.value()
    /// ```
    /// - Delivery: the ids of the changed items after the change, in unspecified order, once the change is committed;
    ///   then the signal finishes. Items that only a trigger or a foreign key's rule changed are not included.
    /// - Failure: as `update(_:set:where:)`.
    /// - Complexity: the ids are held in memory, the items are not.
    public func updateReturningIDs<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>],
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<[Item.ID], RepositoryError> {
        let condition = Condition(condition)
        return signal(
            for: .write(RepositoryCall("updateReturningIDs", type)) { store in
                try store.updateReturningIDs(type, set: assignments, where: { _ in condition })
            })
    }
}

extension WriteTransaction {
    /// Replaces a stored item, identified by its id.
    ///
    /// - Failure: `.notFound` when there is no item with this id; `.constraint`; `.encoding`.
    @discardableResult
    public func update<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item {
        try checkUsable()
        return try store(.update, item)
    }

    /// Replaces many items independently, and reports the items that fail.
    @discardableResult
    public func update<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try writeEach(.update, items)
    }

    /// Replaces many items, all or none.
    @discardableResult
    public func updateAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> [Item] {
        try transaction { store in
            try store.all(items) { item throws(RepositoryError) in try store.update(item) }
        }
    }

    /// Sets some properties of the item with the given id, and returns the updated item.
    ///
    /// - Failure: `.notFound`; otherwise as `update(_:set:where:)`.
    @discardableResult
    public func update<Item: Entity>(
        _ type: Item.Type, id: Item.ID, set assignments: [Assignment<Item>]
    ) throws(RepositoryError) -> Item {
        // This is a nested transaction, because the change must be undone if the stored row cannot be decoded.
        try transaction { store in
            let key = try Item.schema.key.names
            let row = try SQLText(whereIs: id, of: type)
            let now = try store.update(type, set: assignments, in: row) { sql throws(RepositoryError) -> Item.ID? in
                // RETURNING takes five times as long in a nested transaction, so it is used only if the id may change.
                if try assignments.assigns(oneOf: key) { return try store.readChangedIDs(of: type, sql).first }
                return try store.changeRows(sql) > 0 ? id : nil
            }
            guard let now else { throw try store.unchanged(.update, type, id: id) }
            return try store.read(type, id: now)
        }
    }

    /// Sets properties in every item that meets a condition, and returns the number of those items.
    ///
    /// - Failure: `.constraint` when a rule is broken; `.encoding`; `.misuse` for a property that has no column or is
    ///   set twice, and if there are no assignments. Nothing is changed; earlier writes of the transaction remain.
    @discardableResult
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>],
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Int {
        let rows = try session.dialect.rows(where: condition(Item.queryTerms))
        if try assignments.encrypt() { return try updateEach(type, set: assignments, in: rows).count }
        return try update(type, set: assignments, in: rows) { sql throws(RepositoryError) in try changeRows(sql) }
    }

    /// Sets properties in every item that meets a condition, and returns the items' ids in unspecified order.
    ///
    /// - Failure: as `update(_:set:where:)`.
    /// - Complexity: the ids are held in memory, the items are not.
    @discardableResult
    public func updateReturningIDs<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>],
        @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> [Item.ID] {
        let rows = try session.dialect.rows(where: condition(Item.queryTerms))
        if try assignments.encrypt() { return try updateEach(type, set: assignments, in: rows) }
        return try update(type, set: assignments, in: rows) { sql throws(RepositoryError) in
            try changedIDs(of: type, sql)
        }
    }

    /// Sets properties row by row: each row encrypts the value separately, so that no two rows store the same bytes.
    private func updateEach<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>], in rows: SQLText
    ) throws(RepositoryError) -> [Item.ID] {
        try transaction { store in
            let key = try Item.schema.key
            let statement = try session.statement(try session.dialect.keys(of: type, in: rows))
            let ids = try store.query(statement) { statement throws(RepositoryError) in
                try statement.all { row throws(RepositoryError) in try row.id(key) }
            }
            var changed: [Item.ID] = []
            for id in ids {
                let row = try SQLText(whereIs: id, of: type)
                changed += try store.update(type, set: assignments, in: row) { sql throws(RepositoryError) in
                    try store.readChangedIDs(of: type, sql)
                }
            }
            return changed
        }
    }

    /// Sets properties in the rows that `rows` selects; `rows` becomes the last part of the statement.
    func update<Item: Entity, Output>(
        _ type: Item.Type, set assignments: [Assignment<Item>], in rows: SQLText,
        _ body: (SQLText) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        try checkUsable()
        let sql = try session.dialect.update(
            type, set: timed(assignments), in: rows, preservingTimes: preservesTimes)
        do {
            return try body(sql)
        } catch {
            throw error.namingReference { () throws(RepositoryError) in
                var values: [(column: String, value: SQLValue)] = []
                for assignment in assignments {
                    let column = try Item.schema.column(for: assignment.column)
                    // A computed value may differ from row to row, so it cannot show which foreign key is violated.
                    guard case .given(let value) = assignment.value else { continue }
                    values.append((column.name, try column.stored(value)))
                }
                if let broken = try brokenReference(of: type, by: values) { return broken }
                return try session.connection.restrictingReference(
                    rows.at(session.time), of: Item.entityName, isDeletion: false)
            }
        }
    }

    /// Executes a statement that changes items, and returns the ids of the items that it changed directly.
    func changedIDs<Item: Entity>(of type: Item.Type, _ sql: SQLText) throws(RepositoryError) -> [Item.ID] {
        // All rows have changed before the first id is read. If an id cannot be read, the nested transaction undoes the
        // changes.
        try transaction { store in try store.readChangedIDs(of: type, sql) }
    }

    /// Performs `changedIDs(of:_:)` in a nested transaction that the caller has begun.
    func readChangedIDs<Item: Entity>(of type: Item.Type, _ sql: SQLText) throws(RepositoryError) -> [Item.ID] {
        let key = try Item.schema.key
        let statement = try session.statement("\(sql)\(session.dialect.returning(key.columns))")
        record(statement)
        return try change(statement) { statement throws(RepositoryError) in
            defer { statement.reset() }
            return try statement.all { row throws(RepositoryError) in try row.id(key) }
        }
    }
}
