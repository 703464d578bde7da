extension IncludingQuery: RepositoryQuery {
    /// Fetches the items, and then their included items, from one state of the store.
    ///
    /// - Failure: as `fetch(_:)` of each entity; `.misuse` for a property in `by:`, `from:` or `to:` that is not
    ///   stored like the ids that it refers to, and for a limit on the query in `count:` or `through:`.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> [Output] {
        try complete(store, try store.fetch(query))
    }

    /// The request for the items and their included items.
    public var request: Request<[Output]> {
        .read(oneStatement: RepositoryCall("fetch", tables: tables)) { store in try answer(in: store) }
    }

    /// A query for the first item and its included items; its answer is `nil` if there are no items.
    public var first: FirstQuery<IncludingQuery> { FirstQuery(one) }
}

extension IncludingQuery: LiveRepositoryQuery where Output: Equatable {
    /// The request that follows the items.
    ///
    /// After a commit, only the items that the commit may affect are re-read.
    public var liveRequest: Request<[Output]> {
        let source = Root.fetchSource
        let read = ListRead(
            read: { row throws(RepositoryError) in try source.read(row.row) }, complete: complete,
            isSame: { $0 == $1 && areTextsSame($0, $1) }, make: { $0.array })
        let live = LiveQuery<[Output]>(isSame: { $0 == $1 && areAllTextsSame($0, $1) }) { store in
            try answer(in: store)
        }
        let followed = (try? SelectStatement(query)).map { live.following($0, try? links(), read) }
        return .values(RepositoryCall("fetchSubscription", tables: tables), followed ?? live)
    }
}
