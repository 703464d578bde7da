public import Signals

extension Repository {
    /// Fetches items with a raw SQL statement, for what a query cannot express: a common table expression, a
    /// window function, a full-text search.
    ///
    /// ```swift
    /// let newest = try await repository.fetch(
    ///     Movie.self,
    ///     sql: """
    ///         SELECT *, row_number() OVER (PARTITION BY studio ORDER BY releaseDate DESC) AS place
    ///         FROM Movie WHERE boxOffice > ? ORDER BY title
    ///         """, 1_000_000
    /// ).value()
    /// print(newest.count)  // 12
    /// ```
    /// The text is a literal in the program; values are bound to its question marks. Columns are found by name, in any
    /// order; those that the entity does not have are ignored.
    /// - Delivery: one array, in the order of the rows; then it finishes.
    /// - Failure: `.misuse` when the statement does not compile, has a different number of parameters, writes, or
    ///   returns a column of the entity twice or not at all; `.decoding` when a value does not fit its property's type.
    public func fetch<Item: Entity>(
        _ type: Item.Type, sql: StaticString, _ values: any BindableValue...
    ) -> Signal<[Item], RepositoryError> {
        read(for: RepositoryCall(.fetch, type)) { store in try store.fetch(type, SQLText(sql, values)) }
    }

    /// Fetches items with a raw SQL statement, now and whenever the result changes.
    ///
    /// ```swift
    /// let token = repository.fetchSubscription(Movie.self, sql: "SELECT * FROM Movie ORDER BY length(title)")
    ///     .sink(onValue: { print($0.count) }, onCompletion: { _ in })
    /// ```
    /// SQLite reports which tables it reads, so that it is notified of changes to all of them.
    /// - Delivery: the current array, then each different one, in commit order; a slow sink gets only the latest. It
    ///   does not finish.
    /// - Failure: as `fetch(_:sql:_:)`, which ends it; `.closed` when the repository is closed.
    public func fetchSubscription<Item: Entity & Equatable>(
        _ type: Item.Type, sql: StaticString, _ values: any BindableValue...
    ) -> Signal<[Item], RepositoryError> {
        let text = Result { () throws(RepositoryError) in try SQLText(sql, values) }
        let query = LiveQuery(items: { store in try store.fetch(type, text.get()) })
        return followValues(for: RepositoryCall(.fetchSubscription, type), query)
    }
}

extension ReadTransaction {
    /// Fetches items with a raw SQL statement; see `Repository.fetch(_:sql:_:)`.
    ///
    /// - Failure: `.misuse` when the statement does not compile, has a different number of parameters, writes, or
    ///   returns a column of the entity twice or not at all; `.decoding` when a value does not fit its property's type.
    public func fetch<Item: Entity>(
        _ type: Item.Type, sql: StaticString, _ values: any BindableValue...
    ) throws(RepositoryError) -> [Item] {
        try fetch(type, SQLText(sql, values))
    }

    /// Executes a raw SQL statement whose rows are items, with columns in any order.
    final func fetch<Item: Row>(_ type: Item.Type, _ sql: SQLText) throws(RepositoryError) -> [Item] {
        let schema = Item.schema
        return try ownRows(sql) { statement throws(RepositoryError) in
            let indexes = try statement.indexes(of: schema)
            return indexes == Array(indexes.indices) ? nil : indexes
        } read: { statement, indexes throws(RepositoryError) in
            // Columns in the order of the schema are read where they stand.
            guard let indexes else { return try statement.item(schema) }
            let values = try statement.values()
            return try schema.item(of: indexes.map { values[$0] })
        }
    }
}
