/// An ordered collection of items whose versions share almost all of their storage.
///
/// The collection is a B+ tree. On the path to the changed item, a change copies only the nodes that another version
/// also references. So keeping a version costs nothing, and a change takes O(log *n*) (Driscoll, Sarnak, Sleator and
/// Tarjan, "Making data structures persistent", 1989).
struct ItemTree<Item: Sendable>: Sendable {
    private(set) var root: ItemNode
    let order: ListOrder
    /// The identity that versions of one list share; stamps and keys of trees with different origins are unrelated.
    let origin: ListOrigin?

    /// Creates a tree of items in the given order; `keys` is empty for a tree that is never updated by key.
    ///
    /// The items get consecutive stamps (insertion numbers) from `first` on. In trees of one origin, items with the
    /// same stamp are identical.
    /// - Complexity: O(*n*).
    init(
        _ items: some Collection<Item>, keys: ContiguousArray<ListKey>, order: ListOrder, origin: ListOrigin?,
        stampsFrom first: UInt32 = 0
    ) {
        (self.order, self.origin) = (order, origin)
        let capacity = ItemNode.capacity
        var nodes: ContiguousArray<ItemNode> = []
        var (rest, start) = (items[...], 0)
        while !rest.isEmpty {
            let part = rest.prefix(capacity)
            rest = rest.dropFirst(capacity)
            let end = start + part.count
            let range = keys.isEmpty ? 0..<0 : start..<end
            nodes.append(
                ItemLeaf(
                    keys: ContiguousArray(keys[range]), items: ContiguousArray(part),
                    stamps: ContiguousArray(range.map { first &+ UInt32(truncatingIfNeeded: $0) })))
            start = end
        }
        while nodes.count > 1 {
            nodes = ContiguousArray(
                stride(from: 0, to: nodes.count, by: capacity).map { start in
                    let children = nodes[start..<min(start + capacity, nodes.count)]
                    return ItemNode(
                        keys: ContiguousArray(children.compactMap(\.keys.first)), children: ContiguousArray(children))
                })
        }
        root = nodes.first ?? ItemLeaf<Item>()
    }

    var count: Int { root.count }

    /// The item at an offset.
    ///
    /// - Complexity: O(log *n*).
    func item(at offset: Int) -> Item {
        var offset = offset
        let leaf = root.leaf(at: &offset)
        return ItemLeaf<Item>.of(leaf).items[offset]
    }

    /// The key of the first item; `nil` if the tree is empty.
    var firstKey: ListKey? { root.key(isLast: false) }

    /// The key of the last item; `nil` if the tree is empty.
    var lastKey: ListKey? { root.key(isLast: true) }

    /// Puts an item at its key, replacing an item with that key; `stamp` must be new among the versions of the tree.
    ///
    /// - Complexity: O(log *n*).
    mutating func put(_ item: Item, at key: ListKey, _ stamp: UInt32) {
        guard let half = ItemLeaf.put(item, key, stamp, order, in: &root) else { return }
        root = ItemNode(keys: [root.keys[0], half.keys[0]], children: [root, half])
    }

    /// Removes and returns the item with a key, or returns `nil`.
    ///
    /// - Complexity: O(log *n*).
    mutating func remove(_ key: ListKey) -> Item? {
        let item = ItemLeaf<Item>.remove(key, order, from: &root)
        while root.height > 0, root.children.count < 2 {
            root = root.children.first ?? ItemLeaf<Item>()
        }
        return item
    }
}

/// The identity that all versions of a list share.
final class ListOrigin: Sendable {}
