/// A node of the tree that holds a list's items: a parent, which has child nodes, or an `ItemLeaf`, which has items.
///
/// Only code that handles items is generic, because unspecialized generic code looks up its types at run time.
///
/// Unchecked is safe because a node is changed only while a single reference to it exists; see `ItemTree`.
class ItemNode: @unchecked Sendable {
    /// The maximum number of items in a leaf, and of children in a parent.
    static var capacity: Int { 64 }

    /// The number of levels below this node; 0 for a leaf.
    final let height: Int
    /// The number of items in this node or in the leaves below it.
    final fileprivate(set) var count: Int
    /// The key of each item or, in a parent, the first key of each child; empty in a tree without keys.
    final fileprivate(set) var keys: ContiguousArray<ListKey>
    /// For each item of a leaf, the number of its insertion: in all versions of a list, items with the same stamp are
    /// identical and need not be compared.
    final fileprivate(set) var stamps: ContiguousArray<UInt32> = []
    final fileprivate(set) var children: ContiguousArray<ItemNode> = []

    init(keys: ContiguousArray<ListKey>, children: ContiguousArray<ItemNode>) {
        (self.keys, self.children) = (keys, children)
        height = children.first.map { $0.height + 1 } ?? 0
        count = children.reduce(0) { $0 + $1.count }
    }

    fileprivate init(keys: ContiguousArray<ListKey>, stamps: ContiguousArray<UInt32>, count: Int) {
        (self.keys, self.stamps, self.count, height) = (keys, stamps, count, 0)
    }

    private final var size: Int { height == 0 ? count : children.count }

    fileprivate func copy() -> ItemNode { ItemNode(keys: keys, children: children) }

    /// Removes all items or children from an index on, and returns them as a new node.
    fileprivate func cut(at index: Int) -> ItemNode {
        let half = ItemNode(keys: keys.cut(at: index), children: children.cut(at: index))
        count -= half.count
        return half
    }

    fileprivate func joined(with other: ItemNode) -> ItemNode {
        ItemNode(keys: keys + other.keys, children: children + other.children)
    }

    /// Returns the leaf that contains the item at an offset, and changes `offset` to the offset in that leaf.
    final func leaf(at offset: inout Int) -> ItemNode {
        var node = self
        while node.height > 0 {
            var index = 0
            while offset >= node.children[index].count {
                offset -= node.children[index].count
                index += 1
            }
            node = node.children[index]
        }
        return node
    }

    final func key(isLast: Bool) -> ListKey? {
        var node = self
        while let child = isLast ? node.children.last : node.children.first { node = child }
        return isLast ? node.keys.last : node.keys.first
    }

    /// Returns the number of keys that come before a key or, if `isInclusive`, before or at that key.
    private final func index(of key: ListKey, _ order: ListOrder, isInclusive: Bool) -> Int {
        keys.partitioningIndex { other in
            let step = order.order(other, key)
            return step > 0 || !isInclusive && step == 0
        }
    }

    private final func child(of key: ListKey, _ order: ListOrder) -> Int {
        max(0, index(of: key, order, isInclusive: true) - 1)
    }
}

/// A node without children, which holds items.
///
/// Unchecked is safe because a node is changed only while a single reference to it exists; see `ItemTree`.
final class ItemLeaf<Item: Sendable>: ItemNode, @unchecked Sendable {
    fileprivate(set) var items: ContiguousArray<Item>

    init(keys: ContiguousArray<ListKey>, items: ContiguousArray<Item>, stamps: ContiguousArray<UInt32>) {
        self.items = items
        super.init(keys: keys, stamps: stamps, count: items.count)
    }

    convenience init() { self.init(keys: [], items: [], stamps: []) }

    static func of(_ node: ItemNode) -> ItemLeaf {
        guard let leaf = node as? ItemLeaf else { preconditionFailure("A leaf holds items of another type.") }
        return leaf
    }

    fileprivate override func copy() -> ItemNode { ItemLeaf(keys: keys, items: items, stamps: stamps) }

    fileprivate override func cut(at index: Int) -> ItemNode {
        let half = ItemLeaf(keys: keys.cut(at: index), items: items.cut(at: index), stamps: stamps.cut(at: index))
        count -= half.count
        return half
    }

    fileprivate override func joined(with other: ItemNode) -> ItemNode {
        ItemLeaf(keys: keys + other.keys, items: items + Self.of(other).items, stamps: stamps + other.stamps)
    }
}

