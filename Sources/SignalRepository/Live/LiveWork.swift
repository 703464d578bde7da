/// What a pass of the live engine has found to do so far; what it cannot finish stays for the next.
struct LiveWork {
    /// Why a node has to be read.
    enum Reason {
        /// What it holds is used up: the rows that it has been notified of are right, and there are too few of them.
        case usedUp
        /// What changed is not known, or cannot be followed by rows.
        case lost
    }

    /// The nodes that are up to date by the rows alone, and have to emit.
    private var patched: [ObjectIdentifier: any LiveNode] = [:]
    /// The nodes that have to be read.
    private var lost: [ObjectIdentifier: (node: any LiveNode, reason: Reason)] = [:]

    /// Whether a node has to be read.
    var hasLost: Bool { !lost.isEmpty }

    /// Takes a commit in; returns how many nodes have been notified of its rows.
    mutating func take(_ record: CommitRecord, _ index: LiveIndex) -> Int {
        let match = index.match(record)
        for node in match.rerun { lose(node) }
        for (node, changes) in match.apply where lost[ObjectIdentifier(node)]?.reason != .lost {
            switch node.apply(changes) {
            case .unaffected: break
            case .patched: if lost[ObjectIdentifier(node)] == nil { patched[ObjectIdentifier(node)] = node }
            case .usedUp: lose(node, .usedUp)
            case .lost: lose(node)
            }
        }
        return match.apply.count
    }

    /// Notes that a node has to be read.
    mutating func lose(_ node: any LiveNode, _ reason: Reason = .lost) {
        patched[ObjectIdentifier(node)] = nil
        lost[ObjectIdentifier(node)] = (node, reason)
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

    mutating func takeLost() -> [(node: any LiveNode, reason: Reason)] {
        defer { lost = [:] }
        return Array(lost.values)
    }
}
