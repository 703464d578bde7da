/// A query that groups its rows by the values of terms and computes values for each group.
///
/// ```swift
/// let busy = Movie.all
///     .grouped { $0.studio }
///     .having { $0.id.count() > 3 }
///     .sorted(.descending) { $0.boxOffice.sum() }
///     .limit(10)
///     .aggregate { ($0.id.count(), $0.boxOffice.sum()) }
/// ```
/// Groups are in the order of their keys unless they are sorted.
public struct GroupedQuery<Root: Fetchable, each Key: Sendable>: Sendable {
    private let query: FetchQuery<Root>
    private let keys: (repeat Selection<each Key>)
    private var condition: Term<Groups<Root>, Bool>?
    private var order: [(term: Result<TermValue, RepositoryError>, isDescending: Bool)] = []
    private var limit: Int?
    private var offset: Int?

    init(_ query: FetchQuery<Root>, by keys: Terms<Root, repeat each Key>) {
        self.query = query
        self.keys = keys.selections
    }

    /// Keeps only the groups that meet a condition, in addition to earlier conditions.
    public func having(
        @ConditionBuilder<Groups<Root>> _ condition: (Root.QueryTerms) -> Term<Groups<Root>, Bool>
    ) -> GroupedQuery {
        let more = condition(Root.queryTerms)
        return with { $0.condition = $0.condition.map { $0 && more } ?? more }
    }

    /// Sorts the groups by a term that is computed for each group, after any existing sort keys.
    public func sorted<Value: ColumnValue>(
        _ direction: Ordering<Root>.Direction = .ascending, by term: (Root.QueryTerms) -> Term<Groups<Root>, Value>
    ) -> GroupedQuery {
        let term = term(Root.queryTerms)
        let value = Result { () throws(RepositoryError) in try term.value() }
        return with { $0.order.append((value, direction == .descending)) }
    }

    /// Limits the number of groups.
    ///
    /// A negative count is treated as zero.
    public func limit(_ count: Int) -> GroupedQuery { with { $0.limit = max(0, count) } }

    /// Skips a number of groups at the start.
    ///
    /// A negative count is treated as zero.
    public func offset(_ count: Int) -> GroupedQuery { with { $0.offset = max(0, count) } }

    private func with(_ change: (inout GroupedQuery) -> Void) -> GroupedQuery {
        var grouped = self
        change(&grouped)
        return grouped
    }

    /// Computes one or more terms for each group; a row contains the keys of the group, and then the values.
    public func aggregate<each Value: ColumnValue>(
        @TermsBuilder<Groups<Root>> _ terms: (Root.QueryTerms) -> Terms<Groups<Root>, repeat each Value>
    ) -> SelectQuery<(repeat each Key, repeat each Value)> {
        let (keys, values) = (keys, terms(Root.queryTerms).selections)
        return SelectQuery(
            statement: statement { statement throws(RepositoryError) in
                for value in repeat each values { statement.outputs += try value.outputs.get() }
            },
            read: { row throws(RepositoryError) in
                var position = 0
                return (repeat try (each keys).read(row, &position), repeat try (each values).read(row, &position))
            })
    }

    private func statement(
        _ add: (inout SelectStatement) throws(RepositoryError) -> Void
    ) -> Result<SelectStatement, RepositoryError> {
        query.statement { statement throws(RepositoryError) in
            guard query.limit == nil, query.offset == nil else {
                throw .misuse(detail: "a limit or an offset comes before grouped: move it after grouped")
            }
            for key in repeat each keys {
                statement.outputs += try key.outputs.get()
                statement.groups += try key.keys.get().map(\.term)
            }
            statement.groupOutputs = statement.outputs.count
            statement.having = try condition?.stored()
            statement.order = []
            for (term, isDescending) in order { statement.order.append((try term.get().term, isDescending)) }
            for key in statement.groups { statement.order.append((key, false)) }
            statement.isInRowOrder = false
            (statement.limit, statement.offset) = (limit, offset)
            try add(&statement)
        }
    }
}

extension FetchQuery {
    /// Groups the rows by the values of one or more terms, or by whole items.
    ///
    /// ```swift
    /// let best = Player.joined(to: Team.self).grouped { _, team in team }
    ///     .aggregate { player, _ in player.rating.max() }
    /// for (team, rating) in try await repository.fetch(best).value() { print(team.name, rating ?? 0) }
    /// ```
    /// Whole items must come before terms. For an item, rows are grouped by its id; for an item of a view, by all its
    /// columns.
    public func grouped<each Key: Sendable>(
        @TermsBuilder<Root> by keys: (Root.QueryTerms) -> Terms<Root, repeat each Key>
    ) -> GroupedQuery<Root, repeat each Key> {
        GroupedQuery(self, by: keys(Root.queryTerms))
    }

    /// Computes one or more terms over all rows; the result is one row of values.
    ///
    /// ```swift
    /// let totals = Movie.all.aggregate { ($0.id.count(), $0.id.count(where: $0.studio == nil), $0.boxOffice.sum()) }
    /// ```
    public func aggregate<each Value: ColumnValue>(
        @TermsBuilder<Groups<Root>> _ terms: (Root.QueryTerms) -> Terms<Groups<Root>, repeat each Value>
    ) -> SelectQuery<(repeat each Value)> {
        GroupedQuery<Root>(self, by: Terms()).aggregate(terms)
    }
}
