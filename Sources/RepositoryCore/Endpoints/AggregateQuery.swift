/// A query for an aggregate, such as a count or a sum, over all rows of another query or over each of its groups.
///
/// ```swift
/// let indies = Movie.where { $0.studio == nil }
/// let gross = try await repository.fetch(indies.sum(of: \.boxOffice)).value()
/// let count = repository.follow(indies.count)
/// ```
public struct AggregateQuery<Answer: Sendable & Equatable>: LiveRepositoryQuery {
    private let name: String
    private let tables: @Sendable () -> [String]
    /// Makes the live query; called only when the aggregate is followed, because most aggregates are only fetched.
    private let live: @Sendable () -> LiveQuery<Answer>
    private let read: @Sendable (ReadTransaction) throws(RepositoryError) -> Answer

    init<Root>(
        _ name: String, of query: FetchQuery<Root>, live: @escaping @Sendable () -> LiveQuery<Answer>,
        _ read: @escaping @Sendable (ReadTransaction) throws(RepositoryError) -> Answer
    ) {
        (self.name, self.live, self.read) = (name, live, read)
        tables = { Root.fetchSource.tables.names }
    }

    /// Computes the aggregate.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> Answer { try read(store) }

    /// The request for one result, which usually executes a single statement.
    public var request: Request<Answer> {
        .read(oneStatement: RepositoryCall(name, tables: tables())) { [read] store in try read(store) }
    }

    /// The request for the result now and whenever it changes.
    public var liveRequest: Request<Answer> {
        .values(RepositoryCall("\(name)Subscription", tables: tables()), live())
    }
}

extension FetchQuery {
    /// The number of rows.
    ///
    /// A live count is updated from the changed rows. The count of a `matching(_:_:)` query is re-read after each
    /// change of its table.
    public var count: AggregateQuery<Int> { counted("count", self) { $0 } }

    /// Whether the query has any row; fetching this reads at most one row.
    ///
    /// A live signal of this query counts the rows once, and is then updated like a live count.
    public var exists: AggregateQuery<Bool> { counted("exists", one) { $0 > 0 } }

    private func counted<Answer>(
        _ name: String, _ query: FetchQuery, _ answer: @escaping @Sendable (Int) -> Answer
    ) -> AggregateQuery<Answer> {
        let sql = QuerySQL { dialect throws(RepositoryError) in try dialect.count(query) }
        return AggregateQuery(
            name, of: self,
            live: { LiveQuery { store in answer(try store.number(sql)) }.following(countOf: query, answer) },
            { store throws(RepositoryError) in answer(try store.number(sql)) })
    }
}

extension FetchQuery where Root: Entity {
    /// The sum of a column, exact unless the numbers are floating-point; zero if there are no values.
    ///
    /// - Failure: `.overflow` when the sum does not fit its type; `.misuse` for a query with a limit or an offset, and
    ///   for a property without a column.
    public func sum<Value: NumericValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Sum> { aggregate(.sum, of: column) }

    /// The average of a column's values; `nil` if there are no values.
    ///
    /// - Failure: as `sum(of:)`.
    public func average<Value: NumericValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Average?> { aggregate(.average, of: column) }

    /// The smallest value of a column; `nil` if there are no values.
    ///
    /// - Failure: `.decoding`; `.misuse` as `sum(of:)`.
    public func min<Value: OrderedValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Plain?> { aggregate(.min, of: column) }

    /// The largest value of a column; `nil` if there are no values.
    ///
    /// - Failure: `.decoding`; `.misuse` as `sum(of:)`.
    public func max<Value: OrderedValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Plain?> { aggregate(.max, of: column) }

    /// The count, sum, average, smallest and largest value of a column, in one statement.
    ///
    /// - Failure: as `sum(of:)`; `.decoding`.
    public func summary<Value: NumericValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Summary<Value>> { aggregate(.summary, of: column) }

    /// The number of items for each value of a column, in the order of the values, `nil` first.
    ///
    /// ```swift
    /// let studios = try await repository.fetch(Movie.all.count(groupedBy: \.studio)).value()
    /// for studio in studios { print(studio.key ?? "independent", studio.value) }
    /// ```
    /// - Failure: `.decoding` when a key does not fit its property's type; `.misuse` as `sum(of:)`.
    public func count<Key: ColumnValue & Equatable>(
        groupedBy key: KeyPath<Root, Key> & Sendable
    ) -> AggregateQuery<[Grouped<Key, Int>]> {
        aggregated(.rows, of: nil, groupedBy: key)
    }

    /// An aggregate of a column for each value of a key column, in the order of the keys, `nil` first.
    ///
    /// ```swift
    /// let gross = repository.follow(Movie.all.aggregate(.sum, of: \.boxOffice, groupedBy: \.studio))
    /// ```
    /// - Failure: as `sum(of:)`; `.decoding`.
    public func aggregate<Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Root, Value> & Sendable,
        groupedBy key: KeyPath<Root, Key> & Sendable
    ) -> AggregateQuery<[Grouped<Key, Output>]> {
        aggregated(function, of: column, groupedBy: key)
    }

    /// An aggregate of a column over the items of the query.
    ///
    /// - Failure: as `sum(of:)`; `.decoding`.
    public func aggregate<Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Output> {
        let aggregation = aggregation(function, of: column)
        return AggregateQuery(function.name, of: self) {
            LiveQuery(isSame: function.isSame) { store in try aggregation.get().value(in: store) }
                .following(aggregation)
        } _: { store throws(RepositoryError) in
            try aggregation.get().value(in: store)
        }
    }

    private func aggregated<Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: ColumnPath<Root>?,
        groupedBy key: KeyPath<Root, Key> & Sendable
    ) -> AggregateQuery<[Grouped<Key, Output>]> {
        let aggregation = aggregation(function, of: column, groupedBy: key)
        return AggregateQuery(function.name, of: self) {
            LiveQuery(isSame: function.areSame) { store in try aggregation.get().groups(by: Key.self, in: store) }
                .followingGroups(of: aggregation)
        } _: { store throws(RepositoryError) in
            try aggregation.get().groups(by: Key.self, in: store)
        }
    }

    fileprivate func aggregation<Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: ColumnPath<Root>?,
        groupedBy key: ColumnPath<Root>? = nil
    ) -> Result<Aggregation<Root, Output>, RepositoryError> {
        Result { () throws(RepositoryError) in
            try Aggregation(function, of: column, over: self, groupedBy: key)
        }
    }
}

extension AggregateFunction {
    /// The name of the function in a `RepositoryCall`.
    fileprivate var name: String {
        switch terms {
        case [.rows], [.count]: "count"
        case [.sum]: "sum"
        case [.count, .sum]: "average"
        case [.minimum]: "min"
        case [.maximum]: "max"
        default: "aggregate"
        }
    }
}

extension ReadTransaction {
    fileprivate final func number(_ sql: QuerySQL) throws(RepositoryError) -> Int {
        try checkUsable()
        return try query(try session.statement(sql)) { statement throws(RepositoryError) in
            try statement.first { row throws(RepositoryError) in try row.value(Int.self, at: 0) } ?? 0
        }
    }
}
