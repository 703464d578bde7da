import Signals

/// A subscription that is about to follow a live query.
struct LiveArrival: Sendable {
    let subscription: LatestOutbox
    /// The identity by which equal queries are recognized; `nil` for a query that is never shared.
    let identity: LiveIdentity?
    /// The tables whose changed rows can update the query.
    let tables: Set<String>
    /// Makes a shared query for the subscription, if no equal query exists.
    let makeSharedQuery:
        @Sendable (Confinement?, _ onLeave: @escaping @Sendable (LatestOutbox) -> Void) -> any SharedQuery

    init<Output>(_ subscription: LatestOutbox, _ query: LiveQuery<Output>, in dialect: any Dialect) {
        self.subscription = subscription
        let identity = query.identity?(dialect)
        (self.identity, tables) = (identity, Set(query.use.keys))
        makeSharedQuery = { [isSQLite = dialect.hasRowOrder] confinement, onLeave in
            TypedSharedQuery(query, identity, isSQLite: isSQLite, on: confinement, onLeave: onLeave)
        }
    }
}

/// The live queries of a repository and their subscriptions; subscriptions to equal queries share one query.
struct SharedQueries {
    private var all: [ObjectIdentifier: any SharedQuery] = [:]
    private var equal: [LiveIdentity: any SharedQuery] = [:]
    private(set) var subscriptionCount = 0

    /// Asserts that the live queue uses this value; `nil` if the value is used without a queue.
    private let confinement: Confinement?
    private let onLeave: @Sendable (LatestOutbox) -> Void

    /// Creates an empty set of queries, which call `onLeave` for each cancelled subscription.
    init(on confinement: Confinement? = nil, onLeave: @escaping @Sendable (LatestOutbox) -> Void = { _ in }) {
        (self.confinement, self.onLeave) = (confinement, onLeave)
    }

    var count: Int { all.count }

    /// Adds a subscription to an equal query, or else to a new one; returns the new query, which must then be read.
    ///
    /// The subscription gets the last value of an equal query or, if `due` contains that query, the next value.
    mutating func add(_ arrival: LiveArrival, commit: Int, due: Set<ObjectIdentifier>) -> (any SharedQuery)? {
        if let query = arrival.identity.flatMap({ equal[$0] }),
            query.join(arrival.subscription, commit: commit, isDue: due.contains(ObjectIdentifier(query)))
        {
            subscriptionCount += 1
            return nil
        }
        let query = arrival.makeSharedQuery(confinement, onLeave)
        guard query.join(arrival.subscription, commit: commit, isDue: true) else { return nil }
        subscriptionCount += 1
        all[ObjectIdentifier(query.source)] = query
        if let identity = query.identity { equal[identity] = query }
        return query
    }

    /// Removes a subscription; returns its query if the query has no subscription left.
    mutating func remove(_ subscription: LatestOutbox) -> (any SharedQuery)? {
        guard let source = subscription.followed, let query = all[ObjectIdentifier(source)],
            query.leave(subscription)
        else { return nil }
        subscriptionCount -= 1
        guard query.subscriptions.isEmpty else { return nil }
        forget(query)
        return query
    }

    /// Removes a query and its subscriptions.
    mutating func forget(_ query: any SharedQuery) {
        guard all.removeValue(forKey: ObjectIdentifier(query.source)) != nil else { return }
        subscriptionCount -= query.subscriptions.count
        if let identity = query.identity, equal[identity] === query { equal[identity] = nil }
    }

    mutating func fail(_ error: RepositoryError) {
        for query in all.values { query.fail(error) }
        (all, equal, subscriptionCount) = ([:], [:], 0)
    }
}
