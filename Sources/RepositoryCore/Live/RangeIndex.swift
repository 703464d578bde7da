/// An index of live queries by ranges of values, which finds the queries whose range contains a value.
///
/// It is a treap ordered by the lower bounds, in which each node stores the greatest upper bound of its subtree (Seidel
/// and Aragon, "Randomized search trees", 1996; Edelsbrunner's interval tree in the form of Cormen et al.).
final class RangeIndex {
    private final class Node {
        let range: ValueRange
        let query: any SharedQuery
        let id: ObjectIdentifier
        let priority: Int
        var left: Node?
        var right: Node?
        /// The greatest upper bound of this node and the nodes below it; `nil` if one of the ranges has no upper bound.
        var greatest: SQLValue?

        init(_ query: any SharedQuery, _ range: ValueRange) {
            (self.query, self.range) = (query, range)
            id = ObjectIdentifier(query)
            priority = id.hashValue
            greatest = range.upper
        }

        /// Whether the node comes before a lower bound; if its own lower bound is equal, the ids of the queries decide.
        func precedes(_ lower: SQLValue?, _ id: ObjectIdentifier) -> Bool {
            let order = (range.lower ?? .null).order(lower ?? .null)
            return order != 0 ? order < 0 : self.id < id
        }

        func update() {
            greatest = range.upper
            for child in [left, right] {
                guard let child, let most = greatest else { continue }
                greatest = child.greatest.map { most.order($0) < 0 ? $0 : most }
            }
        }
    }

    private var root: Node?

    var isEmpty: Bool { root == nil }

    var queries: [any SharedQuery] {
        var (queries, nodes): ([any SharedQuery], [Node]) = ([], root.map { [$0] } ?? [])
        while let node = nodes.popLast() {
            queries.append(node.query)
            nodes += [node.left, node.right].compactMap { $0 }
        }
        return queries
    }

    /// Adds a query.
    ///
    /// - Complexity: O(log *n*) on average.
    func add(_ query: any SharedQuery, _ range: ValueRange) {
        let node = Node(query, range)
        let (left, right) = Self.split(root, before: range.lower, node.id)
        root = Self.join(Self.join(left, node), right)
    }

    /// Removes a query that was added with the range.
    ///
    /// - Complexity: O(log *n*) on average.
    func remove(_ query: any SharedQuery, _ range: ValueRange) {
        root = Self.remove(ObjectIdentifier(query), range.lower, from: root)
    }

    /// Calls `body` for each query whose range contains a value.
    ///
    /// - Complexity: O(log *n*) on average for each query that is found.
    func find(_ value: SQLValue, _ body: (any SharedQuery) -> Void) {
        if value != .null { Self.find(value, in: root, body) }
    }

    private static func find(_ value: SQLValue, in node: Node?, _ body: (any SharedQuery) -> Void) {
        guard let node, node.greatest.map({ $0.order(value) >= 0 }) ?? true else { return }
        find(value, in: node.left, body)
        guard (node.range.lower ?? .null).order(value) <= 0 else { return }
        if node.range.contains(value) { body(node.query) }
        find(value, in: node.right, body)
    }

    /// Splits a tree into the nodes that come before a lower bound and a query's id, and all other nodes.
    private static func split(_ node: Node?, before lower: SQLValue?, _ id: ObjectIdentifier) -> (Node?, Node?) {
        guard let node else { return (nil, nil) }
        if node.precedes(lower, id) {
            let (left, right) = split(node.right, before: lower, id)
            node.right = left
            node.update()
            return (node, right)
        }
        let (left, right) = split(node.left, before: lower, id)
        node.left = right
        node.update()
        return (left, node)
    }

    private static func join(_ left: Node?, _ right: Node?) -> Node? {
        guard let left, let right else { return left ?? right }
        if left.priority > right.priority {
            left.right = join(left.right, right)
            left.update()
            return left
        }
        right.left = join(left, right.left)
        right.update()
        return right
    }

    private static func remove(_ id: ObjectIdentifier, _ lower: SQLValue?, from node: Node?) -> Node? {
        guard let node else { return nil }
        if node.id == id { return join(node.left, node.right) }
        if node.precedes(lower, id) {
            node.right = remove(id, lower, from: node.right)
        } else {
            node.left = remove(id, lower, from: node.left)
        }
        node.update()
        return node
    }
}
