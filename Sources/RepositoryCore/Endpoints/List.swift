public import Signals

extension Repository {
    /// Follows the list of items that a query describes, each list with its changes from the previous one.
    ///
    /// ```swift
    /// let query = Movie.where { $0.studio == "Gramercy" }.sorted(by: \.title).limit(100)
    /// let token = repository.listSubscription(query)
    ///     .sink(
    ///         onValue: { update in
    ///             print(update.items.count, update.changes.count)
    ///         }, onCompletion: { _ in })
    /// ```
    /// Delivering a list takes O(log *n*), whereas `fetchSubscription(_:)` makes an array of all items.
    /// - Delivery: the current list, then each different one, in commit order; a slow sink gets only the latest, with
    ///   the changes from the last list that it received. It does not finish.
    /// - Failure: as `fetch(_:)`; `.closed` when the repository is closed.
    public func listSubscription<Item: Entity & Equatable>(
        _ query: FetchQuery<Item>
    ) -> Signal<ListUpdate<Item>, RepositoryError> {
        let rows = query.rows
        let live = LiveQuery { store in ItemList(try store.rows(rows)) }.following(query) { $0 }
        let lists = signal(for: .follow(RepositoryCall("listSubscription", Item.self), live))
        return lists.scan(ListUpdate<Item>(ItemList([]), commit: 0)) { last, list in
            ListUpdate(list.value, commit: list.commit, since: last.items)
        }
    }
}
