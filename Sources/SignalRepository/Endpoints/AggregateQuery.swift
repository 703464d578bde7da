/// A count, a sum, an average or another aggregate of a query's rows, of all of them or of each group.
///
/// ```swift
/// let indies = Movie.where { $0.studio == nil }
/// let gross = try await repository.fetch(indies.sum(of: \.boxOffice)).value()
/// let count = repository.follow(indies.count)
/// ```
public struct AggregateQuery<Answer: Sendable & Equatable>: LiveRepositoryQuery {
    private let name: String
    private let tables: @Sendable () -> [String]
    /// Made only when it is followed: most queries are fetched once.
    private let live: @Sendable () -> LiveQuery<Answer>
    private let read: @Sendable (ReadTransaction) throws(RepositoryError) -> Answer

    init<Root>(
        _ name: String, of query: FetchQuery<Root>, live: @escaping @Sendable () -> LiveQuery<Answer>,
        _ read: @escaping @Sendable (ReadTransaction) throws(RepositoryError) -> Answer
    ) {
        (self.name, self.live, self.read) = (name, live, read)
        tables = { Root.fetchSource.tables.names }
    }

    /// Computes it.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> Answer { try read(store) }

    /// Computes it, with one statement as a rule.
    public var request: Request<Answer> {
        .read(oneStatement: RepositoryCall(name, tables: tables())) { [read] store in try read(store) }
    }

    /// Computes it now and whenever it changes.
    public var liveRequest: Request<Answer> {
        .values(RepositoryCall("\(name)Subscription", tables: tables()), live())
    }
}

extension FetchQuery {
    /// How many rows there are.
    ///
    /// A live count follows the rows that change; with a join, a search, a limit or an offset it is read again.
    public var count: AggregateQuery<Int> {
        let sql = QuerySQL { dialect throws(RepositoryError) in try dialect.count(self) }
        return counted("count", .rows) { store throws(RepositoryError) in try store.number(sql) }
    }

    /// Whether there is any row; it reads at most one.
    ///
    /// A live answer counts the rows once, and then follows them as a count does.
    public var exists: AggregateQuery<Bool> {
        let one = one
        let sql = QuerySQL { dialect throws(RepositoryError) in try dialect.count(one) }
        return counted("exists", .any) { store throws(RepositoryError) in try store.number(sql) > 0 }
    }

    private func counted<Answer>(
        _ name: String, _ function: AggregateFunction<Never, Answer>,
        _ read: @escaping @Sendable (ReadTransaction) throws(RepositoryError) -> Answer
    ) -> AggregateQuery<Answer> {
        AggregateQuery(name, of: self, live: { followed(function, read) }, read)
    }

    private func followed<Answer>(
        _ function: AggregateFunction<Never, Answer>,
        _ read: @escaping @Sendable (ReadTransaction) throws(RepositoryError) -> Answer
    ) -> LiveQuery<Answer> {
        let live = LiveQuery { store in try read(store) }
        func follow<Item: Entity>(_ type: Item.Type) -> LiveQuery<Answer>? {
            // With a limit or an offset there is no aggregation, and what is left is counted by reading it.
            (self as? FetchQuery<Item>).map { query in live.following(query.aggregation(function, of: nil)) }
        }
        return (Root.self as? any Entity.Type).flatMap { follow($0) } ?? live
    }
}

extension FetchQuery where Root: Entity {
    /// The sum of a column, exact unless the numbers are floating-point; zero without values.
    ///
    /// - Failure: `.overflow` for a sum that its type cannot hold; `.misuse` for a limit or an offset, and for a
    ///   property without a column.
    public func sum<Value: NumericValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Sum> { aggregate(.sum, of: column) }

    /// The average of a column's values; `nil` without values.
    ///
    /// - Failure: as `sum(of:)`.
    public func average<Value: NumericValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Average?> { aggregate(.average, of: column) }

    /// The least value of a column; `nil` without values.
    ///
    /// - Failure: `.decoding`; `.misuse` as `sum(of:)`.
    public func min<Value: OrderedValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Plain?> { aggregate(.min, of: column) }

    /// The greatest value of a column; `nil` without values.
    ///
    /// - Failure: `.decoding`; `.misuse` as `sum(of:)`.
    public func max<Value: OrderedValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Plain?> { aggregate(.max, of: column) }

    /// Count, sum, average, least and greatest value of a column, in one statement.
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
    /// - Failure: `.decoding` for a key; `.misuse` for a limit or an offset, and for a property without a column.
    public func count<Key: ColumnValue & Equatable>(
        groupedBy key: KeyPath<Root, Key> & Sendable
    ) -> AggregateQuery<[Grouped<Key, Int>]> {
        aggregated(.rows, of: nil, groupedBy: key)
    }

    /// A function of a column for each value of another column, in the order of those values, `nil` first.
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

    /// A function of a column, over the items of the query.
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
    /// The name of its shorthand.
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
