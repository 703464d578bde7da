/// The items of a live list.
///
/// It is a value that costs nothing to keep: the list after a change has almost everything in common with the one
/// before. An item is found by its index in O(log *n*); going through all of them takes O(*n*), as with an array.
///
/// ```swift
/// let items = ItemList([movie])
/// let titles = items.prefix(20).map(\.title)
/// ```
public struct ItemList<Item: Entity & Equatable>: RandomAccessCollection, Sendable {
    let tree: ItemTree<Item>

    init(_ tree: ItemTree<Item>) {
        self.tree = tree
    }

    /// Makes a list of items, in their order.
    ///
    /// - Complexity: O(*n*).
    public init(_ items: some Collection<Item>) {
        tree = ItemTree(items, keys: [], order: ListOrder(isDescending: []), origin: nil)
    }

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of items.
    public var endIndex: Int { tree.count }

    /// The item at an index.
    ///
    /// - Complexity: O(log *n*).
    public subscript(index: Int) -> Item {
        precondition(indices.contains(index), "The index \(index) is out of the list's bounds.")
        return tree.root.item(at: index)
    }

    /// Goes through the items.
    public func makeIterator() -> Iterator { Iterator(tree.root) }

    /// Goes through the items of a list, in its order.
    public struct Iterator: IteratorProtocol, Sendable {
        private var walk: ItemWalk<Item>

        fileprivate init(_ root: ItemNode<Item>) { walk = ItemWalk(root) }

        /// Returns the next item; `nil` after the last one.
        public mutating func next() -> Item? {
            guard walk.open() else { return nil }
            defer { walk.advance() }
            return walk.item
        }
    }
}

extension ItemList {
    /// The items in an array.
    var array: [Item] { tree.array }
}

extension ItemTree {
    /// The items in an array, copied node by node.
    var array: [Item] {
        var items: [Item] = []
        items.reserveCapacity(count)
        var walk = ItemWalk(root)
        while walk.open(), let leaf = walk.leaf {
            items.append(contentsOf: leaf.items)
            walk.skip()
        }
        return items
    }
}

extension ItemList: Equatable {
    /// Whether both have equal items in the same order, as they are stored.
    ///
    /// - Complexity: O(log *n*) for each item that is not the same, where one list came from the other by changes;
    ///   otherwise O(*n*).
    public static func == (left: ItemList, right: ItemList) -> Bool {
        if left.tree.root === right.tree.root { return true }
        return left.count == right.count && right.isSame(as: left)
    }
}

/// A way through the items of a tree, which can pass by whole nodes.
struct ItemWalk<Item: Sendable>: Sendable {
    /// The nodes that are still to come, the next one last; the walk is in that one when it is a leaf.
    private var pending: ContiguousArray<ItemNode<Item>>
    /// The index of the next item in the leaf.
    private(set) var index = 0
    /// How many items it has passed.
    private(set) var offset = 0

    init(_ root: ItemNode<Item>) { pending = root.count > 0 ? [root] : [] }

    /// The next node; `nil` at the end.
    var node: ItemNode<Item>? { pending.last }

    /// The leaf that the walk is in.
    var leaf: ItemNode<Item>? { pending.last.flatMap { $0.height == 0 ? $0 : nil } }

    /// The next item, once its leaf is open.
    var item: Item? { leaf?.items[index] }

    var key: ListKey? { leaf?.keys[index] }

    /// Passes items that are the same in both leaves; false when there are none.
    static func passSame(_ one: inout ItemWalk, _ other: inout ItemWalk) -> Bool {
        guard let left = one.leaf, let right = other.leaf else { return false }
        let count = sameCount(left.stamps[one.index...], right.stamps[other.index...])
        one.advance(by: count)
        other.advance(by: count)
        return count > 0
    }

    /// Has the next node give way to its children.
    mutating func expand() {
        guard let node = pending.popLast() else { return }
        pending.append(contentsOf: node.children.reversed())
    }

    /// Goes into the next leaf, if it is in none; false at the end.
    mutating func open() -> Bool {
        while let node = pending.last, node.height > 0 { expand() }
        return !pending.isEmpty
    }

    /// Passes items of the leaf.
    mutating func advance(by count: Int = 1) {
        index += count
        offset += count
        if index == node?.count {
            pending.removeLast()
            index = 0
        }
    }

    /// Passes by the next node, or by what is left of the leaf.
    mutating func skip() {
        offset += (pending.popLast()?.count ?? 0) - index
        index = 0
    }
}

/// How many numbers both begin with.
private func sameCount(_ left: ContiguousArray<UInt32>.SubSequence, _ right: ContiguousArray<UInt32>.SubSequence) -> Int
{
    var count = 0
    for (one, other) in zip(left, right) {
        if one != other { break }
        count += 1
    }
    return count
}
