public import Signals

extension Repository {
    /// Follows the items of a query as a list, and delivers each list with its changes from the previous list.
    ///
    /// ```swift
    /// let query = Movie.where { $0.studio == "Gramercy" }.sorted(by: \.title).limit(100)
    /// let token = repository.listSubscription(query)
    ///     .sink(
    ///         onValue: { update in
    ///             print(update.items.count, update.changes.count)
    ///         }, onCompletion: { _ in })
    /// ```
    /// Delivering a list takes O(log *n*) for each change, whereas `fetchSubscription(_:)` makes an array of all items.
    /// - Delivery: the current list and then, in commit order, each list that differs from the one before; a slow sink
    ///   receives only the latest list, with the changes from the list that it received before. The signal does not
    ///   finish.
    /// - Failure: as `fetch(_:)`; `.closed` when the repository is closed.
    public func listSubscription<Item: Entity & Equatable>(
        _ query: FetchQuery<Item>
    ) -> Signal<ListUpdate<Item>, RepositoryError> {
        let rows = query.rows
        let live = LiveQuery { store in ItemList(try store.rows(rows)) }.following(query, rows) { ItemList($0) }
        let lists = signal(for: .follow(RepositoryCall("listSubscription", Item.self), live))
        return lists.scan(ListUpdate<Item>(ItemList([]), commit: 0)) { last, list in
            ListUpdate(list.value, commit: list.commit, since: last.items)
        }
    }
}
