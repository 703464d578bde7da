extension FetchQuery where Root: Entity {
    /// One page of the items: the one after a cursor, or the first without one.
    ///
    /// ```swift
    /// let movies = Movie.all.sorted(by: \.title)
    /// var page = try await repository.fetch(movies.page(size: 20)).value()
    /// while let next = page.next {
    ///     page = try await repository.fetch(movies.page(after: next, size: 20)).value()
    /// }
    /// ```
    /// A cursor holds the sort values and the id of the last item, so no item is repeated or skipped when others come
    /// or go between two pages. A query without sort keys is in the order of the id. A computed order that contains
    /// constants of a `Set` is refused in another process, where they may be in another order: give `isIn` an array.
    ///
    /// - Delivery: `next` is `nil` on the last page only.
    /// - Failure: `.misuse` for a cursor of another order, for a query with a limit or an offset of its own, and for a
    ///   size below 1; `.decoding`.
    /// - Complexity: O(*size*), a late page as much as the first, where an index begins with the first sort key, few
    ///   items have the same value of it, and it is ascending or not optional. Otherwise, and if it is computed, O(*n*)
    ///   in the number of items.
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
            // As they are stored: an item may be stored in another form.
            var last: [SQLValue] = []
            // The extra row shows whether there is a next page.
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
