/// A live list, and its changes since the list that was delivered before.
///
/// ```swift
/// let token = repository.listSubscription(Movie.all.sorted(by: \.title))
///     .sink(
///         onValue: { update in
///             for change in update.changes { print(change) }
///             print(update.items.count)
///         }, onCompletion: { _ in })
/// ```
public struct ListUpdate<Item: Entity & Equatable>: Sendable, Equatable {
    /// The list.
    public let items: ItemList<Item>
    /// The number of the latest commit reflected in the list.
    public let commit: Int
    /// The list that was delivered before this one; empty for the first delivery.
    public let before: ItemList<Item>

    /// Combines a list, its commit, and the list before it.
    public init(_ items: ItemList<Item>, commit: Int, since before: ItemList<Item> = ItemList([])) {
        (self.items, self.commit, self.before) = (items, commit, before)
    }

    /// The removals and insertions that turn the previous list into this one, associated by the items' ids.
    ///
    /// The changes can be applied one by one in their order: first removals from the last to the first, then insertions
    /// from the first to the last. An item that was updated is removed and inserted again.
    /// - Complexity: O(log *n*) for each change; the changes are computed on each call.
    public var changes: CollectionDifference<Item> { items.difference(from: before) }
}
