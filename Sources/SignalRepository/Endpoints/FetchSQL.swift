public import Signals

extension Repository {
    /// Fetches items with a statement of the program's own, for what a query cannot say: a common table expression, a
    /// window function, a search for words.
    ///
    /// ```swift
    /// let newest = try await repository.fetch(
    ///     Movie.self,
    ///     sql: """
    ///         SELECT *, row_number() OVER (PARTITION BY studio ORDER BY releaseDate DESC) AS place
    ///         FROM Movie WHERE boxOffice > ? ORDER BY title
    ///         """, 1_000_000
    /// ).first()
    /// print(newest.count)  // 12
    /// ```
    /// The text is a literal of the program; values are bound to its question marks. Columns are found by their names,
    /// in any order; those that the entity does not have are left out.
    /// - Delivery: one array, in the order of the rows; then finished.
    /// - Failure: `.misuse` when the statement does not compile, has another number of parameters, writes, or gives a
    ///   column of the entity not at all or twice; `.decoding` when a value is not one of its property's type.
    public func fetch<Item: Entity>(
        _ type: Item.Type, sql: StaticString, _ values: any ColumnValue...
    ) -> Signal<[Item], RepositoryError> {
        read { store in try store.fetch(type, SQLText(sql, values)) }
    }

    /// Fetches items with a statement of the program's own, now and after every change of the result.
    ///
    /// ```swift
    /// let token = repository.fetchSubscription(Movie.self, sql: "SELECT * FROM Movie ORDER BY length(title)")
    ///     .sink(onValue: { print($0.count) }, onCompletion: { _ in })
    /// ```
    /// Which tables it reads is asked of SQLite, so that it hears of every one of them.
    /// - Delivery: the array as it is now, and then each different one, in commit order; a slow sink gets the latest.
    ///   It does not finish.
    /// - Failure: as `fetch(_:sql:_:)`, which ends it; `.closed` when the repository is closed.
    public func fetchSubscription<Item: Entity & Equatable>(
        _ type: Item.Type, sql: StaticString, _ values: any ColumnValue...
    ) -> Signal<[Item], RepositoryError> {
        let text = Result { () throws(RepositoryError) in try SQLText(sql, values) }
        return follow(LiveQuery { store in try store.fetch(type, text.get()) }).map(\.value)
    }
}

extension ReadTransaction {
    /// Fetches items with a statement of the program's own; see `Repository.fetch(_:sql:_:)`.
    ///
    /// - Failure: `.misuse` when the statement does not compile, has another number of parameters, writes, or gives a
    ///   column of the entity not at all or twice; `.decoding` when a value is not one of its property's type.
    public func fetch<Item: Entity>(
        _ type: Item.Type, sql: StaticString, _ values: any ColumnValue...
    ) throws(RepositoryError) -> [Item] {
        try fetch(type, SQLText(sql, values))
    }

    /// Executes a statement of the program's own whose rows are items, with columns in any order.
    final func fetch<Item: Entity>(_ type: Item.Type, _ sql: SQLText) throws(RepositoryError) -> [Item] {
        try query(try ownReading(sql)) { statement throws(RepositoryError) in
            var hasRow = try statement.step()
            // After the first step, because SQLite may have compiled the statement anew in it.
            let places = try statement.places(of: Item.schema)
            var items: [Item] = []
            if places == Array(places.indices) {
                while hasRow {
                    items.append(try statement.item(Item.schema))
                    hasRow = try statement.step()
                }
                return items
            }
            let row = try session.connection.cached(SQLText.returning(parameters: places.count).text)
            defer { row.clear() }
            while hasRow {
                let values = try statement.values()
                items.append(try row.item(Item.schema, of: places.map { values[$0] }))
                hasRow = try statement.step()
            }
            return items
        }
    }
}
