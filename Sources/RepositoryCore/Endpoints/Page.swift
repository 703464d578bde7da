extension FetchQuery where Root: Entity {
    /// A query for one page of the items: the page after `cursor` or, without a cursor, the first page.
    ///
    /// ```swift
    /// let movies = Movie.all.sorted(by: \.title)
    /// var page = try await repository.fetch(movies.page(size: 20)).value()
    /// while let next = page.next {
    ///     page = try await repository.fetch(movies.page(after: next, size: 20)).value()
    /// }
    /// ```
    /// A cursor holds the sort values and the id of the last item, so no item is repeated or skipped when other items
    /// are inserted or deleted between two pages. A query without sort keys is ordered by id. If a computed sort key
    /// passes a `Set` to `isIn`, a cursor fails in another process, where the set may have a different order. Pass an
    /// array instead.
    ///
    /// - Delivery: `next` is `nil` on the last page only.
    /// - Failure: `.misuse` for the cursor of a query with another order, for a query with a limit or an offset, or for
    ///   a size below 1; `.decoding`.
    /// - Complexity: O(*size*) for every page if an index begins with the first sort key, few items share a value of
    ///   that key, and the key is ascending or not optional. Otherwise, and for a computed key, O(*n*) for *n* items.
    public func page(after cursor: PageCursor? = nil, size: Int) -> ReadQuery<Page<Root>> {
        ReadQuery(RepositoryCall("page", Root.self)) { store throws(RepositoryError) in
            try store.page(self, after: cursor, size: size)
        }
    }
}

extension ReadTransaction {
    fileprivate final func page<Item: Entity>(
        _ query: FetchQuery<Item>, after cursor: PageCursor?, size: Int
    ) throws(RepositoryError) -> Page<Item> {
        try checkUsable()
        guard size > 0, size < Int.max else {
            throw .misuse(detail: "the size of a page must be between 1 and \(Int.max - 1), not \(size)")
        }
        let order = try PageOrder(query, in: session.dialect)
        let test = try cursor.map { cursor throws(RepositoryError) in try order.test(after: cursor) }
        let sql = try session.dialect.select(order.query.limit(size + 1), and: test, adding: order.computed)
        return try self.query(try session.statement(sql)) { statement throws(RepositoryError) in
            var items: [Item] = []
            // The last item's values for the cursor, as stored: encoding the item again may give different values.
            var last: [SQLValue] = []
            // Whether the row after the page exists: the query reads one row more than the page has.
            var hasNext = false
            try statement.forEach { row throws(RepositoryError) in
                hasNext = items.count == size
                if hasNext { return }
                items.append(try row.item(Item.schema))
                if items.count == size { for index in order.indexes { last.append(try row.value(at: index)) } }
            }
            return Page(items: items, next: hasNext ? order.cursor(after: last) : nil)
        }
    }
}
