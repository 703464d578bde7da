public import Signals

extension Repository {
    /// Stores an item that is new.
    ///
    /// ```swift
    /// let token = repository.create(movie).sink(onValue: { print($0.title) }, onCompletion: { print($0) })
    /// ```
    /// - Delivery: the item, once it is committed; then finished.
    /// - Failure: `.constraint` when there is an item with this id already or another rule is broken; `.encoding`.
    public func create<Item: Entity>(_ item: Item) -> Signal<Item, RepositoryError> {
        transaction { store in try store.create(item) }
    }

    /// Stores each of many items on its own, in one transaction: those that can be are, the others are reported.
    ///
    /// - Delivery: one `BatchResult` with the items that succeeded and those that failed, each with its error; then
    ///   finished.
    /// - Failure: only what concerns the store as a whole: `.full`, `.busy`, `.io` and so on. Nothing is kept then.
    public func create<Item: Entity>(_ items: [Item]) -> Signal<BatchResult<Item, Item>, RepositoryError> {
        transaction { store in try store.create(items) }
    }

    /// Stores many items, all of them or none.
    ///
    /// - Delivery: the items, once they are committed; then finished.
    /// - Failure: that of the first item that fails. Nothing is kept then.
    public func createAtomically<Item: Entity>(_ items: [Item]) -> Signal<[Item], RepositoryError> {
        transaction { store in try store.createAtomically(items) }
    }
}

extension WriteTransaction {
    /// Stores an item that is new.
    ///
    /// - Failure: `.constraint` when there is an item with this id already or another rule is broken; `.encoding`.
    @discardableResult
    public func create<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item {
        try checkUsable()
        try write(.insert, item)
        return item
    }

    /// Stores each of many items on its own: those that can be are, the others are reported.
    @discardableResult
    public func create<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> BatchResult<Item, Item> {
        try each(items) { item throws(RepositoryError) in try create(item) }
    }

    /// Stores many items, all of them or none.
    @discardableResult
    public func createAtomically<Item: Entity>(_ items: [Item]) throws(RepositoryError) -> [Item] {
        try transaction { store in
            try store.all(items) { item throws(RepositoryError) in try store.create(item) }
        }
    }
}
