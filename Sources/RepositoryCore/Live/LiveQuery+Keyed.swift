/// The functions that complete, compare and output the items of a live list that is re-read by key.
///
/// Re-reading by key means that only the items that belong to changed rows are read.
struct KeyedRead<Root: Fetchable, Item: Sendable, Output>: Sendable {
    /// Adds the related items that the query includes to the fetched items.
    let complete: @Sendable (ReadTransaction, [Root]) throws(RepositoryError) -> [Item]
    /// Whether two items are the same in the store.
    let isSame: @Sendable (Item, Item) -> Bool
    let make: @Sendable (ItemTree<Item>) -> Output
}

extension KeyedRead where Root == Item, Item: Equatable {
    /// Creates the functions for a query that fetches items without related ones.
    init(items make: @escaping @Sendable (ItemTree<Item>) -> Output) {
        let texts = StoredTexts<Item>()
        self.init(
            complete: { _, items in items }, isSame: { $0 == $1 && texts.areSame($0, $1) }, make: make)
    }
}

extension LiveQuery {
    /// Returns the query with a maintainer for a list that depends on several tables, or unchanged if there is none.
    func following<Root: Fetchable, Item>(
        _ query: FetchQuery<Root>, _ links: TableLinks?, _ read: KeyedRead<Root, Item, Output>
    ) -> LiveQuery {
        guard let keyed = try? KeyedQuery(query, links) else { return self }
        return maintained(keyed.links.tables) { _ in KeyedMaintainer(keyed, read) }
    }
}
