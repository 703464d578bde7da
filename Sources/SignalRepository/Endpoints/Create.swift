public import Signals

extension Repository {
    /// Stores a new item.
    ///
    /// ```swift
    /// let token = repository.create(movie).sink(onValue: { print($0.title) }, onCompletion: { print($0) })
    /// ```
    /// - Delivery: the item, once it is committed; then finished.
    /// - Failure: `.constraint` when there is an item with this id already or another rule is broken; `.encoding`.
    public func create<Item: Entity>(_ item: Item) -> Signal<Item, RepositoryError> {
        transaction { store in try store.create(item) }
    }
}

extension WriteTransaction {
    /// Stores a new item.
    ///
    /// - Failure: `.constraint` when there is an item with this id already or another rule is broken; `.encoding`.
    @discardableResult
    public func create<Item: Entity>(_ item: Item) throws(RepositoryError) -> Item {
        try checkUsable()
        try write(.insert, item)
        return item
    }
}
