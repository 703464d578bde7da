/// Keeps a list up to date by inserting changed rows where their keys belong.
///
/// It holds the items before the offset, those that show, and some beyond the limit, so that a row which leaves has a
/// successor. When those are used up, it is filled again.
final class ListMaintainer<Item: Entity & Equatable, Output>: Maintainer {
    let use: LiveUse
    var comparesOutput: Bool { true }

    private let window: ListWindow<Item>
    private let make: (ItemList<Item>) -> Output
    /// What is before the offset, what shows, and what is beyond the limit.
    private var parts: [ItemTree<Item>] = []
    /// All rows up to this key are held; `nil` when all are.
    private var frontier: ListKey?
    private var rows = PerLayout<ListRows<Item>>()
    private var origin = ListOrigin()
    /// The number of the next item that is put into a tree.
    private var stamp: UInt32 = 0
    private var isFilled = false
    /// The list that was returned last.
    private var last: ItemList<Item>?

    init(_ window: ListWindow<Item>, _ make: @escaping (ItemList<Item>) -> Output) {
        (self.window, self.make) = (window, make)
        use = LiveUse(table: Item.entityName, filter: window.test?.rowFilter ?? .any)
    }

    func fill(in transaction: ReadTransaction) throws -> Output {
        isFilled = false
        let held = try window.read(in: transaction)
        let (items, keys) = (held.items, held.keys)
        // Numbers that are used up begin again, with a list that has nothing in common with what was.
        if UInt32.max - stamp <= UInt32(clamping: items.count) { (stamp, origin) = (0, ListOrigin()) }
        let offset = held.before
        let end = window.limit.map { min(offset + $0, items.count) } ?? items.count
        parts = [0..<offset, offset..<end, end..<items.count].map { range in
            ItemTree(
                items[range], keys: ContiguousArray(keys[range]), order: window.order,
                origin: origin, stampsFrom: stamp + UInt32(clamping: range.lowerBound))
        }
        stamp += UInt32(clamping: items.count)
        frontier = window.capacity.flatMap { items.count < $0 ? nil : keys.last }
        let list = ItemList(parts[1])
        last = list
        // What is not whole is not kept, but read again after each change.
        if held.isWhole { isFilled = true } else { _ = lose() }
        return make(list)
    }

    func apply(_ changes: TableChanges) -> Patch {
        guard isFilled, let rows = rows.made(of: changes.layout, { ListRows(window, $0) }) else { return lose() }
        var entering: [(key: ListKey, row: [SQLValue])] = []
        var isAffected = false
        for change in changes.changes + (window.isInTableOrder ? changes.renumbered : []) {
            guard let keys = try? (rows.key(of: change.old, change.ids.old), rows.key(of: change.new, change.ids.new))
            else { return lose() }
            let (old, new) = (keys.0.flatMap { isHeld($0) ? $0 : nil }, keys.1.flatMap { isHeld($0) ? $0 : nil })
            if let old, old != new, remove(old) == nil { return lose() }
            guard let new, let row = change.new else {
                if old != nil { isAffected = true }
                continue
            }
            if old == new, let before = change.old, rows.reader.areSame(before, row) { continue }
            isAffected = true
            entering.append((new, row))
        }
        // A rowid may have passed from one row to another, so all leave before any enters.
        for (key, row) in entering {
            guard let item = rows.reader.item(of: row), put(item, key, in: part(of: key)) else { return lose() }
        }
        if !isAffected { return .unaffected }
        guard settle() else { return lose() }
        return frontier != nil && held < window.needed ? .usedUp : .patched
    }

    func output() -> Output? {
        let list = ItemList(parts[1])
        if let last, last == list { return nil }
        last = list
        return make(list)
    }

    private var held: Int { parts.reduce(0) { $0 + $1.count } }

    private func lose() -> Patch {
        (isFilled, parts) = (false, [])
        return .lost
    }

    /// Whether a row with the key has to be among those that are held.
    private func isHeld(_ key: ListKey) -> Bool {
        frontier.map { window.order.order(key, $0) <= 0 } ?? true
    }

    /// Where a key belongs: before the first key of the part that follows.
    private func part(of key: ListKey) -> Int {
        for part in 0..<2 {
            if let last = parts[part].lastKey, window.order.order(key, last) <= 0 { return part }
        }
        // Between two parts it makes no difference: they are settled afterwards.
        return parts[2].count > 0 || window.limit != nil && parts[1].count >= window.limit ?? 0 ? 2 : 1
    }

    private func remove(_ key: ListKey) -> Item? { parts[part(of: key)].remove(key) }

    /// Puts an item into a part; false when there is no number left for it.
    private func put(_ item: Item, _ key: ListKey, in part: Int) -> Bool {
        guard stamp < .max else { return false }
        parts[part].put(item, at: key, stamp)
        stamp += 1
        return true
    }

    /// Moves items from part to part, so that each has as many as it should, and lets go of those that are too many;
    /// false when that cannot be done.
    private func settle() -> Bool {
        guard settle(0, window.offset) else { return false }
        if let limit = window.limit, !settle(1, limit) { return false }
        guard let capacity = window.capacity, held > capacity + max(16, capacity / 4) else { return true }
        while held > capacity { take(from: 2, isLast: true) }
        frontier = parts.reversed().lazy.compactMap(\.lastKey).first
        return true
    }

    /// Gives a part as many items as it should have, from the parts after it and to the next one.
    private func settle(_ part: Int, _ count: Int) -> Bool {
        while parts[part].count > count {
            guard let (key, item) = take(from: part, isLast: true), put(item, key, in: part + 1) else { return false }
        }
        while parts[part].count < count {
            guard let next = (part + 1..<3).first(where: { parts[$0].count > 0 }) else { return true }
            guard let (key, item) = take(from: next, isLast: false), put(item, key, in: part) else { return false }
        }
        return true
    }

    @discardableResult
    private func take(from part: Int, isLast: Bool) -> (key: ListKey, item: Item)? {
        guard let key = isLast ? parts[part].lastKey : parts[part].firstKey else { return nil }
        return parts[part].remove(key).map { (key, $0) }
    }
}
