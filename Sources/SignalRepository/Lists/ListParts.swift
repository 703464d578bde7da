/// The items of a live list that are held: those before its offset, those that show, and some beyond its limit, so that
/// an item which leaves has a successor.
struct ListParts<Item: Sendable> {
    private let (offset, limit, capacity): (Int, Int?, Int?)
    private let order: ListOrder
    /// What is before the offset, what shows, and what is beyond the limit.
    private var parts: [ItemTree<Item>] = []
    /// All items up to this key are held; `nil` when all are.
    private var frontier: ListKey?
    private var origin = ListOrigin()
    /// The number of the next item that is put into a tree.
    private var stamp: UInt32 = 0

    init(_ extent: ListExtent, _ order: ListOrder) {
        (offset, limit, capacity) = (extent.offset, extent.limit, extent.capacity)
        self.order = order
    }

    var shown: ItemTree<Item> { parts[1] }

    /// Whether there may be fewer items than what shows has room for, while there are more in the store.
    var areUsedUp: Bool { frontier != nil && count < offset + (limit ?? 0) }

    var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// Holds other items, of which some are before the offset.
    mutating func fill(_ items: [Item], _ keys: [ListKey], before offset: Int) {
        // Numbers that are used up begin again, with a list that has nothing in common with what was.
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

    /// Whether an item with the key has to be among those that are held.
    func isHeld(_ key: ListKey) -> Bool { frontier.map { order.order(key, $0) <= 0 } ?? true }

    /// Removes the item at a key; returns it, or `nil` when there is none.
    mutating func remove(_ key: ListKey) -> Item? { parts[part(of: key)].remove(key) }

    /// Puts an item where its key belongs; false when there is no number left for it.
    mutating func put(_ item: Item, at key: ListKey) -> Bool { put(item, key, in: part(of: key)) }

    /// Moves items from part to part, so that each has as many as it should, and lets go of those that are too many,
    /// whose keys are passed to `released`; false when that cannot be done.
    mutating func settle(_ released: (ListKey) -> Void = { _ in }) -> Bool {
        guard settle(0, offset) else { return false }
        if let limit, !settle(1, limit) { return false }
        guard let capacity, count > capacity + max(16, capacity / 4) else { return true }
        while count > capacity, let (key, _) = take(from: 2, isLast: true) { released(key) }
        frontier = parts.reversed().lazy.compactMap(\.lastKey).first
        return true
    }

    /// Where a key belongs: in the first part whose last key does not come before it.
    private func part(of key: ListKey) -> Int {
        for part in 0..<2 {
            if let last = parts[part].lastKey, order.order(key, last) <= 0 { return part }
        }
        // Between two parts it makes no difference: they are settled afterwards.
        return parts[2].count > 0 || limit != nil && parts[1].count >= limit ?? 0 ? 2 : 1
    }

    private mutating func put(_ item: Item, _ key: ListKey, in part: Int) -> Bool {
        guard stamp < .max else { return false }
        parts[part].put(item, at: key, stamp)
        stamp += 1
        return true
    }

    /// Gives a part as many items as it should have, from the parts after it and to the next one.
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

/// Which part of a result a live list shows, and how much of it is held.
struct ListExtent: Sendable {
    /// The most items that may be before the offset: with more of them, reading again costs less to hold.
    static var deepestOffset: Int { 10_000 }

    let offset: Int
    let limit: Int?

    /// `nil` when the list cannot be held, or has nothing to hold.
    init?<Root>(_ query: FetchQuery<Root>) {
        (offset, limit) = (query.offset ?? 0, query.limit)
        // A list that is longer than any table is one without a limit.
        guard offset <= Self.deepestOffset, limit.map({ $0 > 0 && $0 < 1 << 32 }) ?? true else { return nil }
    }

    /// How many items are read; `nil` for all.
    var capacity: Int? { limit.map { offset + $0 + max(16, $0 / 4) } }

    func shows(_ place: Int) -> Bool { place >= offset && limit.map { place < offset + $0 } ?? true }
}
