/// What a pass of the live engine has found to do so far; what it cannot finish stays for the next.
struct LiveWork {
    /// The nodes that are up to date by the rows alone, and have to emit.
    private var patched: [ObjectIdentifier: any LiveNode] = [:]
    /// The nodes that have to be read.
    private(set) var lost: [ObjectIdentifier: any LiveNode] = [:]

    /// Takes a commit in.
    mutating func take(_ record: CommitRecord, _ index: LiveIndex) {
        var (patched, lost) = (self.patched, self.lost)
        (self.patched, self.lost) = ([:], [:])
        index.match(record) { node, changes in
            let id = ObjectIdentifier(node)
            guard lost[id] == nil else { return }
            switch node.apply(changes) {
            case .unaffected: break
            case .patched: patched[id] = node
            case .lost: (patched[id], lost[id]) = (nil, node)
            }
        } rerun: { node in
            let id = ObjectIdentifier(node)
            (patched[id], lost[id]) = (nil, node)
        }
        (self.patched, self.lost) = (patched, lost)
    }

    /// Notes that a node has to be read.
    mutating func lose(_ node: any LiveNode) {
        patched[ObjectIdentifier(node)] = nil
        lost[ObjectIdentifier(node)] = node
    }

    /// Forgets a node.
    mutating func remove(_ node: any LiveNode) {
        patched[ObjectIdentifier(node)] = nil
        lost[ObjectIdentifier(node)] = nil
    }

    mutating func takePatched() -> [any LiveNode] {
        defer { patched = [:] }
        return Array(patched.values)
    }

    mutating func takeLost() -> [any LiveNode] {
        defer { lost = [:] }
        return Array(lost.values)
    }
}

/// How live queries have been kept up to date.
public struct LiveStatistics: Sendable, Equatable {
    /// How often a result was brought up to date by the rows that changed, without reading the store.
    public internal(set) var patched = 0
    /// How often a query was executed: first readings, and those that changes of rows could not replace.
    public internal(set) var read = 0
}
