/// What a list that is brought up to date key by key is made of, and into.
struct KeyedForm<Root: Fetchable, Item: Sendable, Output>: Sendable {
    /// Adds to items what is included with them.
    let complete: @Sendable (ReadTransaction, [Root]) throws(RepositoryError) -> [Item]
    /// Whether two items are the same in the store.
    let isSame: @Sendable (Item, Item) -> Bool
    let make: @Sendable (ItemTree<Item>) -> Output
}

extension KeyedForm where Root == Item, Item: Equatable {
    /// A list of the items themselves.
    init(items make: @escaping @Sendable (ItemTree<Item>) -> Output) {
        let texts = StoredTexts<Item>()
        self.init(
            complete: { _, items in items }, isSame: { $0 == $1 && texts.areSame($0, $1) }, make: make)
    }
}

extension LiveQuery {
    /// The same query, of a list that depends on the rows of several tables.
    func following<Root: Fetchable, Item>(
        _ query: FetchQuery<Root>, _ links: TableLinks?, _ form: KeyedForm<Root, Item, Output>
    ) -> LiveQuery {
        guard let keyed = try? KeyedQuery(query, links) else { return self }
        return maintained(keyed.links.tables) { _ in KeyedMaintainer(keyed, form) }
    }
}
