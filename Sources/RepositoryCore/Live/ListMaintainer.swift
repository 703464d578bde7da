/// A maintainer of a list of one table, which moves changed rows to the positions of their list keys.
///
/// The list needs a refill when the items that it holds beyond its limit are used up.
final class ListMaintainer<Item: Sendable, Output>: Maintainer {
    let use: LiveUse
    var comparesOutput: Bool { read.showsAll }

    private let window: ListWindow<Item>
    private let read: ListRead<Item, Item, Output>
    private var parts: ListParts<Item>
    private var rows = PerLayout<ListRows<Item>>()
    private var isFilled = false
    /// The maximum number of items that are held.
    private var most = Int.max
    private var last: ItemTree<Item>?

    init(_ window: ListWindow<Item>, _ read: ListRead<Item, Item, Output>) {
        (self.window, self.read) = (window, read)
        parts = ListParts(window.extent, window.order)
        use = LiveUse(table: window.table, filter: window.test?.rowFilter ?? .any)
    }

    func fill(in transaction: ReadTransaction) throws -> Output? {
        isFilled = false
        guard let order = window.order.prepared(by: transaction.session.connection) else { return nil }
        parts.order = order
        most = transaction.session.liveMemoryLimit / ListParts<Item>.itemBytes
        // If too many items come before the offset, the caller runs the query, which skips these items.
        guard window.extent.offset <= most else { return nil }
        let held = try window.read(in: transaction)
        parts.fill(held.items, held.keys, before: held.before)
        let list = parts.shown
        last = list
        // An incomplete or too long list is delivered but not held, so it is re-read after each change.
        if held.isComplete, parts.count <= most { isFilled = true } else { _ = lose() }
        return read.make(list)
    }

    func apply(_ changes: TableChanges) -> UpdateEffect {
        guard isFilled, let rows = rows.made(of: changes.layout, { ListRows(window, $0) }) else { return lose() }
        var entering: [(key: ListKey, row: [SQLValue])] = []
        var isAffected = false
        for change in changes.changes + (window.isInRowOrder ? changes.renumbered : []) {
            guard let keys = try? (rows.key(of: change.old, change.ids.old), rows.key(of: change.new, change.ids.new))
            else { return lose() }
            let old = keys.0.flatMap { parts.isHeld($0) ? $0 : nil }
            let new = keys.1.flatMap { parts.isHeld($0) ? $0 : nil }
            if let old, old != new, parts.remove(old) == nil { return lose() }
            guard let new, let row = change.new else {
                if old != nil { isAffected = true }
                continue
            }
            if old == new, let before = change.old, rows.reader.areSame(before, row) { continue }
            isAffected = true
            entering.append((new, row))
        }
        // All removals come before the insertions, because a row may have the rowid that another row had before.
        for (key, row) in entering {
            guard let item = rows.reader.item(row), parts.put(item, at: key) else { return lose() }
        }
        if !isAffected { return .unaffected }
        guard parts.settle(), parts.count <= most else { return lose() }
        return parts.needsRefill ? .needsRefill : .updatedInPlace
    }

    func output() -> Output? {
        let list = parts.shown
        if let last, list.isSame(as: last, read.isSame) { return nil }
        last = list
        return read.make(list)
    }

    private func lose() -> UpdateEffect {
        isFilled = false
        parts.clear()
        return .needsReread
    }
}
