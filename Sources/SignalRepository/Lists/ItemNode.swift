/// A node of the tree in which a list holds its items: a leaf with items, or the parent of nodes.
///
/// Unchecked is safe because a node is changed only while nobody else references it; see `ItemTree`.
final class ItemNode<Item: Sendable>: @unchecked Sendable {
    /// The most items of a leaf, and the most children of a parent.
    static var capacity: Int { 64 }

    /// How many levels are below; 0 for a leaf.
    let height: Int
    /// How many items it holds, or those below it.
    fileprivate(set) var count: Int
    /// Of each item, or the first of each child; empty when rows do not determine the order of the list.
    fileprivate(set) var keys: ContiguousArray<ListKey>
    fileprivate(set) var items: ContiguousArray<Item>
    /// Of each item, the number under which it was put: two with the same number are one, and need not be compared.
    fileprivate(set) var stamps: ContiguousArray<UInt32>
    fileprivate(set) var children: ContiguousArray<ItemNode>

    /// Makes a leaf of items, or a parent of children.
    init(
        keys: ContiguousArray<ListKey>, items: ContiguousArray<Item> = [], stamps: ContiguousArray<UInt32> = [],
        children: ContiguousArray<ItemNode> = []
    ) {
        (self.keys, self.items, self.stamps, self.children) = (keys, items, stamps, children)
        height = children.first.map { $0.height + 1 } ?? 0
        count = children.reduce(items.count) { $0 + $1.count }
    }

    private var size: Int { height == 0 ? items.count : children.count }

    private func copy() -> ItemNode { ItemNode(keys: keys, items: items, stamps: stamps, children: children) }

    /// The item at an offset.
    func item(at offset: Int) -> Item {
        var (node, offset) = (self, offset)
        while node.height > 0 {
            var index = 0
            while offset >= node.children[index].count {
                offset -= node.children[index].count
                index += 1
            }
            node = node.children[index]
        }
        return node.items[offset]
    }

    /// The key of the first item, or of the last.
    func key(isLast: Bool) -> ListKey? {
        var node = self
        while let child = isLast ? node.children.last : node.children.first { node = child }
        return isLast ? node.keys.last : node.keys.first
    }

    /// How many of the keys come before a key, or are equal to it if `isInclusive`.
    private func index(of key: ListKey, _ order: ListOrder, isInclusive: Bool) -> Int {
        keys.partitioningIndex { other in
            let step = order.order(other, key)
            return step > 0 || !isInclusive && step == 0
        }
    }

    /// The child under which a key belongs.
    private func child(of key: ListKey, _ order: ListOrder) -> Int {
        max(0, index(of: key, order, isInclusive: true) - 1)
    }
}

extension ItemNode {
    /// Puts an item at its key, instead of the one there; returns whether there was none, and the second half
    /// of a node that became too large.
    static func put(
        _ item: Item, _ key: ListKey, _ stamp: UInt32, _ order: ListOrder, in node: inout ItemNode
    ) -> (isNew: Bool, half: ItemNode?) {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
        guard node.height > 0 else { return node.put(item, key, stamp, order) }
        let index = node.child(of: key, order)
        let (isNew, half) = put(item, key, stamp, order, in: &node.children[index])
        if isNew { node.count += 1 }
        if index == 0, order.order(key, node.keys[0]) < 0 { node.keys[0] = key }
        guard let half else { return (isNew, nil) }
        node.children.insert(half, at: index + 1)
        node.keys.insert(half.keys[0], at: index + 1)
        return (isNew, node.split())
    }

    private func put(
        _ item: Item, _ key: ListKey, _ stamp: UInt32, _ order: ListOrder
    ) -> (isNew: Bool, half: ItemNode?) {
        let index = index(of: key, order, isInclusive: false)
        if index < keys.count, order.order(keys[index], key) == 0 {
            items[index] = item
            stamps[index] = stamp
            return (false, nil)
        }
        keys.insert(key, at: index)
        items.insert(item, at: index)
        stamps.insert(stamp, at: index)
        count += 1
        return (true, split())
    }

    private func split() -> ItemNode? {
        guard size > Self.capacity else { return nil }
        // Items that come in order fill their nodes.
        let middle = size / 2
        let half = ItemNode(
            keys: keys.cut(at: middle), items: items.cut(at: middle), stamps: stamps.cut(at: middle),
            children: children.cut(at: middle))
        count -= half.count
        return half
    }

    /// Removes the item at a key; returns it, or `nil` when there is none.
    static func remove(_ key: ListKey, _ order: ListOrder, from node: inout ItemNode) -> Item? {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
        guard node.height > 0 else { return node.remove(key, order) }
        let index = node.child(of: key, order)
        guard let item = remove(key, order, from: &node.children[index]) else { return nil }
        node.count -= 1
        node.mend(index)
        return item
    }

    private func remove(_ key: ListKey, _ order: ListOrder) -> Item? {
        let index = index(of: key, order, isInclusive: false)
        guard index < keys.count, order.order(keys[index], key) == 0 else { return nil }
        keys.remove(at: index)
        stamps.remove(at: index)
        count -= 1
        return items.remove(at: index)
    }

    /// Removes a child that is empty, and joins one that is small with its neighbour, if that has room.
    private func mend(_ index: Int) {
        guard children[index].count > 0 else {
            children.remove(at: index)
            keys.remove(at: index)
            return
        }
        keys[index] = children[index].keys[0]
        guard children[index].size < Self.capacity / 4, children.count > 1 else { return }
        let left = index > 0 ? index - 1 : 0
        guard children[left].size + children[left + 1].size <= Self.capacity * 3 / 4 else { return }
        let (one, other) = (children[left], children[left + 1])
        children[left] = ItemNode(
            keys: one.keys + other.keys, items: one.items + other.items, stamps: one.stamps + other.stamps,
            children: one.children + other.children)
        children.remove(at: left + 1)
        keys.remove(at: left + 1)
    }
}

extension ContiguousArray {
    /// Removes the elements from an index on, and returns them.
    fileprivate mutating func cut(at index: Int) -> ContiguousArray {
        guard index < count else { return [] }
        defer { removeSubrange(index...) }
        return ContiguousArray(self[index...])
    }
}
