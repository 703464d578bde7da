/// The items that a live list holds: the items before its offset, the shown items, and some items beyond its limit.
///
/// When a shown item leaves the list, an item from beyond the limit takes its place without a read.
struct ListParts<Item: Sendable> {
    private let (offset, limit, capacity): (Int, Int?, Int?)
    private var order: ListOrder
    /// The maximum number of items that are held.
    private(set) var most = Int.max
    /// Three trees: the items before the offset, the shown items, and the items beyond the limit.
    private var parts: [ItemTree<Item>] = []
    private(set) var isFilled = false
    /// The shown items that were last output.
    private var last: ItemTree<Item>?
    /// The list key up to which every item of the query is held; `nil` if the whole result is held.
    private var frontier: ListKey?
    private var origin = ListOrigin()
    /// The stamp (insertion number) of the next item that is put into a tree.
    private var stamp: UInt32 = 0

    init(_ extent: ListExtent, _ order: ListOrder) {
        (offset, limit, capacity) = (extent.offset, extent.limit, extent.capacity)
        self.order = order
    }

    var shown: ItemTree<Item> { parts[1] }

    /// Whether fewer items are held than the list should show, although the store may have more items.
    var needsRefill: Bool { frontier != nil && count < offset + (limit ?? 0) }

    var count: Int { parts.reduce(0) { $0 + $1.count } }

    /// The estimated memory of an item with its key, in bytes.
    static var itemBytes: Int { MemoryLayout<Item>.stride + MemoryLayout<ListKey>.stride + 64 }

    /// Clears the list before a read; returns `false` if the list cannot be held.
    ///
    /// If too many items come before the offset, the caller runs the query, which skips these items.
    mutating func prepare(in transaction: ReadTransaction, addedBytes: Int = 0) -> Bool {
        clear()
        guard let order = order.prepared(by: transaction.session.connection) else { return false }
        self.order = order
        most = transaction.session.liveMemoryLimit / (Self.itemBytes + addedBytes)
        return offset <= most
    }

    /// Replaces the held items; the first `offset` of them are before the list's offset.
    mutating func fill(_ items: [Item], _ keys: [ListKey], before offset: Int) {
        // When the stamps run out, they start again at 0. This needs a new origin, because in trees of one origin,
        // items with the same stamp count as identical.
        if UInt32.max - stamp <= UInt32(clamping: items.count) { (stamp, origin) = (0, ListOrigin()) }
        let end = limit.map { min(offset + $0, items.count) } ?? items.count
        parts = [0..<offset, offset..<end, end..<items.count].map { range in
            ItemTree(
                items[range], keys: ContiguousArray(keys[range]), order: order,
                origin: origin, stampsFrom: stamp + UInt32(clamping: range.lowerBound))
        }
        stamp += UInt32(clamping: items.count)
        frontier = capacity.flatMap { items.count < $0 ? nil : keys.last }
        (last, isFilled) = (shown, true)
    }

    /// Returns the shown items if they differ from those that were last output.
    mutating func changed(_ isSame: (Item, Item) -> Bool) -> ItemTree<Item>? {
        let shown = shown
        if let last, shown.isSame(as: last, isSame) { return nil }
        last = shown
        return shown
    }

    mutating func clear() { (parts, last, isFilled) = ([], nil, false) }

    /// Returns whether an item with the key must be held.
    func isHeld(_ key: ListKey) -> Bool { frontier.map { order.order(key, $0) <= 0 } ?? true }

    /// Removes and returns the item with a key, or returns `nil`.
    mutating func remove(_ key: ListKey) -> Item? { parts[part(of: key)].remove(key) }

    /// Puts an item at its key; returns `false` if all stamps are used, or if a new item has the key of another.
    ///
    /// A later change could not tell apart two items with the same list key.
    mutating func put(_ item: Item, at key: ListKey, isNew: Bool) -> Bool {
        let part = part(of: key)
        if !isNew { return put(item, key, in: part) }
        let count = parts[part].count
        return put(item, key, in: part) && parts[part].count > count
    }

    /// Moves items between the parts to match the offset and the limit; returns `false` if all stamps are used, or if
    /// too many items are held.
    ///
    /// Surplus items beyond the limit are released; their keys are passed to `released`.
    mutating func settle(_ released: (ListKey) -> Void = { _ in }) -> Bool {
        guard settle(0, offset) else { return false }
        if let limit, !settle(1, limit) { return false }
        guard let capacity, count > capacity + max(16, capacity / 4) else { return count <= most }
        while count > capacity, let (key, _) = take(from: 2, isLast: true) { released(key) }
        frontier = parts.reversed().lazy.compactMap(\.lastKey).first
        return count <= most
    }

    /// Returns the part that a key belongs to: the first part whose last key does not come before that key.
    private func part(of key: ListKey) -> Int {
        for part in 0..<2 {
            if let last = parts[part].lastKey, order.order(key, last) <= 0 { return part }
        }
        // A key between two parts may go into either part, because `settle` moves items afterwards.
        return parts[2].count > 0 || limit != nil && parts[1].count >= limit ?? 0 ? 2 : 1
    }

    private mutating func put(_ item: Item, _ key: ListKey, in part: Int) -> Bool {
        guard stamp < .max else { return false }
        parts[part].put(item, at: key, stamp)
        stamp += 1
        return true
    }

    /// Moves items between a part and the parts after it, until the part has `count` items or no more exist.
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

/// The part of a query's result that a live list shows, and the number of items that it holds.
struct ListExtent: Sendable {
    let offset: Int
    let limit: Int?

    /// Returns `nil` for a list that is never held, because it is empty, or because its offset or limit is so large
    /// that `capacity` could overflow.
    init?(_ statement: SelectStatement) {
        (offset, limit) = (statement.offset ?? 0, statement.limit)
        guard offset < 1 << 32, limit.map({ $0 > 0 && $0 < 1 << 32 }) ?? true else { return nil }
    }

    /// The number of items to read, including a reserve beyond the limit; `nil` for all items.
    var capacity: Int? { limit.map { offset + $0 + max(16, $0 / 4) } }

    func shows(_ index: Int) -> Bool { index >= offset && limit.map { index < offset + $0 } ?? true }
}
