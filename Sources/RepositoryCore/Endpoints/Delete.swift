public import Signals

extension Repository {
    /// Deletes a stored item, identified by its id.
    ///
    /// ```swift
    /// let token = repository.delete(movie).sink(onValue: {}, onCompletion: { print($0) })
    /// ```
    /// - Delivery: one empty value, once the deletion is committed; then the signal finishes.
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ item: Item) -> Signal<Void, RepositoryError> {
        delete(Item.self, id: item.id)
    }

    /// Deletes the item with the given id.
    ///
    /// - Delivery: one empty value, once the deletion is committed; then the signal finishes.
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ type: Item.Type, id: Item.ID) -> Signal<Void, RepositoryError> {
        signal(
            for: .write(oneStatement: RepositoryCall("delete", type, id: id)) { store in
                try store.delete(type, id: id)
            })
    }

    /// Deletes many items independently, in one transaction, and reports the items that fail.
    ///
    /// - Delivery: one `BatchResult` with the deleted items, and with the failed items and their errors; then the
    ///   signal finishes.
    /// - Failure: only errors that concern the whole store: `.full`, `.busy`, `.io` and so on. Nothing is deleted.
    public func delete<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        signal(for: .write(RepositoryCall("delete", items)) { store in try store.delete(items) })
    }

    /// Deletes many items by id, each independently, in one transaction, and reports the ids that fail.
    ///
    /// - Delivery: one `BatchResult` with the ids of the deleted items, and with the failed ids and their errors; then
    ///   the signal finishes.
    /// - Failure: only errors that concern the whole store: `.full`, `.busy`, `.io` and so on. Nothing is deleted.
    public func delete<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) -> Signal<BatchResult<Item.ID, Item.ID>, RepositoryError> {
        signal(
            for: .write(RepositoryCall("delete", type, ids: ids)) { store in
                try store.delete(type, ids: ids)
            })
    }

    /// Deletes many items, all or none.
    ///
    /// - Delivery: one empty value, once the deletions are committed; then the signal finishes.
    /// - Failure: the error of the first item that fails. Nothing is deleted.
    public func deleteAtomically<Item: Entity>(_ items: [Item]) -> Signal<Void, RepositoryError> {
        signal(
            for: .write(RepositoryCall("deleteAtomically", items)) { store in
                try store.deleteAtomically(items)
            })
    }

    /// Deletes many items by id, all or none.
    ///
    /// - Delivery: one empty value, once the deletions are committed; then the signal finishes.
    /// - Failure: the error of the first id that fails. Nothing is deleted.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, ids: [Item.ID]) -> Signal<Void, RepositoryError> {
        signal(
            for: .write(RepositoryCall("deleteAtomically", type, ids: ids)) { store in
                try store.deleteAtomically(type, ids: ids)
            })
    }

    /// Deletes every item that meets a condition, all or none, with one statement, one transaction and one
    /// notification.
    ///
    /// ```swift
    /// let count = try await repository.delete(Movie.self) { $0.boxOffice < 1_000 }.value()
    /// ```
    /// To delete every item, pass `{ _ in .true }`: a call without a condition does not compile.
    /// - Delivery: the number of deleted items, once the deletion is committed; then the signal finishes. Items that
    ///   are deleted only because of a foreign key with `onDelete: .cascade` are not counted.
    /// - Failure: `.constraint` when another item refers to one of these items; `.misuse` for a property without a
    ///   column. Nothing is deleted.
    public func delete<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<Int, RepositoryError> {
        let condition = Condition(condition)
        return signal(
            for: .write(RepositoryCall("delete", type)) { store in
                try store.delete(type, where: { _ in condition })
            })
    }

    /// Deletes every item that meets a condition, as `delete(_:where:)` does, and delivers the items' ids.
    ///
    /// ```swift
    /// let ids = try await repository.deleteReturningIDs(Movie.self) { $0.boxOffice < 1_000 }.value()
    /// ```
    /// - Delivery: the ids of the deleted items, in unspecified order, once the deletion is committed; then the signal
    ///   finishes. Ids of items that are deleted only because of `onDelete: .cascade` are not included.
    /// - Failure: as `delete(_:where:)`.
    /// - Complexity: the ids are held in memory, the items are not.
    public func deleteReturningIDs<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<[Item.ID], RepositoryError> {
        let condition = Condition(condition)
        return signal(
            for: .write(RepositoryCall("deleteReturningIDs", type)) { store in
                try store.deleteReturningIDs(type, where: { _ in condition })
            })
    }
}