extension ItemLeaf {
    /// Puts an item at its key below a node, replacing an item with that key; if the node becomes too large, moves its
    /// second half to a new node, which is returned.
    static func put(
        _ item: Item, _ key: ListKey, _ stamp: UInt32, _ order: ListOrder, in node: inout ItemNode
    ) -> ItemNode? {
        ItemNode.put(key, stamp, order, in: &node) { leaf, index, isNew in
            let leaf = of(leaf)
            if isNew { leaf.items.insert(item, at: index) } else { leaf.items[index] = item }
        }.half
    }

    /// Removes and returns the item with a key below a node, or returns `nil`.
    static func remove(_ key: ListKey, _ order: ListOrder, from node: inout ItemNode) -> Item? {
        var item: Item?
        _ = ItemNode.remove(key, order, from: &node) { leaf, index in item = of(leaf).items.remove(at: index) }
        return item
    }
}

extension ItemNode {
    /// Puts a key at its position, and calls `put` to store its item there; returns whether the key is new, and the
    /// second half of the node if the node was split.
    fileprivate static func put(
        _ key: ListKey, _ stamp: UInt32, _ order: ListOrder, in node: inout ItemNode,
        _ put: (_ leaf: ItemNode, _ index: Int, _ isNew: Bool) -> Void
    ) -> (isNew: Bool, half: ItemNode?) {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
        guard node.height > 0 else { return node.put(key, stamp, order, put) }
        let index = node.child(of: key, order)
        let (isNew, half) = self.put(key, stamp, order, in: &node.children[index], put)
        if isNew { node.count += 1 }
        if index == 0, order.order(key, node.keys[0]) < 0 { node.keys[0] = key }
        guard let half else { return (isNew, nil) }
        node.children.insert(half, at: index + 1)
        node.keys.insert(half.keys[0], at: index + 1)
        return (isNew, node.split())
    }

    private final func put(
        _ key: ListKey, _ stamp: UInt32, _ order: ListOrder,
        _ put: (_ leaf: ItemNode, _ index: Int, _ isNew: Bool) -> Void
    ) -> (isNew: Bool, half: ItemNode?) {
        let index = index(of: key, order, isInclusive: false)
        if index < keys.count, order.order(keys[index], key) == 0 {
            put(self, index, false)
            stamps[index] = stamp
            return (false, nil)
        }
        keys.insert(key, at: index)
        stamps.insert(stamp, at: index)
        put(self, index, true)
        count += 1
        return (true, split())
    }

    private final func split() -> ItemNode? {
        size > Self.capacity ? cut(at: size / 2) : nil
    }

    /// Removes a key, and calls `take` to remove its item from the leaf; returns `false` if the key does not exist.
    fileprivate static func remove(
        _ key: ListKey, _ order: ListOrder, from node: inout ItemNode, _ take: (_ leaf: ItemNode, _ index: Int) -> Void
    ) -> Bool {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
        guard node.height > 0 else { return node.remove(key, order, take) }
        let index = node.child(of: key, order)
        guard remove(key, order, from: &node.children[index], take) else { return false }
        node.count -= 1
        node.mend(index)
        return true
    }

    private final func remove(
        _ key: ListKey, _ order: ListOrder, _ take: (_ leaf: ItemNode, _ index: Int) -> Void
    ) -> Bool {
        let index = index(of: key, order, isInclusive: false)
        guard index < keys.count, order.order(keys[index], key) == 0 else { return false }
        keys.remove(at: index)
        stamps.remove(at: index)
        take(self, index)
        count -= 1
        return true
    }

    /// Removes the child at an index if the child is empty, or joins a small child with its neighbor if there is room
    /// for both.
    private final func mend(_ index: Int) {
        guard children[index].count > 0 else {
            children.remove(at: index)
            keys.remove(at: index)
            return
        }
        keys[index] = children[index].keys[0]
        guard children[index].size < Self.capacity / 4, children.count > 1 else { return }
        let left = index > 0 ? index - 1 : 0
        guard children[left].size + children[left + 1].size <= Self.capacity * 3 / 4 else { return }
        children[left] = children[left].joined(with: children[left + 1])
        children.remove(at: left + 1)
        keys.remove(at: left + 1)
    }
}

extension ContiguousArray {
    fileprivate mutating func cut(at index: Int) -> ContiguousArray {
        guard index < count else { return [] }
        defer { removeSubrange(index...) }
        return ContiguousArray(self[index...])
    }
}
