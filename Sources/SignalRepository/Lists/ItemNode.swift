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
    /// Of each item, or the first of each child; empty when the list has no order that rows tell.
    fileprivate(set) var keys: ContiguousArray<ListKey>
    fileprivate(set) var items: ContiguousArray<Item>
    /// Of each item, the number under which it was put: two with the same number are one, and need not be compared.
    fileprivate(set) var stamps: ContiguousArray<UInt32>
    fileprivate(set) var children: ContiguousArray<ItemNode>

    init(keys: ContiguousArray<ListKey>, items: ContiguousArray<Item>, stamps: ContiguousArray<UInt32>) {
        (self.keys, self.items, self.stamps, children) = (keys, items, stamps, [])
        (height, count) = (0, items.count)
    }

    init(keys: ContiguousArray<ListKey>, children: ContiguousArray<ItemNode>) {
        (self.keys, items, stamps, self.children) = (keys, [], [], children)
        height = (children.first?.height ?? 0) + 1
        count = children.reduce(0) { $0 + $1.count }
    }

    private var size: Int { height == 0 ? items.count : children.count }

    private func copy() -> ItemNode {
        height == 0
            ? ItemNode(keys: keys, items: items, stamps: stamps) : ItemNode(keys: keys, children: children)
    }

    /// The item at an offset.
    func item(at offset: Int) -> Item {
        var (node, offset) = (self, offset)
        while node.height > 0 {
            var place = 0
            while offset >= node.children[place].count {
                offset -= node.children[place].count
                place += 1
            }
            node = node.children[place]
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
    private func place(of key: ListKey, _ order: ListOrder, isInclusive: Bool) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            let step = order.order(keys[middle], key)
            if step < 0 || isInclusive && step == 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The child under which a key belongs.
    private func child(of key: ListKey, _ order: ListOrder) -> Int {
        max(0, place(of: key, order, isInclusive: true) - 1)
    }
}

extension ItemNode {
    /// Puts an item at its key, in place of the one that is there; returns whether there was none, and the second half
    /// of a node that became too large.
    static func put(
        _ item: Item, _ key: ListKey, _ stamp: UInt32, _ order: ListOrder, in node: inout ItemNode
    ) -> (isNew: Bool, half: ItemNode?) {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
        guard node.height > 0 else { return node.put(item, key, stamp, order) }
        let place = node.child(of: key, order)
        let (isNew, half) = put(item, key, stamp, order, in: &node.children[place])
        if isNew { node.count += 1 }
        if place == 0, order.order(key, node.keys[0]) < 0 { node.keys[0] = key }
        guard let half else { return (isNew, nil) }
        node.children.insert(half, at: place + 1)
        node.keys.insert(half.keys[0], at: place + 1)
        return (isNew, node.split())
    }

    private func put(
        _ item: Item, _ key: ListKey, _ stamp: UInt32, _ order: ListOrder
    ) -> (isNew: Bool, half: ItemNode?) {
        let place = place(of: key, order, isInclusive: false)
        if place < keys.count, order.order(keys[place], key) == 0 {
            items[place] = item
            stamps[place] = stamp
            return (false, nil)
        }
        keys.insert(key, at: place)
        items.insert(item, at: place)
        stamps.insert(stamp, at: place)
        count += 1
        return (true, split())
    }

    private func split() -> ItemNode? {
        guard size > Self.capacity else { return nil }
        // Items that come in order fill their nodes.
        let middle = size / 2
        let half =
            height == 0
            ? ItemNode(
                keys: ContiguousArray(keys[middle...]), items: ContiguousArray(items[middle...]),
                stamps: ContiguousArray(stamps[middle...]))
            : ItemNode(keys: ContiguousArray(keys[middle...]), children: ContiguousArray(children[middle...]))
        keys.removeSubrange(middle...)
        if height == 0 {
            items.removeSubrange(middle...)
            stamps.removeSubrange(middle...)
        } else {
            children.removeSubrange(middle...)
        }
        count -= half.count
        return half
    }

    /// Removes the item at a key; returns it, or `nil` when there is none.
    static func remove(_ key: ListKey, _ order: ListOrder, from node: inout ItemNode) -> Item? {
        if !isKnownUniquelyReferenced(&node) { node = node.copy() }
        guard node.height > 0 else { return node.remove(key, order) }
        let place = node.child(of: key, order)
        guard let item = remove(key, order, from: &node.children[place]) else { return nil }
        node.count -= 1
        node.mend(place)
        return item
    }

    private func remove(_ key: ListKey, _ order: ListOrder) -> Item? {
        let place = place(of: key, order, isInclusive: false)
        guard place < keys.count, order.order(keys[place], key) == 0 else { return nil }
        keys.remove(at: place)
        stamps.remove(at: place)
        count -= 1
        return items.remove(at: place)
    }

    /// Removes a child that is empty, and joins one that is small with its neighbour, if that has room.
    private func mend(_ place: Int) {
        guard children[place].count > 0 else {
            children.remove(at: place)
            keys.remove(at: place)
            return
        }
        keys[place] = children[place].keys[0]
        guard children[place].size < Self.capacity / 4, children.count > 1 else { return }
        let left = place > 0 ? place - 1 : 0
        guard children[left].size + children[left + 1].size <= Self.capacity * 3 / 4 else { return }
        let (one, other) = (children[left], children[left + 1])
        children[left] =
            one.height == 0
            ? ItemNode(
                keys: one.keys + other.keys, items: one.items + other.items, stamps: one.stamps + other.stamps)
            : ItemNode(keys: one.keys + other.keys, children: one.children + other.children)
        children.remove(at: left + 1)
        keys.remove(at: left + 1)
    }
}
