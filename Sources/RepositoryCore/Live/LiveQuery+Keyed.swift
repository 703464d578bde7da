/// How the items of a list that is re-read by key are completed and compared, and how the list becomes an output.
struct KeyedRead<Root: Fetchable, Item: Sendable, Output>: Sendable {
    /// Adds the included items.
    let complete: @Sendable (ReadTransaction, [Root]) throws(RepositoryError) -> [Item]
    /// Whether two items are the same in the store.
    let isSame: @Sendable (Item, Item) -> Bool
    let make: @Sendable (ItemTree<Item>) -> Output
}

extension KeyedRead where Root == Item, Item: Equatable {
    /// Creates the read of a list of the items themselves.
    init(items make: @escaping @Sendable (ItemTree<Item>) -> Output) {
        let texts = StoredTexts<Item>()
        self.init(
            complete: { _, items in items }, isSame: { $0 == $1 && texts.areSame($0, $1) }, make: make)
    }
}

extension LiveQuery {
    /// Returns the query with a maintainer, for a list that depends on the rows of several tables.
    func following<Root: Fetchable, Item>(
        _ query: FetchQuery<Root>, _ links: TableLinks?, _ read: KeyedRead<Root, Item, Output>
    ) -> LiveQuery {
        guard let keyed = try? KeyedQuery(query, links) else { return self }
        return maintained(keyed.links.tables) { _ in KeyedMaintainer(keyed, read) }
    }
}