extension WriteTransaction {
    /// Deletes a stored item, identified by its id.
    ///
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ item: Item) throws(RepositoryError) {
        try delete(Item.self, id: item.id)
    }

    /// Deletes the item with the given id.
    ///
    /// - Failure: `.notFound` when there is no item with this id; `.constraint` when another item refers to it.
    public func delete<Item: Entity>(_ type: Item.Type, id: Item.ID) throws(RepositoryError) {
        try checkUsable()
        let statement = try session.statements(of: type)[.delete]
        do {
            try statement.bind(id: id, of: type)
            try change(statement.base) { _ throws(RepositoryError) in try statement.run() }
        } catch {
            throw refusal(error, ofDeleting: id, type)
        }
        if session.connection.changes == 0 { throw try unchanged(.delete, type, id: id) }
    }

    package func refusal<Item: Entity>(
        _ error: RepositoryError, ofDeleting id: Item.ID, _ type: Item.Type
    ) -> RepositoryError {
        let named = error.namingReference { () throws(RepositoryError) in
            try session.connection.restrictingReference(
                try SQLText(whereIs: id, of: type), of: Item.entityName, isDeletion: true)
        }
        return named.about(type, id: id)
    }

    /// Deletes many items independently, and reports the items that fail.
    @discardableResult
    public func delete<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try deleteEach(Item.self, items) { $0.id }
    }

    /// Deletes many items by id, each independently, and reports the ids that fail.
    @discardableResult
    public func delete<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID]
    ) throws(RepositoryError) -> BatchResult<Item.ID, Item.ID> {
        try deleteEach(type, ids) { $0 }
    }

    private func deleteEach<Item: Entity, Input: Sendable>(
        _ type: Item.Type, _ items: [Input], id: (Input) -> Item.ID
    ) throws(RepositoryError) -> BatchResult<Input, Input> {
        guard let bulk = try session.connection.bulk(.delete, of: type, isAtomic: false) else {
            return try each(items) { item throws(RepositoryError) in
                try delete(type, id: id(item))
                return item
            }
        }
        let key = try type.schema.key
        return try each(items, by: bulk, try session.statements(of: type)[.delete].base) {
            item, _ throws(RepositoryError) in
            try bulk.target.write(try key.values(of: id(item)))
            try bulk.add()
            return item
        } refusal: { error, item throws(RepositoryError) in
            guard let error else { return try unchanged(.delete, type, id: id(item)) }
            return refusal(error, ofDeleting: id(item), type)
        }
    }

    /// Deletes many items, all or none.
    public func deleteAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) {
        try deleteAtomically(Item.self, ids: items.map { $0.id })
    }

    /// Deletes many items by id, all or none.
    public func deleteAtomically<Item: Entity>(_ type: Item.Type, ids: [Item.ID]) throws(RepositoryError) {
        try transaction { store in
            _ = try store.all(ids) { id throws(RepositoryError) in try store.delete(type, id: id) }
        }
    }

    /// Deletes every item that meets a condition and returns the number of deleted items.
    ///
    /// - Failure: `.constraint` when another item refers to one of these items; `.misuse` for a property without a
    ///   column. Nothing is deleted; earlier writes of the transaction remain.
    @discardableResult
    public func delete<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> Int {
        try delete(type, condition(Item.queryTerms)) { sql throws(RepositoryError) in try changeRows(sql) }
    }

    /// Deletes every item that meets a condition, and returns the items' ids in unspecified order.
    ///
    /// - Failure: as `delete(_:where:)`.
    /// - Complexity: the ids are held in memory, the items are not.
    @discardableResult
    public func deleteReturningIDs<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) throws(RepositoryError) -> [Item.ID] {
        try delete(type, condition(Item.queryTerms)) { sql throws(RepositoryError) in
            try changedIDs(of: type, sql)
        }
    }

    private func delete<Item: Entity, Output>(
        _ type: Item.Type, _ condition: Condition<Item>, _ body: (SQLText) throws(RepositoryError) -> Output
    ) throws(RepositoryError) -> Output {
        try checkUsable()
        let rows = try session.dialect.rows(where: condition)
        do {
            return try body(session.dialect.delete(type, in: rows))
        } catch {
            throw error.namingReference { () throws(RepositoryError) in
                try session.connection.restrictingReference(
                    rows.at(session.time), of: Item.entityName, isDeletion: true)
            }
        }
    }
}
