public import Signals

// Calls that cannot work, so that the compiler says what to write instead.
extension Repository {
    /// Does not compile: a query names the items.
    ///
    /// - Delivery: nothing.
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "a query names the items: fetch(Movie.all), fetch(Movie.where { … })")
    public func fetch<Item: Entity>(_ type: Item.Type) -> Signal<[Item], RepositoryError> { fetch(Item.all) }

    /// Does not compile: a query names the items.
    ///
    /// - Delivery: nothing.
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "a query names the items: fetch(Movie.where { … })")
    public func fetch<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<[Item], RepositoryError> { fetch(Item.where(condition)) }

    /// Does not compile: a query names the items.
    ///
    /// - Delivery: nothing.
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "a query names the items: fetchSubscription(Movie.all)")
    public func fetchSubscription<Item: Entity>(_ type: Item.Type) -> Signal<[Item], RepositoryError> {
        fetch(Item.all)
    }

    /// Does not compile: a query names the items.
    ///
    /// - Delivery: nothing.
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "a query names the items: listSubscription(Movie.all)")
    public func listSubscription<Item: Entity>(_ type: Item.Type) -> Signal<[Item], RepositoryError> {
        fetch(Item.all)
    }

    /// Does not compile: the type of the items must be named.
    ///
    /// - Delivery: nothing.
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "name the type of the items: insert(Movie.self) { … }")
    public func insert<Item: Entity>(_ makeItems: @escaping @Sendable () -> [Item]) -> Signal<Int, RepositoryError> {
        insert(makeItems())
    }

    /// Does not compile: without a condition every item would be updated.
    ///
    /// - Delivery: nothing.
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "to update every item, say so: { _ in .true }")
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>]
    ) -> Signal<Int, RepositoryError> { refused(.misuse(detail: "an update of every item says { _ in .true }")) }

    /// Does not compile: without a condition every item would be deleted.
    ///
    /// - Delivery: nothing.
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "to delete every item, say so: { _ in .true }")
    public func delete<Item: Entity>(_ type: Item.Type) -> Signal<Int, RepositoryError> {
        refused(.misuse(detail: "a deletion of every item says { _ in .true }"))
    }
}

extension WriteTransaction {
    /// Does not compile: without a condition every item would be updated.
    ///
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "to update every item, say so: { _ in .true }")
    @discardableResult
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>]
    ) throws(RepositoryError) -> Int { throw .misuse(detail: "an update of every item says { _ in .true }") }

    /// Does not compile: without a condition every item would be deleted.
    ///
    /// - Failure: the compiler's.
    @available(*, unavailable, message: "to delete every item, say so: { _ in .true }")
    @discardableResult
    public func delete<Item: Entity>(_ type: Item.Type) throws(RepositoryError) -> Int {
        throw .misuse(detail: "a deletion of every item says { _ in .true }")
    }
}
