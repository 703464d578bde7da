public import Signals

extension Repository {
    /// Stores many new items as one batch: one transaction and one notification, of any size; all of them or none.
    ///
    /// The sequence is read as the rows are written, so a lazy one never has all items in memory. It is iterated on the
    /// writer's queue, once for each attach.
    ///
    /// ```swift
    /// let count = try await repository.insert(movies).first()
    /// ```
    /// - Delivery: the number of items stored, once they are committed; then finished.
    /// - Failure: `.constraint` when an item's id is taken or another rule is broken; `.encoding`. The error's `item`
    ///   tells which one: its id, and its place in the sequence. Nothing is kept then.
    /// - Complexity: O(*n*) in the number of items, in constant memory.
    public func insert<Items: Sequence & Sendable>(_ items: Items) -> Signal<Int, RepositoryError>
    where Items.Element: Entity {
        transaction { store in try store.insert(items, isWhole: true) }
    }

    /// Stores many new items as one batch, as `insert(_:)` does, and answers with their ids.
    ///
    /// - Delivery: the ids in the order of the items, once they are committed; then finished.
    /// - Failure: as `insert(_:)`.
    /// - Complexity: O(*n*) in the number of items; the ids are kept in memory, the items are not.
    public func insertReturningIDs<Items: Sequence & Sendable>(
        _ items: Items
    ) -> Signal<[Items.Element.ID], RepositoryError> where Items.Element: Entity {
        transaction { store in try store.insertReturningIDs(items) }
    }

    /// Stores many new items as one batch, as `insert(_:)` does, and answers only that it is done.
    ///
    /// - Delivery: one empty value, once the items are committed; then finished.
    /// - Failure: as `insert(_:)`.
    /// - Complexity: O(*n*) in the number of items, in constant memory.
    public func insertReturningNothing<Items: Sequence & Sendable>(
        _ items: Items
    ) -> Signal<Void, RepositoryError> where Items.Element: Entity {
        insert(items).map { _ in }
    }
}

extension WriteTransaction {
    /// Stores many new items, all of them or none, and returns their number.
    ///
    /// - Failure: `.constraint` when an item's id is taken or another rule is broken; `.encoding`. The error's `item`
    ///   tells which one: its id, and its place in the sequence.
    /// - Complexity: O(*n*) in the number of items, in constant memory.
    @discardableResult
    public func insert<Items: Sequence>(_ items: Items) throws(RepositoryError) -> Int where Items.Element: Entity {
        try transaction { store in try store.insert(items, isWhole: true) }
    }

    /// Stores many new items, all of them or none, and returns their ids in the order of the items.
    ///
    /// - Failure: `.constraint` when an item's id is taken or another rule is broken; `.encoding`.
    /// - Complexity: O(*n*) in the number of items; the ids are kept in memory, the items are not.
    @discardableResult
    public func insertReturningIDs<Items: Sequence>(
        _ items: Items
    ) throws(RepositoryError) -> [Items.Element.ID] where Items.Element: Entity {
        var ids: [Items.Element.ID] = []
        ids.reserveCapacity(items.underestimatedCount)
        try insert(
            items.lazy.map { item in
                ids.append(item.id)
                return item
            })
        return ids
    }

    /// Stores many items; `isWhole` says that the transaction ends if this fails.
    func insert<Items: Sequence>(
        _ items: Items, isWhole: Bool
    ) throws(RepositoryError) -> Int where Items.Element: Entity {
        try checkUsable()
        let schema = Items.Element.schema
        let statement = try session.statements(of: Items.Element.self)[.insert]
        return try change(statement) { statement throws(RepositoryError) in
            var count = 0
            for item in items {
                do throws(RepositoryError) {
                    try statement.bind(item, schema)
                    try statement.run()
                } catch {
                    throw error.about(Items.Element.self, id: item.id).at(count)
                }
                count += 1
                if count & 1023 == 0 { try checkUsable() }
            }
            return count
        }
    }
}
