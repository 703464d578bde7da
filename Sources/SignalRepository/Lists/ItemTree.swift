/// Items in order, of which many versions can be kept that have almost everything in common.
///
/// It is a B+ tree whose nodes are copied on their way to a change, if another version references them: keeping a
/// version costs nothing, and a change O(log *n*) (Driscoll, Sarnak, Sleator and Tarjan, "Making data structures
/// persistent", 1989).
struct ItemTree<Item: Sendable>: Sendable {
    private(set) var root: ItemNode
    let order: ListOrder
    /// What versions of one list have in common: only among these do numbers and keys identify items.
    let origin: ListOrigin?

    /// Makes a tree of items that are in order; without keys when rows do not determine their order.
    ///
    /// Items are numbered from `first` on. Of two trees of one origin, items with one number are one.
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

    /// The key of the first item; `nil` when there is none.
    var firstKey: ListKey? { root.key(isLast: false) }

    /// The key of the last item; `nil` when there is none.
    var lastKey: ListKey? { root.key(isLast: true) }

    /// Puts an item at its key, instead of the one there, under a number that no other item has had.
    ///
    /// - Complexity: O(log *n*).
    mutating func put(_ item: Item, at key: ListKey, _ stamp: UInt32) {
        guard let half = ItemLeaf.put(item, key, stamp, order, in: &root) else { return }
        root = ItemNode(keys: [root.keys[0], half.keys[0]], children: [root, half])
    }

    /// Removes the item at a key; returns it, or `nil` when there is none.
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

/// The identity of a list of which there are many versions.
final class ListOrigin: Sendable {}
