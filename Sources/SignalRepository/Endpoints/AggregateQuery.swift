/// One value that is computed of the rows of a query: their number, a sum, an average and so on.
///
/// ```swift
/// let indies = Movie.where { $0.studio == nil }
/// let gross = try await repository.fetch(indies.sum(of: \.boxOffice)).value()
/// let count = repository.follow(indies.count)
/// ```
public struct AggregateQuery<Answer: Sendable & Equatable>: LiveRepositoryQuery {
    private let name: String
    private let tables: @Sendable () -> [String]
    /// Made when it is followed, as the names are when somebody looks: most are asked once.
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

    /// Computes it with one statement.
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
    /// A live number follows the rows that change; of a join, a search or a part with a limit or an offset they are
    /// counted again.
    public var count: AggregateQuery<Int> {
        let sql = QuerySQL { dialect throws(RepositoryError) in try dialect.count(self) }
        return counted("count", .rows) { store throws(RepositoryError) in try store.number(sql) }
    }

    /// Whether there is any row; it reads at most one.
    ///
    /// A live answer counts the rows once, and then follows those that change; of a join, a search or a part with a
    /// limit or an offset it is asked again.
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
            (self as? FetchQuery<Item>).map { query in
                live.following(
                    Result { () throws(RepositoryError) in try Aggregation<Item, Answer>(function, ofRowsOf: query) })
            }
        }
        return (Root.self as? any Entity.Type).flatMap { follow($0) } ?? live
    }
}

extension FetchQuery where Root: Entity {
    /// The exact sum of a column; zero when there is no value.
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
    /// - Failure: as `sum(of:)`.
    public func min<Value: OrderedValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Plain?> { aggregate(.min, of: column) }

    /// The greatest value of a column; `nil` without values.
    ///
    /// - Failure: as `sum(of:)`.
    public func max<Value: OrderedValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Value.Plain?> { aggregate(.max, of: column) }

    /// Count, sum, average, least and greatest value of a column, in one statement.
    ///
    /// - Failure: as `sum(of:)`.
    public func summary<Value: NumericValue>(
        of column: KeyPath<Root, Value> & Sendable
    ) -> AggregateQuery<Summary<Value>> { aggregate(.summary, of: column) }

    /// How many items each group has whose items have the same value in a column: in the order of that value, `nil`
    /// first.
    ///
    /// ```swift
    /// let studios = try await repository.fetch(Movie.all.count(groupedBy: \.studio)).value()
    /// for studio in studios { print(studio.key ?? "independent", studio.value) }
    /// ```
    /// - Failure: `.misuse` for a limit or an offset, and for a property without a column.
    public func count<Key: ColumnValue & Equatable>(
        groupedBy key: KeyPath<Root, Key> & Sendable
    ) -> AggregateQuery<[Grouped<Key, Int>]> {
        aggregated(.rows, of: nil, groupedBy: key)
    }

    /// A function of a column for each group of items with the same value in another column: in the order of that
    /// value, `nil` first.
    ///
    /// ```swift
    /// let gross = repository.follow(Movie.all.aggregate(.sum, of: \.boxOffice, groupedBy: \.studio))
    /// ```
    /// - Failure: as `sum(of:)`.
    public func aggregate<Value, Output, Key: ColumnValue & Equatable>(
        _ function: AggregateFunction<Value, Output>, of column: KeyPath<Root, Value> & Sendable,
        groupedBy key: KeyPath<Root, Key> & Sendable
    ) -> AggregateQuery<[Grouped<Key, Output>]> {
        aggregated(function, of: column, groupedBy: key)
    }

    /// Any function of a column, for all items.
    ///
    /// - Failure: as `sum(of:)`.
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

    private func aggregation<Value, Output>(
        _ function: AggregateFunction<Value, Output>, of column: ColumnPath<Root>?,
        groupedBy key: ColumnPath<Root>? = nil
    ) -> Result<Aggregation<Root, Output>, RepositoryError> {
        Result { () throws(RepositoryError) in
            guard limit == nil, offset == nil else {
                throw .misuse(detail: "an aggregate takes all rows: the query has a limit or an offset")
            }
            return try Aggregation(function, of: column, where: condition, groupedBy: key)
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
    /// Executes a statement that returns one number.
    fileprivate final func number(_ sql: QuerySQL) throws(RepositoryError) -> Int {
        try checkUsable()
        return try query(try session.statement(sql)) { statement throws(RepositoryError) in
            try statement.first { row throws(RepositoryError) in try row.value(Int.self, at: 0) } ?? 0
        }
    }
}
