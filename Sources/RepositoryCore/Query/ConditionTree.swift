/// A tree of tests joined by `&&`, `||` and `!`, which is converted to a `StoredTest` when a query is used.
struct ConditionTree: Sendable {
    indirect enum Node: Sendable {
        case test(StoredTest)
        /// An error that is thrown when the condition is used.
        case fault(RepositoryError)
        case all([ConditionTree])
        case any([ConditionTree])
        case not(ConditionTree)
        /// Replaces a tree so deep that releasing it would exhaust the stack.
        case tooDeep
    }

    let node: Node
    /// The number of levels of `&&`, `||` and `!`, and the number of tests in the tree.
    let (depth, count): (Int, Int)

    /// Creates a leaf.
    init(node: Node) {
        (self.node, depth, count) = (node, 0, 1)
    }

    private init(_ node: Node, of parts: [ConditionTree]) {
        var (depth, count) = (0, 0)
        for part in parts {
            // A chain is a list of conditions joined by one operator. A chain in a chain of its operator adds no level.
            let level = Self.isChain(part, of: node) ? part.depth - 1 : part.depth
            (depth, count) = (Swift.max(depth, level), count + part.count)
        }
        let isTooDeep = depth >= Self.maxLevels
        (self.node, self.depth, self.count) = isTooDeep ? (.tooDeep, depth, 1) : (node, depth + 1, count)
    }

    /// The maximum depth; it is limited because a tree is released recursively, on a stack of unknown size.
    static var maxLevels: Int { 500 }
}

extension ConditionTree {
    var isTrue: Bool { if case .test(.constant(true)) = node { true } else { false } }

    func and(_ other: ConditionTree) -> ConditionTree { Self.chain({ .all($0) }, self, other) }

    func or(_ other: ConditionTree) -> ConditionTree { Self.chain({ .any($0) }, self, other) }

    /// Creates a tree that is true if all conditions are true; returns `nil` without conditions.
    init?(all conditions: [ConditionTree]) { self.init({ .all($0) }, joining: conditions) }

    /// Creates a tree that is true if at least one condition is true; returns `nil` without conditions.
    init?(any conditions: [ConditionTree]) { self.init({ .any($0) }, joining: conditions) }

    private init?(_ make: ([ConditionTree]) -> Node, joining conditions: [ConditionTree]) {
        guard let first = conditions.first else { return nil }
        let kind = make([])
        let parts = conditions.flatMap { $0.parts(of: kind) }
        self = conditions.count > 1 ? ConditionTree(make(parts), of: parts) : first
    }

    var negated: ConditionTree {
        if case .not(let opposite) = node { return opposite }
        return ConditionTree(.not(self), of: [self])
    }

    /// Joins two conditions by one operator; a condition that is already a list for this operator is merged.
    private static func chain(
        _ make: ([ConditionTree]) -> Node, _ left: ConditionTree, _ right: ConditionTree
    ) -> ConditionTree {
        let kind = make([])
        var parts = left.parts(of: kind) + right.parts(of: kind)
        // A long list is stored as a list of shorter lists, so that adding a condition does not copy all of them.
        let most = 64
        for end in [parts.suffix(most), parts.prefix(most)] where end.count == most && parts.count > most {
            guard !end.contains(where: { isChain($0, of: kind) }) else { continue }
            let links = Array(end)
            parts.replaceSubrange(end.indices, with: CollectionOfOne(ConditionTree(make(links), of: links)))
        }
        return ConditionTree(make(parts), of: parts)
    }

    private func parts(of kind: Node) -> [ConditionTree] {
        switch (node, kind) {
        case (.all(let parts), .all), (.any(let parts), .any): parts
        default: [self]
        }
    }

    private static func isChain(_ condition: ConditionTree, of kind: Node) -> Bool {
        switch (condition.node, kind) {
        case (.all, .all), (.any, .any): true
        default: false
        }
    }
}

extension ConditionTree {
    func stored() throws(RepositoryError) -> StoredTest {
        // A conjunction at the top level stays a conjunction, however deep its parts are, so that an index can be used.
        if case .all(let parts) = node { return .all(of: try Self.stored(parts)) }
        return try part()
    }

    private static func stored(_ parts: [ConditionTree]) throws(RepositoryError) -> [StoredTest] {
        var tests: [StoredTest] = []
        tests.reserveCapacity(parts.count)
        for part in parts { tests.append(try part.part()) }
        return tests
    }

    /// Returns the tree as a test: nested if it has few levels, otherwise as a sequence of decisions (a `CASE` in SQL).
    private func part() throws(RepositoryError) -> StoredTest {
        switch node {
        case .tooDeep:
            throw .tooBig(detail: "the condition has more than \(Self.maxLevels) levels of && in || in &&")
        case _ where depth > 8: return try decision()
        case .all(let parts): return .all(of: try Self.stored(parts))
        case .any(let parts): return .any(of: try Self.stored(parts))
        case .not(let condition): return .not(try condition.part())
        case .test(let test): return test
        case .fault(let error): throw error
        }
    }

    /// Returns the test as a sequence of decisions, which are nested less deeply than the tree.
    ///
    /// On each level, the loop continues with the part that has the most tests, and appends each other part as a step.
    /// No such step has more than half of the tests, so the nesting is logarithmic in the number of tests.
    private func decision() throws(RepositoryError) -> StoredTest {
        var steps: [(test: StoredTest, answer: Bool)] = []
        var (current, isOpposite) = (self, false)
        while current.depth > 0 {
            switch current.node {
            case .all(let parts):
                let main = Self.main(of: parts)
                for (index, part) in parts.enumerated() where index != main {
                    steps.append((.not(try part.part()), isOpposite))
                }
                current = parts[main]
            case .any(let parts):
                let main = Self.main(of: parts)
                for (index, part) in parts.enumerated() where index != main {
                    steps.append((try part.part(), !isOpposite))
                }
                current = parts[main]
            case .not(let condition):
                isOpposite.toggle()
                current = condition
            case .test, .fault, .tooDeep:
                return try current.part()
            }
        }
        let last = try current.part()
        return .decision(steps, otherwise: isOpposite ? .not(last) : last)
    }

    /// Returns the index of the part with the most tests.
    private static func main(of parts: [ConditionTree]) -> Int {
        parts.indices.max { parts[$0].count < parts[$1].count } ?? 0
    }
}
