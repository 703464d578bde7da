public import Signals

extension Repository {
    /// Stores many new items as one batch of any size, all or none, with one transaction and one notification.
    ///
    /// For each sink that attaches, the writer's queue iterates the sequence once, and writes each item as it comes. So
    /// a lazy sequence never holds all items in memory.
    ///
    /// ```swift
    /// let count = try await repository.insert(movies).value()
    /// ```
    /// - Delivery: the number of items stored, once they are committed; then the signal finishes.
    /// - Failure: `.constraint` when an item's id is taken, a trigger removes an item or gives it another id, or
    ///   another rule is broken; `.encoding`. The error's `item` identifies the item by its id and its index in the
    ///   sequence. Nothing is stored.
    /// - Complexity: O(*n*) in the number of items, in constant memory.
    public func insert<Items: Sequence & Sendable>(_ items: Items) -> Signal<Int, RepositoryError>
    where Items.Element: Entity {
        signal(
            for: .write(RepositoryCall("insert", sequence: items)) { store in
                try store.insertAll(items)
            })
    }

    /// Stores the items of a sequence, as `insert(_:)` does; a closure makes the sequence when the batch begins.
    ///
    /// Use this for a sequence that is not `Sendable`, such as a file that is read line by line.
    ///
    /// ```swift
    /// let count = try await repository.insert(Movie.self) { movies.lazy.filter { $0.studio == nil } }.value()
    /// ```
    /// - Delivery: the number of items stored, once they are committed; then the signal finishes.
    /// - Failure: as `insert(_:)`.
    /// - Complexity: O(*n*) in the number of items, in constant memory.
    public func insert<Item: Entity>(
        _ type: Item.Type, _ makeItems: @escaping @Sendable () -> any Sequence<Item>
    ) -> Signal<Int, RepositoryError> {
        signal(
            for: .write(RepositoryCall("insert", type)) { store in
                try store.insertAll(makeItems())
            })
    }

    /// Stores many new items as one batch, as `insert(_:)` does, and delivers the items' ids.
    ///
    /// - Delivery: the ids in the order of the items, once they are committed; then the signal finishes.
    /// - Failure: as `insert(_:)`.
    /// - Complexity: O(*n*) in the number of items; the ids are held in memory, the items are not.
    public func insertReturningIDs<Items: Sequence & Sendable>(
        _ items: Items
    ) -> Signal<[Items.Element.ID], RepositoryError> where Items.Element: Entity {
        signal(
            for: .write(RepositoryCall("insertReturningIDs", sequence: items)) { store in
                try store.insertReturningIDs(items)
            })
    }
}

extension WriteTransaction {
    /// Stores many new items, all or none, and returns their number.
    ///
    /// - Failure: `.constraint` when an item's id is taken, a trigger removes an item or gives it another id, or
    ///   another rule is broken; `.encoding`. The error's `item` identifies the item by its id and its index in the
    ///   sequence.
    /// - Complexity: O(*n*) in the number of items, in constant memory.
    @discardableResult
    public func insert<Items: Sequence>(_ items: Items) throws(RepositoryError) -> Int where Items.Element: Entity {
        try transaction { store in try store.insertAll(items) }
    }

    /// Stores many new items, all or none, and returns their ids in the order of the items.
    ///
    /// - Failure: `.constraint` when an item's id is taken, a trigger removes an item or gives it another id, or
    ///   another rule is broken; `.encoding`.
    /// - Complexity: O(*n*) in the number of items; the ids are held in memory, the items are not.
    @discardableResult
    public func insertReturningIDs<Items: Sequence>(
        _ items: Items
    ) throws(RepositoryError) -> [Items.Element.ID] where Items.Element: Entity {
        var ids: [Items.Element.ID] = []
        ids.reserveCapacity(items.underestimatedCount)
        try transaction { store in
            let statement = try session.statements(of: Items.Element.self)[.insert].base
            // An item that a trigger may rewrite must be read back at once, so it cannot wait in a block of items.
            let isRewritten = statement.writtenByTriggers.contains(Items.Element.entityName)
            _ = try store.insertAll(items, inBlocks: !isRewritten) { item throws(RepositoryError) in
                ids.append(try store.storedID(of: item))
            }
        }
        return ids
    }

    /// Stores many items, up to the first failure; the caller must then undo the items stored so far.
    func insertAll<Items: Sequence>(
        _ items: Items, inBlocks: Bool = true,
        inserted: ((Items.Element) throws(RepositoryError) -> Void)? = nil
    ) throws(RepositoryError) -> Int where Items.Element: Entity {
        try checkUsable()
        let schema = Items.Element.schema
        let connection = session.connection
        let statements = try session.statements(of: Items.Element.self)
        let statement = try statements[.insert]
        let isRewritten = statement.base.writtenByTriggers.contains(Items.Element.entityName)
        let bulk = inBlocks ? try connection.bulk(.insert, of: Items.Element.self, isAtomic: true) : nil
        return try change(statement.base) { base throws(RepositoryError) in
            if let bulk { return try insert(items, in: bulk, base, inserted: inserted) }
            var count = 0
            // Only a collection is sure to end, so closing the repository stops the insertion of any other sequence.
            let isBounded = items is any Collection
            for item in items {
                if !isBounded, cancellation.isClosing { throw .closed }
                try statements.prove(with: item)
                do throws(RepositoryError) {
                    try statement.bind(schema.hasManagedTimes ? try asStored(item) : item, schema)
                    try statement.run()
                } catch {
                    throw refusal(error, of: item).at(count)
                }
                if connection.changes == 0 {
                    throw ignored(Items.Element.self, id: item.id, base).at(count)
                }
                do throws(RepositoryError) {
                    if isRewritten { _ = try stored(Items.Element.self, id: storedID(of: item)) }
                    try inserted?(item)
                } catch {
                    throw error.at(count)
                }
                count += 1
                if count & 1023 == 0 { try checkUsable() }
            }
            return count
        }
    }
}
