public import Signals

extension Repository {
    /// Reads the item with the given id or, if there is none, stores the item that `make` returns.
    ///
    /// ```swift
    /// let movie = try await repository.findOrCreate(Movie.self, id: id) { id in
    ///     Movie(id: id, title: "Fargo", releaseDate: .now, boxOffice: 0, studio: nil)
    /// }.value()
    /// ```
    /// - Delivery: the item, once it is committed; then the signal finishes.
    /// - Failure: `.decoding`; `.constraint` and `.encoding` for the new item; `.misuse` if its id is not `id`.
    public func findOrCreate<Item: Entity>(
        _ type: Item.Type, id: Item.ID, make: @escaping @Sendable (Item.ID) -> Item
    ) -> Signal<Item, RepositoryError> {
        signal(
            for: .write(RepositoryCall("findOrCreate", type, id: id)) { store in
                try store.findOrCreate(type, id: id, make: make)
            })
    }

    /// Reads many items by id in one statement, and stores new items for the missing ids, all or none.
    ///
    /// - Delivery: the items in the order of `ids`, once the new ones are committed; then the signal finishes.
    /// - Failure: as `findOrCreate(_:id:make:)`. Nothing is stored.
    public func findOrCreate<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID], make: @escaping @Sendable (Item.ID) -> Item
    ) -> Signal<[Item], RepositoryError> {
        signal(
            for: .write(RepositoryCall("findOrCreate", type, ids: ids)) { store in
                try store.findOrCreate(type, ids: ids, make: make)
            })
    }
}

extension WriteTransaction {
    /// Reads the item with the given id or, if there is none, stores the item that `make` returns.
    @discardableResult
    public func findOrCreate<Item: Entity>(
        _ type: Item.Type, id: Item.ID, make: (Item.ID) -> Item
    ) throws(RepositoryError) -> Item {
        if let item = try find(type, id: id) { return item }
        return try create(type, id, make)
    }

    /// Reads many items by id, and stores new items for the missing ids, all or none.
    ///
    /// - Complexity: one statement for all existing items, and one for each new item.
    @discardableResult
    public func findOrCreate<Item: Entity>(
        _ type: Item.Type, ids: [Item.ID], make: (Item.ID) -> Item
    ) throws(RepositoryError) -> [Item] {
        let key = try Item.schema.key
        return try transaction { store in
            // Items are found by stored id, because the store distinguishes some texts that are equal in Swift.
            let stored = try ids.map { id throws(RepositoryError) in try key.identity(of: id) }
            var known: [SQLValue: Item] = [:]
            for item in try store.fetch(Item.where { $0.id.isIn(ids) }) { known[try key.identity(of: item.id)] = item }
            var items: [Item] = []
            for (id, value) in zip(ids, stored) {
                let item = try known[value] ?? store.create(type, id, make)
                known[value] = item
                items.append(item)
            }
            return items
        }
    }

    private func create<Item: Entity>(
        _ type: Item.Type, _ id: Item.ID, _ make: (Item.ID) -> Item
    ) throws(RepositoryError) -> Item {
        if Item.schema.isMissingKey?(id) == true {
            throw .misuse(detail: "the store generates the ids of \(Item.entityName): use create for new items")
        }
        let item = make(id)
        let key = try Item.schema.key
        guard try key.identity(of: item.id) == key.identity(of: id) else {
            throw .misuse(
                detail: "the closure for \(Item.entityName) \(id.displayText) made an item with the id "
                    + item.id.displayText)
        }
        return try create(item)
    }
}
