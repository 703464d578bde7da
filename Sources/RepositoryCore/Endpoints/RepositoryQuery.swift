/// A query whose answer a repository fetches; see `LiveRepositoryQuery` for queries that it can also follow.
///
/// ```swift
/// let hits = Movie.where { $0.boxOffice > 1_000_000 }
/// let movies = try await repository.fetch(hits.sorted(by: \.title)).value()  // [Movie]
/// let best = try await repository.fetch(hits.sorted(by: \.boxOffice, .descending).first).value()  // Movie?
/// let count = try await repository.fetch(hits.count).value()  // Int
/// let gross = repository.follow(hits.sum(of: \.boxOffice))  // the sum, now and whenever it changes
/// ```
/// Conform your own type to read anything else:
///
/// ```swift
/// struct StudioReport: LiveRepositoryQuery {
///     let studio: String
///
///     func answer(in store: ReadTransaction) throws(RepositoryError) -> [String] {
///         let movies = try store.fetch(Movie.where { $0.studio == studio })
///         return movies.map(\.title).sorted()
///     }
/// }
/// ```
public protocol RepositoryQuery<Answer>: Sendable {
    /// The type of the answer.
    associatedtype Answer: Sendable
    /// Reads the answer inside a transaction, on the transaction's thread.
    func answer(in store: ReadTransaction) throws(RepositoryError) -> Answer
    /// The request for one answer; by default, its `RepositoryCall`, which test doubles receive, is named `fetch`.
    var request: Request<Answer> { get }
}

extension RepositoryQuery {
    /// The request that reads the answer inside one transaction.
    public var request: Request<Answer> {
        .read(RepositoryCall("fetch")) { store in try answer(in: store) }
    }
}

/// A query that is read inside one transaction; see `FetchQuery.page(after:size:)` and `FetchQuery.lenient`.
public struct ReadQuery<Answer: Sendable>: RepositoryQuery {
    private let call: @Sendable () -> RepositoryCall
    private let read: @Sendable (ReadTransaction) throws(RepositoryError) -> Answer

    init(
        _ call: @escaping @autoclosure @Sendable () -> RepositoryCall,
        _ read: @escaping @Sendable (ReadTransaction) throws(RepositoryError) -> Answer
    ) {
        (self.call, self.read) = (call, read)
    }

    /// Reads the answer.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> Answer { try read(store) }

    /// The request that reads the answer inside one transaction.
    public var request: Request<Answer> { .read(call()) { [read] store in try read(store) } }
}

/// A query that a repository can follow; `follow(_:)` delivers each answer that differs from the one before.
public protocol LiveRepositoryQuery<Answer>: RepositoryQuery {
    /// The request that follows the answer; by default, the query is re-read when a table that it has read changes.
    var liveRequest: Request<Answer> { get }
}

extension LiveRepositoryQuery where Answer: Equatable {
    /// The request that follows the answer, and re-reads the query when a table that it has read changes.
    public var liveRequest: Request<Answer> {
        .values(RepositoryCall("fetchSubscription"), LiveQuery { store in try answer(in: store) })
    }
}

/// A query whose answer consists of the rows of one statement (items, selections or groups), and can be streamed.
public protocol RowsRepositoryQuery<Row>: RepositoryQuery where Answer == [Row] {
    /// The value of a row.
    associatedtype Row: Sendable
    /// The statement, and the closures that read its rows.
    var rows: RowsQuery<Row> { get }
    /// The same query, limited to one row.
    var one: Self { get }
}

extension RowsRepositoryQuery {
    /// The request for the answer, usually a single statement.
    ///
    /// If the answer turns out to need more statements, it is read again inside a transaction.
    public var request: Request<[Row]> {
        .read(oneStatement: RepositoryCall("fetch", rows)) { store in try answer(in: store) }
    }

    /// A query for the first row; its answer is `nil` if there are no rows.
    public var first: FirstQuery<Self> { FirstQuery(one) }
}

/// The first row of a query's answer; see `RowsRepositoryQuery.first`.
public struct FirstQuery<Base: RepositoryQuery>: RepositoryQuery
where Base.Answer: Collection, Base.Answer.Element: Sendable {
    /// The query, limited to one row, so that two answers differ only if their first rows differ.
    private let base: Base

    init(_ base: Base) { self.base = base }

    /// Reads the first row; returns `nil` if there are no rows.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> Base.Answer.Element? {
        try base.answer(in: store).first
    }

    /// The request for the first row.
    public var request: Request<Base.Answer.Element?> {
        .read(oneStatement: base.request.call.named("first")) { [base] store in try base.answer(in: store).first }
    }
}

extension FirstQuery: LiveRepositoryQuery where Base: LiveRepositoryQuery {
    /// The request that follows the first row.
    public var liveRequest: Request<Base.Answer.Element?> {
        base.liveRequest.named("firstSubscription").map { $0.first }
    }
}

/// The last item of a query; see `FetchQuery.last`.
public struct LastQuery<Root: Fetchable>: RepositoryQuery {
    private let query: FetchQuery<Root>

    init(_ query: FetchQuery<Root>) { self.query = query }

    /// The query for the last item alone or, with a limit or an offset, for all items.
    private var items: FetchQuery<Root> {
        guard query.limit == nil && query.offset == nil else { return query }
        var reversed = query.one
        reversed.isReversed = true
        return reversed
    }

    /// Reads the last item; returns `nil` if there are no items.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> Root? { try store.fetch(items).last }

    /// The request for the last item.
    public var request: Request<Root?> {
        .read(oneStatement: RepositoryCall("last", query)) { store in try answer(in: store) }
    }
}

extension LastQuery: LiveRepositoryQuery where Root: Equatable {
    /// The request that follows the last item.
    public var liveRequest: Request<Root?> {
        let live = items.followedItems(named: "last") { $0.suffix(1) }
        return Request.values(RepositoryCall("lastSubscription", query), live).map { $0.first }
    }
}
