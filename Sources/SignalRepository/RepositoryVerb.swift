/// The name of an endpoint of `Repository`, such as `create`, in all of its forms.
///
/// An endpoint of your own has a name too, if its body gives it one:
///
/// ```swift
/// extension RepositoryVerb {
///     static let archive = RepositoryVerb("archive")
/// }
///
/// extension Repository {
///     func archive(_ movie: Movie) -> Signal<Void, RepositoryError> {
///         transaction(for: RepositoryCall(.archive, Movie.self, id: movie.id), author: nil) { store in
///             try store.delete(movie)
///         }
///     }
/// }
/// ```
public struct RepositoryVerb: Sendable, Hashable, CustomStringConvertible {
    /// The name as it is written where the endpoint is called.
    public let name: String

    /// Creates the name of an endpoint.
    public init(_ name: String) {
        self.name = name
    }

    /// The name itself.
    public var description: String { name }
}

// Reads.
extension RepositoryVerb {
    /// `Repository.read(_:id:)` and its other forms: for ids, for URLs and with a body of your own.
    public static let read = RepositoryVerb("read")
    /// `Repository.readAtomically(_:ids:)`.
    public static let readAtomically = RepositoryVerb("readAtomically")
    /// `Repository.find(_:id:)`.
    public static let find = RepositoryVerb("find")
    /// `Repository.first(_:)`.
    public static let first = RepositoryVerb("first")
    /// `Repository.firstSubscription(_:)`.
    public static let firstSubscription = RepositoryVerb("firstSubscription")
    /// `Repository.last(_:)`.
    public static let last = RepositoryVerb("last")
    /// `Repository.exists(_:)`.
    public static let exists = RepositoryVerb("exists")
    /// `Repository.existsSubscription(_:)`.
    public static let existsSubscription = RepositoryVerb("existsSubscription")
    /// `Repository.fetchLeniently(_:)`.
    public static let fetchLeniently = RepositoryVerb("fetchLeniently")
    /// `Repository.readSubscription(_:id:)`.
    public static let readSubscription = RepositoryVerb("readSubscription")
    /// `Repository.url(for:)`.
    public static let url = RepositoryVerb("url")
    /// `Repository.id(of:at:)`.
    public static let id = RepositoryVerb("id")
    /// `Repository.fetch(_:)`.
    public static let fetch = RepositoryVerb("fetch")
    /// `Repository.listSubscription(_:)`.
    public static let listSubscription = RepositoryVerb("listSubscription")
    /// `Repository.fetchSubscription(_:)`.
    public static let fetchSubscription = RepositoryVerb("fetchSubscription")
    /// `Repository.rows(_:_:as:)`.
    public static let rows = RepositoryVerb("rows")
    /// `Repository.rowsSubscription(_:_:as:)`.
    public static let rowsSubscription = RepositoryVerb("rowsSubscription")
    /// `Repository.stream(_:)`.
    public static let stream = RepositoryVerb("stream")
    /// `Repository.page(_:after:size:)`.
    public static let page = RepositoryVerb("page")
    /// `Repository.explain(_:)`.
    public static let explain = RepositoryVerb("explain")
    /// `Repository.follow(_:)` with a query of your own.
    public static let follow = RepositoryVerb("follow")
}

// Writes.
extension RepositoryVerb {
    /// `Repository.create(_:)`.
    public static let create = RepositoryVerb("create")
    /// `Repository.createAtomically(_:)`.
    public static let createAtomically = RepositoryVerb("createAtomically")
    /// `Repository.update(_:)`.
    public static let update = RepositoryVerb("update")
    /// `Repository.updateAtomically(_:)`.
    public static let updateAtomically = RepositoryVerb("updateAtomically")
    /// `Repository.updateReturningIDs(_:set:where:)`.
    public static let updateReturningIDs = RepositoryVerb("updateReturningIDs")
    /// `Repository.upsert(_:)`.
    public static let upsert = RepositoryVerb("upsert")
    /// `Repository.upsertAtomically(_:)`.
    public static let upsertAtomically = RepositoryVerb("upsertAtomically")
    /// `Repository.findOrCreate(_:id:make:)`.
    public static let findOrCreate = RepositoryVerb("findOrCreate")
    /// `Repository.delete(_:)`.
    public static let delete = RepositoryVerb("delete")
    /// `Repository.deleteAtomically(_:)`.
    public static let deleteAtomically = RepositoryVerb("deleteAtomically")
    /// `Repository.deleteReturningIDs(_:where:)`.
    public static let deleteReturningIDs = RepositoryVerb("deleteReturningIDs")
    /// `Repository.insert(_:)`.
    public static let insert = RepositoryVerb("insert")
    /// `Repository.insertReturningIDs(_:)`.
    public static let insertReturningIDs = RepositoryVerb("insertReturningIDs")
    /// `Repository.transaction(author:_:)`.
    public static let transaction = RepositoryVerb("transaction")
}

// Aggregates.
extension RepositoryVerb {
    /// `Repository.count(_:)`.
    public static let count = RepositoryVerb("count")
    /// `Repository.countSubscription(_:)`.
    public static let countSubscription = RepositoryVerb("countSubscription")
    /// `Repository.sum(of:where:)`.
    public static let sum = RepositoryVerb("sum")
    /// `Repository.sumSubscription(of:where:)`.
    public static let sumSubscription = RepositoryVerb("sumSubscription")
    /// `Repository.average(of:where:)`.
    public static let average = RepositoryVerb("average")
    /// `Repository.averageSubscription(of:where:)`.
    public static let averageSubscription = RepositoryVerb("averageSubscription")
    /// `Repository.min(of:where:)`.
    public static let min = RepositoryVerb("min")
    /// `Repository.minSubscription(of:where:)`.
    public static let minSubscription = RepositoryVerb("minSubscription")
    /// `Repository.max(of:where:)`.
    public static let max = RepositoryVerb("max")
    /// `Repository.maxSubscription(of:where:)`.
    public static let maxSubscription = RepositoryVerb("maxSubscription")
    /// `Repository.aggregate(of:where:)`.
    public static let aggregate = RepositoryVerb("aggregate")
    /// `Repository.aggregateSubscription(of:where:)`.
    public static let aggregateSubscription = RepositoryVerb("aggregateSubscription")
}

// Changes, and closing.
extension RepositoryVerb {
    /// `Repository.changes(backlog:)`.
    public static let changes = RepositoryVerb("changes")
    /// `Repository.objectChanges(_:id:)`.
    public static let objectChanges = RepositoryVerb("objectChanges")
    /// `Repository.close()`.
    public static let close = RepositoryVerb("close")
}
