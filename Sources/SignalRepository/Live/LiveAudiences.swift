/// Which sinks follow which live queries; equal queries are followed once.
struct LiveAudiences {
    private struct Entry {
        let node: any LiveNode
        let identity: LiveIdentity?
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var shared: [LiveIdentity: any LiveNode] = [:]
    /// The node that each sink follows.
    private var homes: [ObjectIdentifier: any LiveNode] = [:]

    var nodeCount: Int { entries.count }

    var sinkCount: Int { homes.count }

    var nodes: [any LiveNode] { entries.values.map(\.node) }

    func isFollowed(_ node: any LiveNode) -> Bool { entries[ObjectIdentifier(node)] != nil }

    /// Adds a sink to the node of an equal query, where it gets the last value; returns a node that has to be read,
    /// because there was none.
    ///
    /// A node among those that are `due` has its sinks get the value that it is about to read.
    mutating func add(_ sink: any LiveArrival, commit: Int, _ due: Set<ObjectIdentifier>) -> (any LiveNode)? {
        if let identity = sink.identity, let node = shared[identity] {
            if node.join(sink, commit: commit, isDue: due.contains(ObjectIdentifier(node))) {
                homes[ObjectIdentifier(sink)] = node
                return nil
            }
        }
        let node = sink.makeNode()
        guard node.join(sink, commit: commit, isDue: true) else { return nil }
        homes[ObjectIdentifier(sink)] = node
        entries[ObjectIdentifier(node)] = Entry(node: node, identity: sink.identity)
        if let identity = sink.identity { shared[identity] = node }
        return node
    }

    /// Removes a sink; returns its node if it was the last one there.
    mutating func remove(_ sink: any LiveArrival) -> (any LiveNode)? {
        guard let node = homes.removeValue(forKey: ObjectIdentifier(sink)) else { return nil }
        node.leave(sink)
        guard node.isEmpty else { return nil }
        forget(node)
        return node
    }

    /// Forgets a node and its sinks.
    mutating func forget(_ node: any LiveNode) {
        for sink in node.sinkIDs { homes[sink] = nil }
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(node)) else { return }
        if let identity = entry.identity, shared[identity] === node { shared[identity] = nil }
    }
}
