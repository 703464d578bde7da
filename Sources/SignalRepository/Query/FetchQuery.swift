/// Which entities to fetch, in which order, and how many.
///
/// A query is a value: each method returns a changed copy.
///
/// ```swift
/// let page = Movie.where(\.boxOffice > 1_000_000).sorted(by: \.title).limit(20).offset(40)
/// let movies = try await repository.fetch(page).value()
/// ```
///
/// Entities are ordered by the sort keys, and by id where these are equal. Without sort keys they are in the default
/// order of their entity; if that has none, in the order they were stored, or by id if the ids are integers.
public struct FetchQuery<Root: Entity>: Sendable {
    var condition: Condition<Root>?
    var orderings: [Ordering<Root>] = []
    var limit: Int?
    var offset: Int?
    /// Whether the order is the opposite one.
    var isReversed = false

    /// The sort keys: the query's own, or else those of the entity.
    var sortKeys: [Ordering<Root>] {
        let keys = orderings.isEmpty ? Root.defaultOrder : orderings
        return isReversed ? keys.map(\.reversed) : keys
    }

    /// The same query, for one item at most.
    var one: FetchQuery { limit(min(1, limit ?? 1)) }

    /// Creates a query for every stored entity of the type.
    public init() {}

    init(condition: Condition<Root>?) {
        self.condition = condition
    }

    /// Keeps only the entities that meet the condition, in addition to earlier conditions.
    ///
    /// Without a condition (`nil`) the query is unchanged.
    public func `where`(_ condition: Condition<Root>?) -> FetchQuery {
        guard let condition else { return self }
        var query = self
        query.condition = self.condition.map { $0 && condition } ?? condition
        return query
    }

    /// Sorts by a column, after any existing keys.
    public func sorted<Value: ColumnValue>(
        by column: KeyPath<Root, Value> & Sendable, _ direction: Ordering<Root>.Direction = .ascending
    ) -> FetchQuery {
        sorted(by: [Ordering(column, direction)])
    }

    /// Sorts by several keys, after any existing keys.
    public func sorted(by orderings: [Ordering<Root>]) -> FetchQuery {
        var query = self
        query.orderings += orderings
        return query
    }

    /// Limits the number of fetched entities.
    ///
    /// A negative count is taken as zero.
    public func limit(_ count: Int) -> FetchQuery {
        var query = self
        query.limit = max(0, count)
        return query
    }

    /// Skips a number of entities at the start.
    ///
    /// A negative count is taken as zero.
    public func offset(_ count: Int) -> FetchQuery {
        var query = self
        query.offset = max(0, count)
        return query
    }
}

extension Entity {
    /// The query for every stored entity of the type.
    public static var all: FetchQuery<Self> { FetchQuery() }

    /// Starts a query with a condition.
    ///
    /// ```swift
    /// Movie.where(\.boxOffice > 1_000_000)
    /// ```
    /// Without a condition (`nil`) it is the query for every entity.
    public static func `where`(_ condition: Condition<Self>?) -> FetchQuery<Self> {
        FetchQuery().where(condition)
    }
}
