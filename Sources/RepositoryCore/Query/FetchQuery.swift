/// A query for items: which items to fetch, in which order, and how many.
///
/// A query is a value: each method returns a changed copy.
///
/// ```swift
/// let page = Movie.where { $0.boxOffice > 1_000_000 }.sorted(by: \.title).limit(20).offset(40)
/// let movies = try await repository.fetch(page).value()
/// ```
///
/// Items are ordered by the sort keys, and items with equal sort keys by id. Without sort keys, items are in the
/// default order of their entity. If the entity has none, SQLite returns items in the order in which they were stored,
/// or by id if the ids are integers; PostgreSQL returns them by id.
public struct FetchQuery<Root: Fetchable>: Sendable {
    private(set) var condition: ConditionTree?
    var orderings: [SortKey<Root>] = []
    /// For each table of a join except the first: the condition that joins it to the tables before it.
    private(set) var joins: [ConditionTree] = []
    var limit: Int?
    var offset: Int?
    var isReversed = false

    /// The sort keys of the query, or else the default order of the entity.
    var sortKeys: [SortKey<Root>] {
        let keys = orderings.isEmpty ? Root.defaultOrder.map { SortKey.column($0) } : orderings
        return isReversed ? keys.map { $0.reversed } : keys
    }

    /// Creates a query for every stored item of the type.
    public init() where Root: Entity {}

    init(joins: [Condition<Root>]) {
        self.joins = joins.map(\.tree)
    }

    fileprivate mutating func narrow(to other: ConditionTree) {
        guard !other.isTrue else { return }
        condition = condition.map { $0.and(other) } ?? other
    }
}

/// A query for items, alone or with related items, that can be refined step by step.
public protocol RefinableQuery<Root>: Sendable {
    /// The type of the fetched items.
    associatedtype Root: Fetchable
    /// Returns a copy of the query, changed by a closure, for example in its condition, order or limit.
    func refined(_ change: (inout FetchQuery<Root>) -> Void) -> Self
}

extension FetchQuery: RefinableQuery {
    /// Returns the changed query.
    public func refined(_ change: (inout FetchQuery) -> Void) -> FetchQuery {
        var query = self
        change(&query)
        return query
    }
}

extension RefinableQuery {
    /// The same query, limited to one item.
    public var one: Self { refined { $0.limit = min(1, $0.limit ?? 1) } }

    /// Keeps only the items that meet the condition, in addition to earlier conditions.
    ///
    /// Without a condition (`nil`) the query is unchanged.
    public func `where`(_ condition: Condition<Root>?) -> Self {
        guard let condition else { return self }
        return refined { $0.narrow(to: condition.tree) }
    }

    /// Keeps only the items that meet a condition on their properties, in addition to earlier conditions.
    ///
    /// Every line of the closure must hold.
    ///
    /// ```swift
    /// let hits = Movie.all.where {
    ///     $0.boxOffice > 1_000_000
    ///     $0.title.count > 3 || $0.studio == nil
    /// }
    /// ```
    public func `where`(@ConditionBuilder<Root> _ condition: (Root.QueryTerms) -> Condition<Root>) -> Self {
        let tree = condition(Root.queryTerms).tree
        return refined { $0.narrow(to: tree) }
    }

    /// Sorts by a term, after any existing sort keys.
    ///
    /// ```swift
    /// let shortest = Movie.all.sorted { $0.title.count }.sorted(.descending) { $0.boxOffice }
    /// ```
    public func sorted<Value: ColumnValue>(
        _ direction: Ordering<Root>.Direction = .ascending, by term: (Root.QueryTerms) -> Term<Root, Value>
    ) -> Self {
        refined { $0.orderings.append(SortKey(term(Root.queryTerms), direction)) }
    }

    /// Sorts by a column, after any existing sort keys.
    public func sorted<Value: ColumnValue>(
        by column: KeyPath<Root, Value> & Sendable, _ direction: Ordering<Root>.Direction = .ascending
    ) -> Self where Root: Entity {
        refined { $0.orderings.append(.column(Ordering(column, direction))) }
    }

    /// Sorts by several keys, after any existing sort keys.
    public func sorted(_ orderings: [Ordering<Root>]) -> Self {
        refined { query in
            for ordering in orderings { query.orderings.append(.column(ordering)) }
        }
    }

    /// Limits the number of fetched items.
    ///
    /// A negative count is treated as zero.
    public func limit(_ count: Int) -> Self { refined { $0.limit = max(0, count) } }

    /// Skips a number of items at the start.
    ///
    /// A negative count is treated as zero.
    public func offset(_ count: Int) -> Self { refined { $0.offset = max(0, count) } }
}

enum SortKey<Root: Fetchable>: Sendable {
    case column(Ordering<Root>)
    case term(Result<TermValue, RepositoryError>, Ordering<Root>.Direction)

    init<Value>(_ term: Term<Root, Value>, _ direction: Ordering<Root>.Direction) {
        self = .term(
            Result { () throws(RepositoryError) in
                let value = try term.output()
                try value.checkNotEncrypted()
                return value
            }, direction)
    }

    var direction: Ordering<Root>.Direction {
        switch self {
        case .column(let ordering): ordering.direction
        case .term(_, let direction): direction
        }
    }

    var reversed: SortKey {
        switch self {
        case .column(let ordering): .column(ordering.reversed)
        case .term(let term, let direction): .term(term, direction == .ascending ? .descending : .ascending)
        }
    }

    func term() throws(RepositoryError) -> StoredTerm {
        switch self {
        case .column(let ordering): try Root.term(ordering.column)
        case .term(let term, _): try term.get().term
        }
    }

    /// Returns the column by which the key sorts; `nil` if it sorts by a computed value.
    func column() throws(RepositoryError) -> AnyColumn<Root>? where Root: Entity {
        switch self {
        case .column(let ordering):
            let column = try Root.schema.column(for: ordering.column)
            try column.checkNotEncrypted()
            return column
        case .term(let term, _):
            guard let path = try term.get().column?.path else { return nil }
            return try Root.schema.column(for: path)
        }
    }
}

extension Fetchable {
    /// Returns the term for a property that is a sort key.
    fileprivate static func term(_ path: ColumnPath<Self>) throws(RepositoryError) -> StoredTerm {
        guard let entity = Self.self as? any Entity.Type else {
            throw .misuse(detail: "a join has no columns to sort by: sort it by the properties of its sides")
        }
        return try entity.term(anyPath: path)
    }
}

extension Entity {
    fileprivate static func term(anyPath path: AnyKeyPath) throws(RepositoryError) -> StoredTerm {
        let column = try schema.column(for: path)
        try column.checkNotEncrypted()
        return .column(StoredColumn(column))
    }

    /// Starts a query with a condition on the properties of its items; every line of the closure must hold.
    ///
    /// ```swift
    /// let hits = Movie.where { $0.boxOffice > 1_000_000 && $0.title.count > 3 }
    /// ```
    public static func `where`(
        @ConditionBuilder<Self> _ condition: (QueryTerms) -> Condition<Self>
    ) -> FetchQuery<Self> {
        FetchQuery().where(condition)
    }

    /// The query for every stored item of the type.
    public static var all: FetchQuery<Self> { FetchQuery() }

    /// Starts a query with a condition.
    ///
    /// ```swift
    /// Movie.where { $0.boxOffice > 1_000_000 }
    /// ```
    /// Without a condition (`nil`), the query is for every item.
    public static func `where`(_ condition: Condition<Self>?) -> FetchQuery<Self> {
        FetchQuery().where(condition)
    }
}
