/// A query for a value, which a repository fetches once or follows.
///
/// ```swift
/// let hits = Movie.where { $0.boxOffice > 1_000_000 }
/// let movies = try await repository.fetch(hits.sorted(by: \.title)).value()  // [Movie]
/// let best = try await repository.fetch(hits.sorted(by: \.boxOffice, .descending).first).value()  // Movie?
/// let count = try await repository.fetch(hits.count).value()  // Int
/// let gross = repository.follow(hits.sum(of: \.boxOffice))  // the sum, now and whenever it changes
/// ```
/// Conform a type to read anything else:
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
    /// Answers inside a transaction, on its thread.
    func answer(in store: ReadTransaction) throws(RepositoryError) -> Answer
    /// The request for one answer; its name, which test doubles see, is `fetch` by default.
    var request: Request<Answer> { get }
}

extension RepositoryQuery {
    /// Reads the answer inside one transaction.
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

    /// Reads the answer inside one transaction.
    public var request: Request<Answer> { .read(call()) { [read] store in try read(store) } }
}

/// A query that can be followed, because two answers can be compared.
public protocol LiveRepositoryQuery<Answer>: RepositoryQuery {
    /// The request for live answers; by default the query is answered again when a table that it read has changed.
    var liveRequest: Request<Answer> { get }
}

extension LiveRepositoryQuery where Answer: Equatable {
    /// Reads the answer again when what it read has changed.
    public var liveRequest: Request<Answer> {
        .values(RepositoryCall("fetchSubscription"), LiveQuery { store in try answer(in: store) })
    }
}

/// A query whose answer is the rows of one statement, which can be read one at a time: items, selections or groups.
public protocol RowsRepositoryQuery<Row>: RepositoryQuery where Answer == [Row] {
    /// The value of a row.
    associatedtype Row: Sendable
    /// The statement.
    var rows: RowsQuery<Row> { get }
    /// The same query, for one row at most.
    var one: Self { get }
}

extension RowsRepositoryQuery {
    /// Reads the answer, which is one statement; if it is more, it is read again inside a transaction.
    public var request: Request<[Row]> {
        .read(oneStatement: RepositoryCall("fetch", rows)) { store in try answer(in: store) }
    }

    /// The first row, or `nil` without rows.
    public var first: FirstQuery<Self> { FirstQuery(one) }
}

/// The first row of a query's answer; see `RowsRepositoryQuery.first`.
public struct FirstQuery<Base: RepositoryQuery>: RepositoryQuery
where Base.Answer: Collection, Base.Answer.Element: Sendable {
    /// A query for one row at most, so that its answers differ when their first rows do.
    private let base: Base

    init(_ base: Base) { self.base = base }

    /// Reads the row; `nil` without rows.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> Base.Answer.Element? {
        try base.answer(in: store).first
    }

    /// Reads the row.
    public var request: Request<Base.Answer.Element?> {
        .read(oneStatement: base.request.call.named("first")) { [base] store in try base.answer(in: store).first }
    }
}

extension FirstQuery: LiveRepositoryQuery where Base: LiveRepositoryQuery {
    /// Follows the row.
    public var liveRequest: Request<Base.Answer.Element?> {
        base.liveRequest.named("firstSubscription").map { $0.first }
    }
}

/// The last item of a query; see `FetchQuery.last`.
public struct LastQuery<Root: Fetchable>: RepositoryQuery {
    private let query: FetchQuery<Root>

    init(_ query: FetchQuery<Root>) { self.query = query }

    private func items(in store: ReadTransaction) throws(RepositoryError) -> [Root] {
        guard query.limit == nil && query.offset == nil else { return try store.fetch(query).suffix(1) }
        var reversed = query.one
        reversed.isReversed = true
        return try store.fetch(reversed)
    }

    /// Reads the item; `nil` without items.
    public func answer(in store: ReadTransaction) throws(RepositoryError) -> Root? { try items(in: store).first }

    /// Reads the item.
    public var request: Request<Root?> {
        .read(oneStatement: RepositoryCall("last", query)) { store in try answer(in: store) }
    }
}

extension LastQuery: LiveRepositoryQuery where Root: Equatable {
    /// Reads the item again after each commit that changed one of the tables.
    public var liveRequest: Request<Root?> {
        let live = LiveQuery<[Root]>(items: { store in try items(in: store) })
        return Request.values(RepositoryCall("lastSubscription", query), live).map { $0.first }
    }
}
