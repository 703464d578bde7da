public import Signals

extension Repository {
    /// Stores a new item.
    ///
    /// ```swift
    /// let token = repository.create(movie).sink(onValue: { print($0.title) }, onCompletion: { print($0) })
    /// ```
    /// - Delivery: the item, once it is committed; then the signal finishes.
    /// - Failure: `.constraint` when an item with this id already exists or another rule is broken; `.encoding`.
    public func create<Item: Entity>(_ item: Item) -> Signal<Item, RepositoryError> {
        signal(for: .write(oneStatement: RepositoryCall("create", item)) { store in try store.create(item) })
    }

    /// Stores many items independently, in one transaction, and reports the items that fail.
    ///
    /// - Delivery: one `BatchResult` with the stored items, and with the failed items and their errors; then the signal
    ///   finishes.
    /// - Failure: only errors that concern the whole store: `.full`, `.busy`, `.io` and so on. Nothing is stored.
    public func create<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        signal(for: .write(RepositoryCall("create", items)) { store in try store.create(items) })
    }

    /// Stores many items, all or none.
    ///
    /// - Delivery: the items, once they are committed; then the signal finishes.
    /// - Failure: the error of the first item that fails. Nothing is stored.
    public func createAtomically<Item: Entity>(_ items: [Item]) -> Signal<[Item], RepositoryError> {
        signal(
            for: .write(RepositoryCall("createAtomically", items)) { store in
                try store.createAtomically(items)
            })
    }
}

extension WriteTransaction {
    /// Stores a new item.
    ///
    /// - Failure: `.constraint` when an item with this id already exists or another rule is broken; `.encoding`.
    @discardableResult
    public func create<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item {
        try checkUsable()
        return try store(.insert, item)
    }

    /// Stores many items independently, and reports the items that fail.
    @discardableResult
    public func create<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try writeEach(.insert, items)
    }

    /// Stores many items, all or none.
    @discardableResult
    public func createAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> [Item] {
        try transaction { store in
            try store.all(items) { item throws(RepositoryError) in try store.create(item) }
        }
    }
}
