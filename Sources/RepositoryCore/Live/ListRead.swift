/// The functions that read, complete, compare and output the items of a live list.
struct ListRead<Root: Sendable, Item: Sendable, Output>: Sendable {
    let read: @Sendable (any StoreStatement) throws(RepositoryError) -> Root
    /// Adds to each fetched item the items that the query includes for it.
    let complete: @Sendable (ReadTransaction, [Root]) throws(RepositoryError) -> [Item]
    /// Whether two items are the same in the store.
    let isSame: @Sendable (Item, Item) -> Bool
    let make: @Sendable (ItemTree<Item>) -> Output
    /// Whether outputs differ whenever their lists do.
    var showsAll = true
}

extension ListRead where Root == Item, Item: Fetchable & Equatable {
    /// Creates the functions for a query that fetches items without included items.
    init(items make: @escaping @Sendable (ItemTree<Item>) -> Output) {
        let (source, texts) = (Item.fetchSource, StoredTexts<Item>())
        self.init(
            read: { row throws(RepositoryError) in try source.read(row.row) }, complete: { _, items in items },
            isSame: { $0 == $1 && texts.areSame($0, $1) }, make: make)
    }
}

/// A selected row, and the values from which it was read.
typealias SelectedRow<Output> = (row: Output, values: [SQLValue])

extension ListRead {
    /// Creates the functions for a query that selects terms; `width` is the number of their values.
    init<Selected: Sendable>(
        width: Int, _ read: @escaping @Sendable (RowSource) throws(RepositoryError) -> Selected
    ) where Root == SelectedRow<Selected>, Item == SelectedRow<Selected>, Output == StoredRows<Selected> {
        self.init(
            read: { statement throws(RepositoryError) in
                var values: [SQLValue] = []
                for index in 0..<width { values.append(try statement.value(at: index)) }
                return (try read(statement.row), values)
            }, complete: { _, rows in rows }, isSame: { $0.values == $1.values },
            make: { tree in
                let rows = tree.array
                return StoredRows(rows: rows.map(\.row), values: rows.map(\.values))
            })
    }
}

extension LiveQuery {
    /// Returns the query with a maintainer of a list (the one that `inMemory` returns, or else one that re-reads the
    /// list by key); without `links`, returns the query unchanged.
    func following<Root, Item>(
        _ statement: SelectStatement, _ links: TableLinks?, _ read: ListRead<Root, Item, Output>,
        inMemory: @escaping @Sendable (StoreRules) -> (any Maintainer<Output>)? = { _ in nil }
    ) -> LiveQuery {
        guard let links else { return self }
        // The time bounds of included items are unknown here, so a query with such bounds is re-read as time passes.
        return maintained(links.use, links.usesTimeElsewhere ? nil : statement) { rules in
            if let maintainer = inMemory(rules) { return maintainer }
            guard let keyed = try? KeyedQuery(statement, links, rules, read.read) else { return nil }
            return KeyedMaintainer(keyed, read)
        }
    }

    /// Returns the query with a maintainer that updates a list from changed rows or, if necessary, re-reads it by key.
    ///
    /// `rows` returns the functions that make an item from a row; `nil` if only the store can make the items.
    func following<Item>(
        listOf statement: SelectStatement, _ read: ListRead<Item, Item, Output>,
        _ rows: @escaping @Sendable (TableLayout) -> RowReader<Item>?
    ) -> LiveQuery {
        following(statement, try? statement.links(), read) { rules in
            (try? ListWindow(statement, rules, read.read, rows)).map { ListMaintainer($0, read) }
        }
    }
}
