import Signals

/// The kind of work that a request describes.
public enum RequestKind: Sendable, Hashable {
    /// Reads inside one transaction; delivers one value.
    case read
    /// Reads and writes inside one transaction; delivers one value.
    case write
    /// Follows a query; delivers values until it is cancelled.
    case follow
    /// Reports changes; delivers values until it is cancelled.
    case changes
    /// Reads the rows of a query one at a time.
    case stream
}

/// A piece of work for a repository: a read, a write, or a live query.
///
/// Each endpoint makes a request, including the endpoints that a program adds:
///
/// ```swift
/// extension Repository {
///     func archive(_ movie: Movie) -> Signal<Void, RepositoryError> {
///         let call = RepositoryCall("archive", Movie.self, id: movie.id)
///         return signal(for: .write(call) { store in try store.delete(movie) })
///     }
/// }
/// ```
public struct Request<Output: Sendable>: Sendable {
    enum Work: Sendable {
        case read(@Sendable (ReadTransaction) throws -> Output)
        case write(@Sendable (WriteTransaction) throws -> Output)
        /// Makes the signal; the last argument is the repository, which owns the engine.
        case signal(
            RequestKind, @Sendable (Request, Engine, any AnyObject & Sendable) -> Signal<Output, RepositoryError>)
    }

    /// The author of a write.
    public var author: String?
    /// Whether writes store the `.created` and `.updated` times of the passed items instead of the current time.
    var preservesTimes = false
    /// Called before each value of a followed query is delivered, with the number of the commit to which the value
    /// belongs.
    var onCommit: (@Sendable (Int) -> Void)?
    var work: Work
    /// Whether the request usually executes one statement, which needs no transaction around it.
    ///
    /// A read that turns out to need more statements, such as a query with `including`, is repeated in a transaction.
    let isOneStatement: Bool
    private let makeCall: @Sendable () -> RepositoryCall

    private init(
        _ call: @escaping @Sendable () -> RepositoryCall, author: String? = nil, isOneStatement: Bool = false,
        _ work: Work
    ) {
        (makeCall, self.author, self.isOneStatement, self.work) = (call, author, isOneStatement, work)
    }

    /// Returns the same request under another name.
    public func named(_ name: String) -> Request {
        Request(
            { [makeCall] in makeCall().named(name) }, author: author, isOneStatement: isOneStatement, work)
    }

    /// Returns a request for the transformed output.
    ///
    /// A live request can deliver equal values in succession, because it removes duplicates only before the transform.
    public func map<Result>(_ transform: @escaping @Sendable (Output) -> Result) -> Request<Result> {
        Request<Result>(makeCall, author: author, isOneStatement: isOneStatement, mapped(transform))
    }

    private func mapped<Result>(_ transform: @escaping @Sendable (Output) -> Result) -> Request<Result>.Work {
        switch work {
        case .read(let body): return .read { store in transform(try body(store)) }
        case .write(let body): return .write { store in transform(try body(store)) }
        case .signal(let kind, let make):
            return .signal(kind) { request, engine, owner in
                var base = self
                base.onCommit = request.onCommit
                return make(base, engine, owner).map(transform)
            }
        }
    }

    /// The kind of work.
    public var kind: RequestKind {
        switch work {
        case .read: .read
        case .write: .write
        case .signal(let kind, _): kind
        }
    }

    /// The endpoint, its entities and ids, and the author.
    ///
    /// A new call is created each time this property is read. A store never reads the property.
    public var call: RepositoryCall {
        var call = makeCall()
        if let author { call.author = author }
        return call
    }
}

extension Request {
    /// Reads inside one transaction; see `Repository.read(_:)`.
    public static func read(
        _ call: @escaping @autoclosure @Sendable () -> RepositoryCall,
        _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Request {
        Request(call, .read(body))
    }

    /// Reads and writes inside one transaction; see `Repository.transaction(author:_:)`.
    public static func write(
        _ call: @escaping @autoclosure @Sendable () -> RepositoryCall, author: String? = nil,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Request {
        Request(call, author: author, .write(body))
    }

    /// Follows a query; see `Repository.follow(_:)`.
    public static func follow<Value: Sendable & Equatable>(
        _ call: @escaping @autoclosure @Sendable () -> RepositoryCall, _ query: LiveQuery<Value>
    ) -> Request where Output == Committed<Value> {
        Request(
            call,
            .signal(.follow) { request, engine, owner in
                let values = engine.following(owner, query)
                guard let onCommit = request.onCommit else { return values }
                return values.handleEvents(onValue: { onCommit($0.commit) })
            })
    }

    static func read(
        oneStatement call: @escaping @autoclosure @Sendable () -> RepositoryCall,
        _ body: @escaping @Sendable (ReadTransaction) throws -> Output
    ) -> Request {
        Request(call, isOneStatement: true, .read(body))
    }

    static func write(
        oneStatement call: @escaping @autoclosure @Sendable () -> RepositoryCall,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Output
    ) -> Request {
        Request(call, isOneStatement: true, .write(body))
    }

    /// Follows a query, and delivers its values without the numbers of the commits.
    public static func values(
        _ call: @escaping @autoclosure @Sendable () -> RepositoryCall, _ query: LiveQuery<Output>
    ) -> Request where Output: Equatable {
        Request(
            call,
            .signal(.follow) { request, engine, owner in
                guard let onCommit = request.onCommit else { return engine.followingValues(owner, query) }
                return engine.following(owner, query).handleEvents(onValue: { onCommit($0.commit) }).map { $0.value }
            })
    }

    static func changes(
        _ call: @escaping @autoclosure @Sendable () -> RepositoryCall, _ changes: ChangeRequest
    ) -> Request where Output == ChangeSet {
        Request(call, .signal(.changes) { _, engine, owner in engine.followingChanges(owner, changes) })
    }

    static func stream(
        _ call: @escaping @autoclosure @Sendable () -> RepositoryCall, _ rows: RowsQuery<Output>
    ) -> Request {
        Request(call, .signal(.stream) { _, engine, owner in engine.streaming(owner, rows) })
    }
}

extension Engine {
    /// Returns the signal for a request.
    ///
    /// The signal retains the repository `owner`.
    package func signal<Output>(
        for request: Request<Output>, to owner: any AnyObject & Sendable
    ) -> Signal<Output, RepositoryError> {
        switch request.work {
        case .read(let body): return reading(owner, as: request.isOneStatement ? .readingStatement : .read, body)
        case .write(let body):
            let kind: TransactionKind = request.isOneStatement ? .writingStatement : .write
            guard request.preservesTimes else { return writing(owner, author: request.author, as: kind, body) }
            return writing(owner, author: request.author, as: kind) { store in
                store.preservesTimes = true
                return try body(store)
            }
        case .signal(_, let make): return make(request, self, owner)
        }
    }
}
