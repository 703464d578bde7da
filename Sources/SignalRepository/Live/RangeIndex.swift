/// Live queries by ranges of values, so that those are found whose range contains a value.
///
/// It is a treap of the lower bounds, each of whose nodes knows the greatest upper bound below it (Seidel and Aragon,
/// "Randomized search trees", 1996; Edelsbrunner's interval tree in the form of Cormen et al.).
final class RangeIndex {
    private final class Place {
        let range: ValueRange
        let node: any LiveNode
        let id: ObjectIdentifier
        let priority: Int
        var left: Place?
        var right: Place?
        /// The greatest upper bound of this place and those below; `nil` when one is endless.
        var greatest: SQLValue?

        init(_ node: any LiveNode, _ range: ValueRange) {
            (self.node, self.range) = (node, range)
            id = ObjectIdentifier(node)
            priority = id.hashValue
            greatest = range.upper
        }

        /// Whether its lower bound comes first, or, of equal ones, its node.
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

    private var root: Place?

    var isEmpty: Bool { root == nil }

    /// All queries.
    var nodes: [any LiveNode] {
        var (nodes, places): ([any LiveNode], [Place]) = ([], root.map { [$0] } ?? [])
        while let place = places.popLast() {
            nodes.append(place.node)
            places += [place.left, place.right].compactMap { $0 }
        }
        return nodes
    }

    /// Adds a query.
    ///
    /// - Complexity: O(log *n*) on average.
    func add(_ node: any LiveNode, _ range: ValueRange) {
        let place = Place(node, range)
        let (left, right) = Self.split(root, before: range.lower, place.id)
        root = Self.join(Self.join(left, place), right)
    }

    /// Removes a query that was added with the range.
    ///
    /// - Complexity: O(log *n*) on average.
    func remove(_ node: any LiveNode, _ range: ValueRange) {
        root = Self.remove(ObjectIdentifier(node), range.lower, from: root)
    }

    /// Passes the queries whose range contains a value to `body`.
    ///
    /// - Complexity: O(log *n*) on average for each that is found.
    func find(_ value: SQLValue, _ body: (any LiveNode) -> Void) {
        if value != .null { Self.find(value, in: root, body) }
    }

    private static func find(_ value: SQLValue, in place: Place?, _ body: (any LiveNode) -> Void) {
        guard let place, place.greatest.map({ $0.order(value) >= 0 }) ?? true else { return }
        find(value, in: place.left, body)
        guard (place.range.lower ?? .null).order(value) <= 0 else { return }
        if place.range.contains(value) { body(place.node) }
        find(value, in: place.right, body)
    }

    /// Parts the places that come before a lower bound and a node from the others.
    private static func split(_ place: Place?, before lower: SQLValue?, _ id: ObjectIdentifier) -> (Place?, Place?) {
        guard let place else { return (nil, nil) }
        if place.precedes(lower, id) {
            let (left, right) = split(place.right, before: lower, id)
            place.right = left
            place.update()
            return (place, right)
        }
        let (left, right) = split(place.left, before: lower, id)
        place.left = right
        place.update()
        return (left, place)
    }

    private static func join(_ left: Place?, _ right: Place?) -> Place? {
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

    private static func remove(_ id: ObjectIdentifier, _ lower: SQLValue?, from place: Place?) -> Place? {
        guard let place else { return nil }
        if place.id == id { return join(place.left, place.right) }
        if place.precedes(lower, id) {
            place.right = remove(id, lower, from: place.right)
        } else {
            place.left = remove(id, lower, from: place.left)
        }
        place.update()
        return place
    }
}
