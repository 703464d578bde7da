public import Signals

// Calls that do not compile. The compiler's message says what to write instead.
extension Repository {
    /// Does not compile: pass a query instead of a type.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compiler error.
    @available(*, unavailable, message: "pass a query instead of a type: fetch(Movie.all), fetch(Movie.where { … })")
    public func fetch<Item: Entity>(_ type: Item.Type) -> Signal<[Item], RepositoryError> { fetch(Item.all) }

    /// Does not compile: pass a query instead of a type.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compiler error.
    @available(*, unavailable, message: "pass a query instead of a type: fetch(Movie.where { … })")
    public func fetch<Item: Entity>(
        _ type: Item.Type, @ConditionBuilder<Item> where condition: (Item.QueryTerms) -> Condition<Item>
    ) -> Signal<[Item], RepositoryError> { fetch(Item.where(condition)) }

    /// Does not compile: pass a query instead of a type.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compiler error.
    @available(*, unavailable, message: "pass a query instead of a type: fetchSubscription(Movie.all)")
    public func fetchSubscription<Item: Entity>(_ type: Item.Type) -> Signal<[Item], RepositoryError> {
        fetch(Item.all)
    }

    /// Does not compile: pass a query instead of a type.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compiler error.
    @available(*, unavailable, message: "pass a query instead of a type: listSubscription(Movie.all)")
    public func listSubscription<Item: Entity>(_ type: Item.Type) -> Signal<[Item], RepositoryError> {
        fetch(Item.all)
    }

    /// Does not compile: name the type of the items.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compiler error.
    @available(*, unavailable, message: "name the type of the items: insert(Movie.self) { … }")
    public func insert<Item: Entity>(_ makeItems: @escaping @Sendable () -> [Item]) -> Signal<Int, RepositoryError> {
        insert(makeItems())
    }

    /// Does not compile: without a condition every item would be updated.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compiler error.
    @available(*, unavailable, message: "to update every item, pass { _ in .true }")
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>]
    ) -> Signal<Int, RepositoryError> { refused(.misuse(detail: "to update every item, pass { _ in .true }")) }

    /// Does not compile: without a condition every item would be deleted.
    ///
    /// - Delivery: nothing.
    /// - Failure: a compiler error.
    @available(*, unavailable, message: "to delete every item, pass { _ in .true }")
    public func delete<Item: Entity>(_ type: Item.Type) -> Signal<Int, RepositoryError> {
        refused(.misuse(detail: "to delete every item, pass { _ in .true }"))
    }
}

extension WriteTransaction {
    /// Does not compile: without a condition every item would be updated.
    ///
    /// - Failure: a compiler error.
    @available(*, unavailable, message: "to update every item, pass { _ in .true }")
    @discardableResult
    public func update<Item: Entity>(
        _ type: Item.Type, set assignments: [Assignment<Item>]
    ) throws(RepositoryError) -> Int { throw .misuse(detail: "to update every item, pass { _ in .true }") }

    /// Does not compile: without a condition every item would be deleted.
    ///
    /// - Failure: a compiler error.
    @available(*, unavailable, message: "to delete every item, pass { _ in .true }")
    @discardableResult
    public func delete<Item: Entity>(_ type: Item.Type) throws(RepositoryError) -> Int {
        throw .misuse(detail: "to delete every item, pass { _ in .true }")
    }
}
