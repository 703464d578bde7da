/// The items that a live list holds: the ones before its offset, the ones that it shows, and some beyond its limit, so
/// that an item that leaves has a successor.
struct ListParts<Item: Sendable> {
    private let (offset, limit, capacity): (Int, Int?, Int?)
    private let order: ListOrder
    /// The items before the offset, the shown ones, and the ones beyond the limit.
    private var parts: [ItemTree<Item>] = []
    /// The key up to which all items are held; `nil` if all items of the list are.
    private var frontier: ListKey?
    private var origin = ListOrigin()
    /// The stamp of the next item that is put into a tree.
    private var stamp: UInt32 = 0

    init(_ extent: ListExtent, _ order: ListOrder) {
        (offset, limit, capacity) = (extent.offset, extent.limit, extent.capacity)
        self.order = order
    }

    var shown: ItemTree<Item> { parts[1] }

    /// Whether fewer items are held than the list should show, while the store may have more.
    var needsRefill: Bool { frontier != nil && count < offset + (limit ?? 0) }

    var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// Replaces the held items, of which the first `offset` are before the list's offset.
    mutating func fill(_ items: [Item], _ keys: [ListKey], before offset: Int) {
        // When the stamps run out, they start again in a list that shares nothing with the earlier versions.
        if UInt32.max - stamp <= UInt32(clamping: items.count) { (stamp, origin) = (0, ListOrigin()) }
        let end = limit.map { min(offset + $0, items.count) } ?? items.count
        parts = [0..<offset, offset..<end, end..<items.count].map { range in
            ItemTree(
                items[range], keys: ContiguousArray(keys[range]), order: order,
                origin: origin, stampsFrom: stamp + UInt32(clamping: range.lowerBound))
        }
        stamp += UInt32(clamping: items.count)
        frontier = capacity.flatMap { items.count < $0 ? nil : keys.last }
    }

    mutating func clear() { parts = [] }

    /// Whether an item with the key must be held.
    func isHeld(_ key: ListKey) -> Bool { frontier.map { order.order(key, $0) <= 0 } ?? true }

    /// Removes and returns the item at a key, if there is one.
    mutating func remove(_ key: ListKey) -> Item? { parts[part(of: key)].remove(key) }

    /// Puts an item at its key; returns `false` if no stamp is left for it.
    mutating func put(_ item: Item, at key: ListKey) -> Bool { put(item, key, in: part(of: key)) }

    /// Moves items between the parts until each has its number of items, and passes the keys of released surplus items
    /// to `released`; returns `false` if that fails.
    mutating func settle(_ released: (ListKey) -> Void = { _ in }) -> Bool {
        guard settle(0, offset) else { return false }
        if let limit, !settle(1, limit) { return false }
        guard let capacity, count > capacity + max(16, capacity / 4) else { return true }
        while count > capacity, let (key, _) = take(from: 2, isLast: true) { released(key) }
        frontier = parts.reversed().lazy.compactMap(\.lastKey).first
        return true
    }

    /// The part that a key belongs to: the first one whose last key does not come before it.
    private func part(of key: ListKey) -> Int {
        for part in 0..<2 {
            if let last = parts[part].lastKey, order.order(key, last) <= 0 { return part }
        }
        // A key between two parts may go into either, because they are settled afterwards.
        return parts[2].count > 0 || limit != nil && parts[1].count >= limit ?? 0 ? 2 : 1
    }

    private mutating func put(_ item: Item, _ key: ListKey, in part: Int) -> Bool {
        guard stamp < .max else { return false }
        parts[part].put(item, at: key, stamp)
        stamp += 1
        return true
    }

    /// Moves items to a part from the parts after it, or from it to the next one, until it has `count` items.
    private mutating func settle(_ part: Int, _ count: Int) -> Bool {
        while parts[part].count > count {
            guard let (key, item) = take(from: part, isLast: true), put(item, key, in: part + 1) else { return false }
        }
        while parts[part].count < count {
            guard let next = (part + 1..<3).first(where: { parts[$0].count > 0 }) else { return true }
            guard let (key, item) = take(from: next, isLast: false), put(item, key, in: part) else { return false }
        }
        return true
    }

    private mutating func take(from part: Int, isLast: Bool) -> (key: ListKey, item: Item)? {
        guard let key = isLast ? parts[part].lastKey : parts[part].firstKey else { return nil }
        return parts[part].remove(key).map { (key, $0) }
    }
}

/// The part of a result that a live list shows, and how much of the result it holds.
struct ListExtent: Sendable {
    /// The maximum offset of a list that is held; beyond it, a re-read costs less.
    static var deepestOffset: Int { 10_000 }

    let offset: Int
    let limit: Int?

    /// Returns `nil` if the list cannot be held, or has nothing to hold.
    init?<Root>(_ query: FetchQuery<Root>) {
        (offset, limit) = (query.offset ?? 0, query.limit)
        // A limit near `Int.max` would overflow `capacity`.
        guard offset <= Self.deepestOffset, limit.map({ $0 > 0 && $0 < 1 << 32 }) ?? true else { return nil }
    }

    /// The number of items to read; `nil` for all.
    var capacity: Int? { limit.map { offset + $0 + max(16, $0 / 4) } }

    func shows(_ index: Int) -> Bool { index >= offset && limit.map { index < offset + $0 } ?? true }
}
