/// The live queries that are followed, and their subscriptions; equal queries are one.
struct SharedQueries {
    private(set) var all: [ObjectIdentifier: any SharedQuery] = [:]
    private var equal: [LiveIdentity: any SharedQuery] = [:]
    /// The query of each subscription.
    private var followed: [ObjectIdentifier: any SharedQuery] = [:]

    /// That of the live queue, if there is one.
    private let confinement: Confinement?

    init(on confinement: Confinement? = nil) { self.confinement = confinement }

    var subscriptionCount: Int { followed.count }

    /// Adds a subscription to an equal query, where it gets the last value; returns a query that has to be read,
    /// because there was none.
    ///
    /// The subscriptions of queries that are `due` get the value that is about to be read.
    mutating func add(
        _ subscription: LiveSubscription, commit: Int, due: Set<ObjectIdentifier>
    ) -> (any SharedQuery)? {
        let id = ObjectIdentifier(subscription)
        guard let request = subscription.request else { return nil }
        if let query = request.identity.flatMap({ equal[$0] }),
            query.join(subscription, commit: commit, isDue: due.contains(ObjectIdentifier(query)))
        {
            followed[id] = query
            return nil
        }
        let query = request.makeSharedQuery(confinement)
        guard query.join(subscription, commit: commit, isDue: true) else { return nil }
        followed[id] = query
        all[ObjectIdentifier(query)] = query
        if let identity = query.identity { equal[identity] = query }
        return query
    }

    /// Removes a subscription; returns its query if it was the last one there.
    mutating func remove(_ subscription: LiveSubscription) -> (any SharedQuery)? {
        guard let query = followed.removeValue(forKey: ObjectIdentifier(subscription)) else { return nil }
        query.leave(subscription)
        guard query.subscriptions.isEmpty else { return nil }
        forget(query)
        return query
    }

    /// Forgets a query and its subscriptions.
    mutating func forget(_ query: any SharedQuery) {
        for id in query.subscriptions.keys { followed[id] = nil }
        all[ObjectIdentifier(query)] = nil
        if let identity = query.identity, equal[identity] === query { equal[identity] = nil }
    }
}
